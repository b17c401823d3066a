package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.index.AbortedTransaction;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.record.CodecMissingException;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.ProduceValidator;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordsRejectedException;
import io.tidemark.broker.record.TimestampType;
import io.tidemark.broker.record.VerificationGuard;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One partition's log. On the node's loop only, except where a method says otherwise. An {@link IOException} out of any
 * method is the disk's; the log must then be taken as offline.
 */
public final class PartitionLog {
    private static final NodeLog LOG = NodeLog.of(PartitionLog.class);

    /** In place of the offset up to which a log is compacted, where it never was. */
    public static final long NEVER_CLEANED = -1;

    private final LogEnvironment environment;
    private final TopicPartition partition;
    private Uuid topicId;
    private final LeaderEpochs epochs;
    private final ProducerStates producers;
    private final TransactionVerifications verifications = new TransactionVerifications();
    private final ProducerRules producerRules;
    private final ProducerSnapshots snapshots;
    private final LogSegments segments;
    private final LogDurability durability;
    private Path directory;
    private LogConfig config;
    private ProduceValidator validator;
    private long logStartOffset;
    private long logEndOffset;
    private long cleanedTo = NEVER_CLEANED;
    private @Nullable LogCleaning cleaning;

    /** Takes over open files, and learns of the producers from them. */
    PartitionLog(
            LogEnvironment environment, TopicPartition partition, Path directory, LogConfig config, LoadedLog files)
            throws IOException {
        this.environment = environment;
        this.partition = partition;
        this.directory = directory;
        this.config = config;
        this.validator = validatorFor(partition, config);
        this.topicId = files.topicId();
        this.epochs = files.epochs();
        this.snapshots = files.snapshots();
        this.producers = new ProducerStates(partition);
        this.producerRules = new ProducerRules(partition, producers, verifications);
        this.segments = new LogSegments(environment, files.segments());
        this.durability = new LogDurability(environment, partition, segments, files);
        this.logStartOffset = files.logStartOffset();
        this.logEndOffset = files.logEndOffset();
        rebuildProducers();
    }

    private static ProduceValidator validatorFor(TopicPartition partition, LogConfig config) {
        return new ProduceValidator(
                partition,
                new ProduceValidator.Rules(
                        config.maxMessageBytes(),
                        config.segmentBytes(),
                        config.compact(),
                        config.timestampType(),
                        config.timestampBeforeMaxMs(),
                        config.timestampAfterMaxMs()));
    }

    public TopicPartition topicPartition() {
        return partition;
    }

    /** The id in {@code partition.metadata}, or {@link Uuid#ZERO} where there is none. */
    public Uuid topicId() {
        return topicId;
    }

    /** Writes the id of a log that has none, as after a power loss that took its file. */
    void adoptTopicId(Uuid id) throws IOException {
        PartitionMetadata.write(environment.disk(), directory.resolve(LogFiles.PARTITION_METADATA), id);
        topicId = id;
        durability.onFolderChanged();
    }

    /** The folder; its name changes when the partition is deleted. */
    public Path directory() {
        return directory;
    }

    public LogConfig config() {
        return config;
    }

    /** From now on, new limits hold. */
    public void reconfigure(LogConfig newConfig) {
        config = newConfig;
        validator = validatorFor(partition, newConfig);
    }

    /** The first offset that may be read. */
    public long logStartOffset() {
        return logStartOffset;
    }

    /** The offset that the next record will get. */
    public long logEndOffset() {
        return logEndOffset;
    }

    /** Everything below is durable. */
    public long recoveryPoint() {
        return durability.recoveryPoint();
    }

    /** The bytes of all segments. */
    public long sizeInBytes() {
        return segments.sizeInBytes();
    }

    /**
     * How many bytes lie from the batch that holds an offset on; none from the log's end on.
     *
     * @throws OffsetOutOfRangeException if the offset is below the log's start
     */
    public long sizeInBytesFrom(long offset) throws IOException {
        if (offset >= logEndOffset) {
            return 0;
        }
        long bytes = read(offset, Integer.MAX_VALUE, Long.MAX_VALUE, false).sizeInBytes();
        for (LogSegment segment : segments.byBaseOffset().tailMap(offset, false).values()) {
            bytes += segment.sizeInBytes();
        }
        return bytes;
    }

    long firstSegmentOffset() {
        return segments.first().baseOffset();
    }

    /** The segments, for a close look. */
    LogSegments segments() {
        return segments;
    }

    /** The count of segments. */
    public int segmentCount() {
        return segments.count();
    }

    /**
     * Validates batches, gives them offsets and the leader epoch, and appends them. The buffer's bytes are changed in
     * place (offsets, epoch, with log append time also timestamps and checksum); its indexes are not. They are appended
     * as they are, unless the topic wants another compression than the client's.
     *
     * @param batches whole batches; a client sends exactly one
     * @param leaderEpoch the epoch under which this node leads; the caller has assigned its start
     * @throws RecordsRejectedException if a batch may not be appended; then none of them was
     */
    public AppendResult appendAsLeader(ByteBuf batches, int leaderEpoch, AppendTerms terms, long nowMs)
            throws IOException {
        List<RecordBatch> valid = validator.validate(batches, terms.origin(), nowMs);
        for (RecordBatch batch : valid) {
            ProducerState.Batch repeated = producerRules.check(batch, terms);
            if (repeated != null) {
                return repeatOf(repeated);
            }
        }
        if (terms.origin() == AppendOrigin.CLIENT) {
            RecordBatch batch = valid.get(0);
            CompressionType wanted = config.compression();
            if (wanted != null && wanted != batch.compressionType()) {
                ByteBuf stored = recompressed(batch, wanted);
                return appendStamped(stored, List.of(new RecordBatch(stored, 0)), leaderEpoch, nowMs);
            }
        }
        return appendStamped(batches, valid, leaderEpoch, nowMs);
    }

    /** As above, of one who is not held to the rules of transactions. */
    public AppendResult appendAsLeader(ByteBuf batches, int leaderEpoch, AppendOrigin origin, long nowMs)
            throws IOException {
        return appendAsLeader(batches, leaderEpoch, AppendTerms.of(origin), nowMs);
    }

    private ByteBuf recompressed(RecordBatch batch, CompressionType type) {
        try {
            return RecordBatchBuilder.recompressed(batch, type);
        } catch (CodecMissingException e) {
            throw new RecordsRejectedException(
                    ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, "In " + partition + ": " + e.getMessage());
        } catch (CorruptBatchException e) {
            throw new RecordsRejectedException(ErrorCode.INVALID_RECORD, "In " + partition + ": " + e.getMessage());
        }
    }

    private AppendResult appendStamped(ByteBuf batches, List<RecordBatch> valid, int leaderEpoch, long nowMs)
            throws IOException {
        long next = logEndOffset;
        for (RecordBatch batch : valid) {
            batch.stamp(next, leaderEpoch);
            next = batch.nextOffset();
        }
        long appendTimeMs = config.timestampType() == TimestampType.LOG_APPEND_TIME ? nowMs : RecordBatch.NO_TIMESTAMP;
        return append(batches, batches.readableBytes(), valid, appendTimeMs, nowMs);
    }

    private AppendResult repeatOf(ProducerState.Batch known) {
        boolean appendTime = config.timestampType() == TimestampType.LOG_APPEND_TIME;
        return new AppendResult(
                known.baseOffset(),
                known.lastOffset(),
                appendTime ? known.timestamp() : RecordBatch.NO_TIMESTAMP,
                logStartOffset,
                known.timestamp(),
                0,
                true);
    }

    /**
     * Appends batches as a leader sent them: offsets and epochs stand. A batch that is cut off at the end is left out,
     * as are batches of a leader epoch above {@code leaderEpoch}, which come from a leader that is not ours.
     *
     * @param leaderEpoch the epoch of the leader that was fetched from
     * @throws CorruptBatchException if a batch is damaged or out of order; then none of them was appended
     */
    public AppendResult appendAsFollower(ByteBuf batches, int leaderEpoch, long nowMs) throws IOException {
        ReplicatedBatches taken =
                ReplicatedBatches.take(partition, batches, leaderEpoch, logEndOffset, segments.sizeInBytes() == 0);
        if (taken.startsBelow(logEndOffset)) {
            // An empty log whose first batch begins before its start.
            endCleaning();
            segments.restartAt(directory, taken.batches().get(0).baseOffset(), config, nowMs);
        }
        return append(batches, taken.sizeInBytes(), taken.batches(), RecordBatch.NO_TIMESTAMP, nowMs);
    }

    private AppendResult append(ByteBuf source, int bytes, List<RecordBatch> batches, long appendTimeMs, long nowMs)
            throws IOException {
        if (batches.isEmpty()) {
            return new AppendResult(
                    logEndOffset, logEndOffset - 1, appendTimeMs, logStartOffset, RecordBatch.NO_TIMESTAMP, 0, false);
        }
        long firstOffset = batches.get(0).baseOffset();
        long lastOffset = batches.get(batches.size() - 1).lastOffset();
        long maxTimestamp = RecordBatch.NO_TIMESTAMP;
        for (RecordBatch batch : batches) {
            maxTimestamp = Math.max(maxTimestamp, batch.maxTimestamp());
            assignEpochStart(batch.partitionLeaderEpoch(), batch.baseOffset());
        }
        if (segments.active().shouldRoll(bytes, maxTimestamp, lastOffset, config, nowMs)) {
            rollAt(Math.max(firstOffset, logEndOffset), nowMs);
        }
        durability.onAppended(nowMs);
        segments.active().append(source, source.readerIndex(), bytes, batches);
        logEndOffset = lastOffset + 1;
        for (RecordBatch batch : batches) {
            if (batch.hasProducerId()) {
                CompletedTransaction completed = producers.append(batch, EndTransactionMarker.of(batch));
                if (batch.isTransactional()) {
                    verifications.clear(batch.producerId());
                }
                if (completed != null && completed.aborted()) {
                    segments.active().noteAborted(completed.toIndexEntry());
                }
            }
        }
        if (logEndOffset - recoveryPoint() >= config.flushMessages()) {
            flush();
        }
        return new AppendResult(firstOffset, lastOffset, appendTimeMs, logStartOffset, maxTimestamp, bytes, false);
    }

    /**
     * The batches from the one that holds {@code startOffset} on, out of one segment, so that less than asked for may
     * come even though there is more. Starts with a whole batch, whose first records may lie before the offset.
     *
     * @param maxBytes how much at most; the end may fall inside a batch, but not inside the first
     * @param upperBoundOffset no batch that reaches this offset is returned
     * @param minOneBatch returns the first batch whole, even where it is larger than {@code maxBytes} (KIP-74)
     * @return empty at the log's end, where the bound leaves nothing, and where the first batch is too large
     * @throws OffsetOutOfRangeException if the offset is below the log's start or above its end
     */
    public LogSlice read(long startOffset, int maxBytes, long upperBoundOffset, boolean minOneBatch)
            throws IOException {
        if (startOffset < logStartOffset || startOffset > logEndOffset) {
            throw new OffsetOutOfRangeException(partition, startOffset, logStartOffset, logEndOffset);
        }
        if (startOffset >= Math.min(upperBoundOffset, logEndOffset)) {
            return LogSlice.EMPTY;
        }
        return segments.read(
                startOffset, maxBytes, upperBoundOffset < logEndOffset ? upperBoundOffset : null, minOneBatch);
    }

    /**
     * The aborted transactions that a reader of read-committed must know of to leave out their records: all that have a
     * record among those of a slice, in the order of their markers.
     *
     * @param startOffset where the slice was read from
     */
    public List<AbortedTransaction> abortedTransactions(long startOffset, LogSlice slice) throws IOException {
        List<AbortedTransaction> candidates = segments.abortedTransactions(startOffset, logEndOffset);
        if (candidates.isEmpty()) {
            // As nearly always; else the slice's end is worth a look at its headers.
            return candidates;
        }
        return segments.abortedTransactions(startOffset, slice.endOffset(startOffset));
    }

    /** The newest leader epoch that the log knows a start of. */
    public OptionalInt latestEpoch() {
        return epochs.latest();
    }

    /** The leader epoch of the record at an offset. */
    public OptionalInt epochForOffset(long offset) {
        return epochs.epochFor(offset);
    }

    /** The answer to OffsetForLeaderEpoch: the greatest epoch not above the asked one, and where it ends (KIP-279). */
    public EpochEndOffset endOffsetForEpoch(int leaderEpoch) {
        return epochs.endOffsetFor(leaderEpoch, logEndOffset);
    }

    /**
     * Writes down that an epoch starts at an offset, before anything is appended in it. Does nothing where the epoch is
     * known already; entries that contradict it are removed.
     */
    public void assignEpochStart(int leaderEpoch, long startOffset) throws IOException {
        if (epochs.assign(leaderEpoch, startOffset)) {
            durability.onFolderChanged();
        }
    }

    /**
     * Cuts the log so that it ends at an offset, or at the start of the batch that holds it. Starts the log anew at the
     * offset where that lies below its first segment.
     *
     * <p>A leader epoch that starts at the log's end goes in any case: this node was its leader and wrote nothing in it,
     * so another history may be about to follow.
     *
     * @return true where any record was cut
     */
    public boolean truncateTo(long offset) throws IOException {
        if (offset < 0) {
            throw new IllegalArgumentException("Log of " + partition + " cannot be cut at offset " + offset);
        }
        if (offset >= logEndOffset) {
            epochs.truncateTo(logEndOffset);
            return false;
        }
        if (offset < segments.first().baseOffset()) {
            truncateFullyAndStartAt(offset);
            return true;
        }
        endCleaning();
        durability.cutAt(offset);
        durability.onFolderChanged();
        logEndOffset = segments.truncateTo(offset, directory, config);
        cleanedTo = Math.min(cleanedTo, logEndOffset);
        logStartOffset = Math.min(logStartOffset, logEndOffset);
        durability.cutAt(logEndOffset);
        epochs.truncateTo(logEndOffset);
        snapshots.deleteAbove(logEndOffset);
        rebuildProducers();
        return true;
    }

    /** Throws everything away, and starts at an offset. */
    public void truncateFullyAndStartAt(long offset) throws IOException {
        endCleaning();
        cleanedTo = Math.min(cleanedTo, offset);
        durability.cutAt(Math.min(offset, segments.first().baseOffset()));
        // Before the segments: one that is left at the new start would be taken for what comes before it.
        snapshots.deleteAll();
        segments.restartAt(directory, offset, config, segments.active().createdMs());
        epochs.clear();
        producers.clear();
        logStartOffset = offset;
        logEndOffset = offset;
        durability.onFolderChanged();
    }

    private void rebuildProducers() throws IOException {
        snapshots.deleteAbove(logEndOffset);
        snapshots.rebuild(producers, segments.byBaseOffset());
    }

    /**
     * Raises the log's start; segments that lie below it may go from then on. Does nothing for a lower offset.
     *
     * @return true where the start moved
     * @throws OffsetOutOfRangeException if the offset is above the log's end
     */
    public boolean incrementLogStartOffset(long newLogStartOffset) throws IOException {
        if (newLogStartOffset > logEndOffset) {
            throw new OffsetOutOfRangeException(partition, newLogStartOffset, logStartOffset, logEndOffset);
        }
        if (newLogStartOffset <= logStartOffset) {
            return false;
        }
        logStartOffset = newLogStartOffset;
        epochs.startAt(newLogStartOffset);
        return true;
    }

    /** The first record of this timestamp or a later one; null where there is none. */
    public @Nullable TimestampedOffset offsetForTimestamp(long timestamp) throws IOException {
        return segments.offsetForTimestamp(timestamp, logStartOffset);
    }

    /** The first record of the greatest timestamp; null in an empty log. */
    public @Nullable TimestampedOffset maxTimestampOffset() throws IOException {
        return segments.maxTimestampOffset(logStartOffset);
    }

    /**
     * The first offset that read-committed may not see: where the first transaction starts that is open, or whose marker
     * the high watermark has not passed; else the high watermark.
     */
    public long lastStableOffset(long highWatermark) {
        // What a transaction began with may have been deleted since.
        return Math.max(producers.lastStableOffset(highWatermark), Math.min(logStartOffset, highWatermark));
    }

    /**
     * What an append of transactional records is to show, so that no transaction begins here that its coordinator does
     * not know of (KIP-890): the coordinator is to be asked in between. {@link VerificationGuard#NONE} where one is open
     * already, and nobody need be asked.
     *
     * @param startsAtZero whether a producer that is not known must start at sequence 0, as on transactions version 2
     * @throws RecordsRejectedException if the producer's epoch is over
     */
    public VerificationGuard startVerification(
            long producerId, short producerEpoch, int baseSequence, boolean startsAtZero, long nowMs) {
        return producerRules.startVerification(producerId, producerEpoch, baseSequence, startsAtZero, nowMs);
    }

    /** The producers that have written here, as they stand. */
    ProducerStates producers() {
        return producers;
    }

    /** Makes the whole log durable and moves the recovery point to its end. Blocks. */
    public void flush() throws IOException {
        if (!durability.isDurableUpTo(logEndOffset)) {
            flushed(durability.flushWork(directory, logEndOffset).call());
        }
    }

    /**
     * The same as {@link #flush}, to be run beside the loop: the call makes what was appended until now durable and
     * returns the offset up to which it did, which then goes to {@link #flushed} on the loop.
     */
    public Callable<Long> flushWork() {
        return durability.flushWork(directory, logEndOffset);
    }

    /** Whether something was appended that {@code flush.ms} wants to be durable by now. */
    public boolean isFlushDue(long nowMs) {
        return durability.waitedMs(logEndOffset, nowMs) >= config.flushMs();
    }

    /** Moves the recovery point, as far as the log still reaches. */
    public void flushed(long offset) {
        durability.flushed(offset, logEndOffset);
    }

    /** Starts a new segment, unless the newest is empty. */
    public void roll(long nowMs) throws IOException {
        if (segments.active().sizeInBytes() > 0) {
            rollAt(logEndOffset, nowMs);
        }
    }

    private void rollAt(long baseOffset, long nowMs) throws IOException {
        if (segments.count() == 1) {
            durability.forceSegmentNames(directory);
        }
        durability.onSegmentNamesChanged();
        segments.roll(directory, baseOffset, config, nowMs);
        // Also where there are no producers: it says so to the next start, which else has to look for them.
        snapshots.write(baseOffset, producers);
    }

    /**
     * Removes old segments as {@code retention.ms}, {@code retention.bytes} and the log's start tell; never above the
     * high watermark. The log's start moves with them.
     *
     * @return the count of segments removed; none while the log is being compacted
     */
    public int applyRetention(long highWatermark, long nowMs) throws IOException {
        if (cleaning != null) {
            // What is to go now may be what is just made smaller; its time comes with the next call.
            return 0;
        }
        Retention retention = new Retention(config, highWatermark, nowMs);
        int removed = 0;
        while (retention.isOver(segments, logStartOffset, logEndOffset)) {
            if (segments.count() == 1) {
                rollAt(logEndOffset, nowMs);
            }
            durability.forceSegmentNames(directory);
            durability.onSegmentNamesChanged();
            segments.removeFirst(config.fileDeleteDelayMs());
            incrementLogStartOffset(Math.max(logStartOffset, segments.first().baseOffset()));
            removed++;
        }
        if (removed > 0) {
            snapshots.prune(segments.byBaseOffset());
        }
        return removed;
    }

    /**
     * Forgets producers that have been silent for longer than that, whether what they wrote is still there or not
     * (KIP-360).
     *
     * @param expirationMs {@code producer.id.expiration.ms}
     */
    public void expireProducers(long nowMs, long expirationMs) {
        long olderThanMs = nowMs - expirationMs;
        producers.expire(olderThanMs);
        verifications.expire(olderThanMs);
    }

    /** The producers that are remembered, in the order of their ids. */
    public List<ActiveProducer> activeProducers() {
        return producers.active();
    }

    /** Flushes, completes the indexes and closes every file. */
    void close() throws IOException {
        endCleaning();
        flush();
        if (logEndOffset > 0) {
            snapshots.write(logEndOffset, producers);
            snapshots.prune(segments.byBaseOffset());
        }
        segments.active().seal();
        if (durability.indexesUnforced()) {
            // They are believed at the next start, like everything that an orderly close leaves.
            segments.active().forceIndexes();
            environment.disk().forceDirectory(directory);
        }
        release();
    }

    /** Closes every file as it is. */
    void release() throws IOException {
        LogCleaning running = cleaning;
        cleaning = null;
        if (running != null) {
            running.abandon();
        }
        segments.release();
    }

    // --- compaction

    /** The first offset that compaction has not looked at yet, {@link #NEVER_CLEANED} where it never ran. */
    public long cleanedTo() {
        return cleanedTo;
    }

    /** Compaction is done up to an offset. */
    public void cleanedTo(long offset) {
        cleanedTo = Math.min(offset, logEndOffset);
    }

    /** The segments as they are now, the active one last. */
    public List<SegmentSource> segmentSources() {
        return LogCleaning.sources(segments, logEndOffset);
    }

    /**
     * Hands the closed segments to a cleaner.
     *
     * @throws IllegalStateException if another one has them
     */
    public LogCleaning startCleaning() {
        if (cleaning != null) {
            throw new IllegalStateException("Log of " + partition + " is being compacted already");
        }
        LogCleaning started = new LogCleaning(environment, this, segments, producers);
        cleaning = started;
        return started;
    }

    /** Whether a cleaner has the closed segments. */
    public boolean isBeingCleaned() {
        return cleaning != null;
    }

    private void endCleaning() {
        LogCleaning running = cleaning;
        if (running != null) {
            running.end();
        }
    }

    void onCleaningEnded() {
        cleaning = null;
    }

    /** From here on the log may have holes, which the next start must not take for damage. */
    void beforeSegmentsAreReplaced() throws IOException {
        if (cleanedTo == NEVER_CLEANED) {
            cleanedTo = segments.first().baseOffset();
            environment.compactedLogs().write();
        }
    }

    void onSegmentsReplaced() throws IOException {
        durability.onFolderChanged();
        snapshots.prune(segments.byBaseOffset());
    }

    void warnOfLeftovers(IOException cause) {
        LOG.warn("Left to the next start to delete what compaction of {} had made", partition, cause);
    }

    /** The folder was renamed; open files stay open. */
    void moved(Path newDirectory) {
        endCleaning();
        directory = newDirectory;
        segments.moved(newDirectory);
        snapshots.moved(newDirectory);
        epochs.moved(newDirectory.resolve(LogFiles.LEADER_EPOCHS));
    }

    /** The starts of the leader epochs, by epoch. */
    public Map<Integer, Long> epochStarts() {
        return epochs.entries();
    }

    @Override
    public String toString() {
        return "PartitionLog[" + partition + ", " + logStartOffset + " to " + logEndOffset + ", in " + directory + "]";
    }
}
