package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.log.index.AbortedTransaction;
import io.tidemark.broker.log.index.OffsetIndex;
import io.tidemark.broker.log.index.TimeIndex;
import io.tidemark.broker.log.index.TimestampOffset;
import io.tidemark.broker.log.index.TransactionIndex;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One segment: a {@code .log} file, which holds batches one after the other and nothing else, and its indexes. A read is
 * a search in the index, then a scan that the index interval bounds.
 *
 * <p>Crash policy: writes go to the page cache. After an unclean stop the file is scanned, cut before the first batch
 * that is not whole and right, and the indexes are made anew; see {@link SegmentRecovery}.
 */
final class LogSegment {
    private final Disk disk;
    private final long baseOffset;
    private final long createdMs;
    private final int indexIntervalBytes;
    private final DiskFile file;
    private final OffsetIndex offsetIndex;
    private final TimeIndex timeIndex;
    private final TransactionIndex transactionIndex;
    private final RecentBatches recent = new RecentBatches();
    private Path path;
    private String suffix;
    private int size;
    private long nextOffset;
    private int bytesSinceIndexEntry;
    private long maxTimestamp = RecordBatch.NO_TIMESTAMP;
    private long offsetOfMaxTimestamp;
    private long rollTimestamp = RecordBatch.NO_TIMESTAMP;
    private boolean rollTimestampKnown;
    private boolean awaitsTransactions;
    /** Whether the file is longer than what is written to it. */
    private boolean isPreallocated;

    private int truncations;
    private int leastTruncatedSize = Integer.MAX_VALUE;

    private LogSegment(Disk disk, Path directory, long baseOffset, String suffix, LogConfig config, long nowMs)
            throws IOException {
        this.disk = disk;
        this.suffix = suffix;
        this.baseOffset = baseOffset;
        this.createdMs = nowMs;
        this.indexIntervalBytes = config.indexIntervalBytes();
        this.path = LogFiles.of(directory, baseOffset, LogFiles.LOG + suffix);
        int indexBytes = config.segmentIndexBytes();
        this.offsetIndex = new OffsetIndex(
                disk, LogFiles.of(directory, baseOffset, LogFiles.OFFSET_INDEX + suffix), baseOffset, indexBytes);
        this.timeIndex = new TimeIndex(
                disk, LogFiles.of(directory, baseOffset, LogFiles.TIME_INDEX + suffix), baseOffset, indexBytes);
        this.transactionIndex = new TransactionIndex(
                disk, LogFiles.of(directory, baseOffset, LogFiles.TRANSACTION_INDEX + suffix), baseOffset);
        this.offsetOfMaxTimestamp = baseOffset;
        this.nextOffset = baseOffset;
        this.file = disk.open(path);
    }

    /** A new and empty segment. */
    static LogSegment create(Disk disk, Path directory, long baseOffset, LogConfig config, long nowMs)
            throws IOException {
        LogSegment segment = create(disk, directory, baseOffset, "", config, nowMs);
        segment.extendForAppends(config);
        return segment;
    }

    /** A new and empty segment under the names of one that compaction is still at work on. */
    static LogSegment createCleaned(Disk disk, Path directory, long baseOffset, LogConfig config, long createdMs)
            throws IOException {
        LogSegment segment = create(disk, directory, baseOffset, LogFiles.CLEANED, config, createdMs);
        segment.resetIndexes();
        // It gets no entries: of the transactions that were aborted below, compaction leaves no record.
        segment.restartTransactions();
        return segment;
    }

    private static LogSegment create(
            Disk disk, Path directory, long baseOffset, String suffix, LogConfig config, long createdMs)
            throws IOException {
        LogSegment segment = new LogSegment(disk, directory, baseOffset, suffix, config, createdMs);
        if (segment.file.size() > 0) {
            segment.file.truncate(0);
            segment.transactionIndex.reset();
        }
        return segment;
    }

    /** Gives its files the sizes that they have while they are written to. */
    void extendForAppends(LogConfig config) throws IOException {
        if (config.earlyIndexes()) {
            offsetIndex.extend();
            timeIndex.extend();
        }
        if (config.preallocate() && size == 0) {
            disk.extend(path, config.segmentBytes());
            isPreallocated = true;
        }
    }

    /** A segment that is there; neither its indexes nor its tail have been looked at. */
    static LogSegment open(Disk disk, Path directory, long baseOffset, LogConfig config, long nowMs)
            throws IOException {
        LogSegment segment = new LogSegment(disk, directory, baseOffset, "", config, nowMs);
        long length = segment.file.size();
        if (length > Integer.MAX_VALUE) {
            segment.file.close();
            throw new IOException(
                    "Segment " + segment.path + " has " + length + " bytes; expected at most " + Integer.MAX_VALUE);
        }
        segment.size = (int) length;
        return segment;
    }

    long baseOffset() {
        return baseOffset;
    }

    int sizeInBytes() {
        return size;
    }

    /** The offset after the last batch. */
    long nextOffset() {
        return nextOffset;
    }

    DiskFile file() {
        return file;
    }

    OffsetIndex offsetIndex() {
        return offsetIndex;
    }

    TimeIndex timeIndex() {
        return timeIndex;
    }

    /** The size of the larger of its indexes. */
    int indexBytes() {
        return Math.max(offsetIndex.sizeInBytes(), timeIndex.sizeInBytes());
    }

    /** The greatest timestamp of its batches, or -1. */
    long maxTimestamp() {
        return maxTimestamp;
    }

    long createdMs() {
        return createdMs;
    }

    /** The time by which its age is told where it is to be deleted. */
    long ageTimestamp() {
        return maxTimestamp >= 0 ? maxTimestamp : createdMs;
    }

    /**
     * Whether it should be left for a new segment before an append.
     *
     * @param appendBytes the size of what is to be appended
     * @param appendMaxTimestamp its greatest timestamp
     * @param appendLastOffset its last offset
     */
    boolean shouldRoll(int appendBytes, long appendMaxTimestamp, long appendLastOffset, LogConfig config, long nowMs)
            throws IOException {
        if (appendLastOffset - baseOffset > Integer.MAX_VALUE) {
            return true;
        }
        return size > 0
                && (size > config.segmentBytes() - appendBytes
                        || waitedMs(appendMaxTimestamp, nowMs) > config.segmentMs() - config.segmentJitterMs(path)
                        || offsetIndex.isFull()
                        || timeIndex.isFull());
    }

    /** By the timestamps of its first batch and of the new one where there are such, else by the clock. */
    private long waitedMs(long appendMaxTimestamp, long nowMs) throws IOException {
        if (!rollTimestampKnown) {
            BatchScanner scanner = scan(0, RecordBatch.HEADER_BYTES);
            if (scanner.next()) {
                rollTimestamp = scanner.header().maxTimestamp();
                rollTimestampKnown = true;
            }
        }
        return rollTimestamp >= 0 ? appendMaxTimestamp - rollTimestamp : nowMs - createdMs;
    }

    /**
     * Appends batches that follow on what is there.
     *
     * @param source their bytes, which lie together
     */
    void append(ByteBuf source, int index, int length, List<RecordBatch> batches) throws IOException {
        int position = size;
        int at = position;
        for (ByteBuffer part : source.nioBuffers(index, length)) {
            int count = part.remaining();
            file.write(part, at);
            at += count;
        }
        for (RecordBatch batch : batches) {
            noteBatch(batch, position);
            recent.add(batch.baseOffset(), batch.lastOffset(), position);
            position += batch.sizeInBytes();
        }
        size = position;
    }

    /** Takes a batch of the log into the indexes; also how they are made anew. */
    void noteBatch(RecordBatch batch, int position) throws IOException {
        if (!rollTimestampKnown) {
            rollTimestamp = batch.maxTimestamp();
            rollTimestampKnown = true;
        }
        // A header that compaction left has a timestamp, but no record that could be found by it.
        if (batch.maxTimestamp() > maxTimestamp && batch.recordCount() > 0) {
            maxTimestamp = batch.maxTimestamp();
            offsetOfMaxTimestamp = batch.lastOffset();
        }
        if (bytesSinceIndexEntry > indexIntervalBytes) {
            offsetIndex.append(batch.lastOffset(), position);
            timeIndex.appendIfLater(maxTimestamp, offsetOfMaxTimestamp);
            bytesSinceIndexEntry = 0;
        }
        bytesSinceIndexEntry += batch.sizeInBytes();
        nextOffset = batch.nextOffset();
    }

    /** The transactions whose abort marker lies in this segment, in the order of the markers. */
    List<AbortedTransaction> abortedTransactions() {
        return transactionIndex.entries();
    }

    /** Takes a transaction into the index whose abort marker was just appended. */
    void noteAborted(AbortedTransaction transaction) throws IOException {
        transactionIndex.append(transaction);
    }

    /**
     * True where the transaction index was not to be trusted. It cannot be made from the segment alone, for a transaction
     * may have begun before it; whoever replays the producers fills it.
     */
    boolean awaitsTransactions() {
        return awaitsTransactions;
    }

    /** Empties the transaction index, which is filled from here on. */
    void restartTransactions() throws IOException {
        transactionIndex.reset();
        awaitsTransactions = false;
    }

    /** Starts the indexes anew, before every batch is noted again. */
    void resetIndexes() throws IOException {
        offsetIndex.reset();
        timeIndex.reset();
        transactionIndex.reset();
        awaitsTransactions = true;
        recent.clear();
        bytesSinceIndexEntry = 0;
        maxTimestamp = RecordBatch.NO_TIMESTAMP;
        offsetOfMaxTimestamp = baseOffset;
        rollTimestampKnown = false;
        nextOffset = baseOffset;
    }

    /**
     * Believes the indexes, and reads on from the last entry.
     *
     * @return false where the indexes cannot be right, or the file does not end with a whole batch
     */
    boolean load() throws IOException {
        return offsetIndex.load(size) && timeIndex.load() && transactionIndex.load() && readTail();
    }

    /** Learns the last offset and the greatest timestamp from the indexes and what lies after their last entry. */
    private boolean readTail() throws IOException {
        nextOffset = baseOffset;
        TimestampOffset last = timeIndex.last();
        maxTimestamp = last.timestamp();
        offsetOfMaxTimestamp = last.offset();
        int from = Math.max(0, offsetIndex.last().position());
        BatchScanner scanner = scan(from, SegmentSearch.CHUNK_BYTES);
        while (scanner.next()) {
            RecordBatch batch = scanner.header();
            if (batch.maxTimestamp() > maxTimestamp && batch.recordCount() > 0) {
                maxTimestamp = batch.maxTimestamp();
                offsetOfMaxTimestamp = batch.lastOffset();
            }
            nextOffset = batch.nextOffset();
        }
        bytesSinceIndexEntry = scanner.position() - from;
        return scanner.defect() == null;
    }

    BatchScanner scan(int from, int chunkBytes) {
        return scan(from, size, chunkBytes);
    }

    BatchScanner scan(int from, int end, int chunkBytes) {
        return new BatchScanner(file, from, end, baseOffset, chunkBytes);
    }

    /**
     * The first batch that reaches an offset.
     *
     * @return null where the segment has none
     * @throws CorruptBatchException if there are bytes on the way to it that cannot be a batch
     */
    @Nullable
    BatchLocation locate(long offset) throws IOException {
        return recent.covers(offset) ? recent.locate(offset, size) : search().locate(offset);
    }

    /** How its batches are found from the indexes on. */
    SegmentSearch search() {
        return new SegmentSearch(this);
    }

    int indexIntervalBytes() {
        return indexIntervalBytes;
    }

    /** Cuts the file before the first batch that reaches an offset; {@link #nextOffset} tells where it ends now. */
    void truncateTo(long offset) throws IOException {
        BatchLocation cut = locate(offset);
        if (cut == null) {
            return;
        }
        BatchScanner scanner = scan(cut.position(), RecordBatch.HEADER_BYTES);
        long end = scanner.next() ? Math.min(scanner.header().baseOffset(), offset) : offset;
        cutFileTo(cut.position());
        offsetIndex.truncateTo(end);
        timeIndex.truncateTo(end);
        transactionIndex.truncateTo(end);
        readTail();
    }

    /** Cuts the file, as recovery finds it broken or truncation wants it; slices of what is gone fail from now on. */
    void cutFileTo(int position) throws IOException {
        file.truncate(position);
        size = position;
        recent.clear();
        rollTimestampKnown &= position > 0;
        truncations++;
        leastTruncatedSize = Math.min(leastTruncatedSize, position);
    }

    int truncations() {
        return truncations;
    }

    /** Whether bytes up to {@code end} are still those that a slice made after {@code seenTruncations} meant. */
    boolean isUntouched(int end, int seenTruncations) {
        return truncations == seenTruncations || end <= leastTruncatedSize;
    }

    /** The segment will not be appended to any more, or the log closes: indexes are completed and cut to size. */
    void seal() throws IOException {
        if (maxTimestamp >= 0) {
            timeIndex.appendIfLater(maxTimestamp, offsetOfMaxTimestamp);
        }
        if (isPreallocated && file.size() > size) {
            file.truncate(size);
            isPreallocated = false;
        }
        offsetIndex.trim();
        timeIndex.trim();
    }

    /** Makes the sealed indexes durable. */
    void forceIndexes() throws IOException {
        for (Path index : List.of(offsetIndex.path(), timeIndex.path(), transactionIndex.path())) {
            if (index.equals(transactionIndex.path()) && !disk.exists(index)) {
                continue;
            }
            try (DiskFile open = disk.open(index)) {
                open.force(true);
            }
        }
    }

    /** Lets go of the files as they are. */
    void release() throws IOException {
        try {
            offsetIndex.release();
            timeIndex.release();
            transactionIndex.release();
        } finally {
            file.close();
        }
    }

    /** Every file that may belong to the segment. */
    List<Path> paths() {
        return List.of(path, offsetIndex.path(), timeIndex.path(), transactionIndex.path());
    }

    /** Where the producers are kept as they stood at its start. */
    Path producerSnapshot() {
        return LogFiles.of(path.resolveSibling(""), baseOffset, LogFiles.PRODUCER_SNAPSHOT);
    }

    boolean hasSuffix(String asked) {
        return suffix.equals(asked);
    }

    /** Renames the files, the log before its indexes. Open files and mappings stay good. */
    void rename(String newSuffix) throws IOException {
        Path directory = path.resolveSibling("");
        List<Path> before = paths();
        suffix = newSuffix;
        moved(directory);
        List<Path> after = paths();
        for (int i = 0; i < before.size(); i++) {
            if (disk.exists(before.get(i))) {
                disk.rename(before.get(i), after.get(i));
            }
        }
    }

    /** The log's folder was renamed. */
    void moved(Path directory) {
        path = LogFiles.of(directory, baseOffset, LogFiles.LOG + suffix);
        offsetIndex.moved(LogFiles.of(directory, baseOffset, LogFiles.OFFSET_INDEX + suffix));
        timeIndex.moved(LogFiles.of(directory, baseOffset, LogFiles.TIME_INDEX + suffix));
        transactionIndex.moved(LogFiles.of(directory, baseOffset, LogFiles.TRANSACTION_INDEX + suffix));
    }

    @Override
    public String toString() {
        return path + " (" + size + " bytes)";
    }

    /**
     * Where a batch lies.
     *
     * @param position its first byte in the file
     * @param sizeInBytes its whole size
     */
    record BatchLocation(int position, int sizeInBytes) {}
}
