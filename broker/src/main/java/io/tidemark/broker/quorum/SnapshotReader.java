package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MetadataRecordSerde;
import io.tidemark.broker.protocol.message.SnapshotHeaderRecord;
import io.tidemark.broker.quorum.SnapshotWriter.QuorumState;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.record.ControlRecordType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a snapshot file, batch by batch: never more in memory than the file's largest batch. Whatever is in the file,
 * the outcome is a snapshot or a {@link CorruptSnapshotException}. May be used from any thread, by one at a time.
 */
final class SnapshotReader {
    private final Disk disk;
    private final Path file;

    private final List<ApiMessage> batchRecords = new ArrayList<>();
    private long nextOffset;
    private @Nullable Long timestampMs;
    private short kraftVersion;
    private @Nullable VoterSet voters;
    private boolean isAtEnd;

    SnapshotReader(Disk disk, Path file) {
        this.disk = disk;
        this.file = file;
    }

    /**
     * A snapshot.
     *
     * @param image the metadata up to its end
     * @param lastTimestampMs the timestamp of the last record that it stands for
     * @param quorum the voters, where they are in the log
     * @param sizeInBytes of the file
     */
    record Snapshot(MetadataImage image, long lastTimestampMs, QuorumState quorum, long sizeInBytes) {}

    /**
     * The whole of a snapshot.
     *
     * @throws CorruptSnapshotException if it is damaged or not whole
     */
    Snapshot read(SnapshotId id) throws IOException {
        MetadataDelta delta = new MetadataDelta(MetadataImage.EMPTY);
        long size = readAll(record -> delta.replay(id.endOffset() - 1, id.leaderEpoch(), record));
        delta.advance(id.endOffset() - 1, id.leaderEpoch());
        return new Snapshot(delta.apply(), timestamp(), new QuorumState(kraftVersion, voters), size);
    }

    /** A file that a folder was formatted with: records that are to be written to the log, and who votes first. */
    Formatted readFormatted() throws IOException {
        List<ApiMessage> records = new ArrayList<>();
        readAll(records::add);
        return new Formatted(records, new QuorumState(kraftVersion, voters));
    }

    /**
     * What a folder was formatted with.
     *
     * @param records what a new cluster starts with, empty where that is elsewhere
     * @param quorum the voters, where they are in the log
     */
    record Formatted(List<ApiMessage> records, QuorumState quorum) {}

    /** What a snapshot's first batch tells of the last record that it stands for. */
    long readTimestamp() throws IOException {
        try (DiskFile open = disk.openReadOnly(file)) {
            takeIn(batchAt(open, 0, open.size()), record -> {});
        }
        return timestamp();
    }

    private long timestamp() throws IOException {
        if (timestampMs == null) {
            throw new CorruptSnapshotException(file, "it has no header");
        }
        return timestampMs;
    }

    private long readAll(Consumer<ApiMessage> records) throws IOException {
        try (DiskFile open = disk.openReadOnly(file)) {
            long size = open.size();
            long position = 0;
            while (position < size) {
                if (isAtEnd) {
                    throw new CorruptSnapshotException(
                            file, "at byte " + position + " it goes on after its footer, to byte " + size);
                }
                RecordBatch batch = batchAt(open, position, size);
                takeIn(batch, records);
                position += batch.sizeInBytes();
            }
            timestamp();
            if (!isAtEnd) {
                throw new CorruptSnapshotException(file, "it ends at byte " + size + " without a footer");
            }
            return size;
        }
    }

    private RecordBatch batchAt(DiskFile open, long position, long size) throws IOException {
        ByteBuffer overhead = ByteBuffer.allocate(RecordBatch.LOG_OVERHEAD_BYTES);
        readFully(open, overhead, position, size);
        long length = RecordBatch.LOG_OVERHEAD_BYTES + (long) overhead.getInt(Long.BYTES);
        if (length < RecordBatch.HEADER_BYTES || length > size - position) {
            throw new CorruptSnapshotException(
                    file, "at byte " + position + " of " + size + " a batch says that it is " + length + " bytes long");
        }
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        readFully(open, bytes, position, size);
        RecordBatch batch = new RecordBatch(Unpooled.wrappedBuffer(bytes.flip()), 0);
        if (!batch.isValid()) {
            throw new CorruptSnapshotException(
                    file, "the batch at byte " + position + " is not what its checksum says");
        }
        if (batch.baseOffset() != nextOffset) {
            throw new CorruptSnapshotException(
                    file,
                    "at byte " + position + " a batch starts at offset " + batch.baseOffset() + "; expected "
                            + nextOffset);
        }
        nextOffset = batch.nextOffset();
        return batch;
    }

    private void readFully(DiskFile open, ByteBuffer target, long position, long size) throws IOException {
        int wanted = target.remaining();
        int count = open.read(target, position);
        if (count < wanted) {
            throw new CorruptSnapshotException(
                    file,
                    "at byte " + position + " of " + size + " it has " + Math.max(0, count) + " bytes; expected "
                            + wanted);
        }
    }

    private void takeIn(RecordBatch batch, Consumer<ApiMessage> records) throws IOException {
        try {
            if (timestampMs == null && !batch.isControl()) {
                throw new CorruptSnapshotException(file, "it has records before its header");
            }
            // A batch counts as a whole or not at all.
            batchRecords.clear();
            for (LogRecord record : batch.records()) {
                if (batch.isControl()) {
                    control(record);
                } else {
                    ByteBuf value = record.value();
                    if (value == null) {
                        throw new CorruptSnapshotException(
                                file, "its record at offset " + record.offset() + " has no value");
                    }
                    batchRecords.add(MetadataRecordSerde.read(value).message());
                }
            }
            batchRecords.forEach(records);
        } catch (CorruptBatchException | InvalidMessageException | IllegalStateException e) {
            throw new CorruptSnapshotException(
                    file, "in the batch at offset " + batch.baseOffset() + ": " + e.getMessage(), e);
        }
    }

    private void control(LogRecord record) throws CorruptSnapshotException {
        ControlRecordType type = ControlRecordType.of(record);
        ByteBuf value = record.value();
        if (type == null || value == null) {
            return;
        }
        switch (type) {
            case SNAPSHOT_HEADER ->
                timestampMs = read(new SnapshotHeaderRecord(), value).lastContainedLogTimestamp();
            case SNAPSHOT_FOOTER -> isAtEnd = true;
            case KRAFT_VERSION -> kraftVersion = VoterRecords.readKraftVersion(value);
            case KRAFT_VOTERS -> voters = VoterRecords.readVoters(value);
            default ->
                throw new CorruptSnapshotException(
                        file, "its record at offset " + record.offset() + " is a " + type + " record");
        }
    }

    private static <T extends ApiMessage> T read(T message, ByteBuf value) {
        message.read(new MessageReader(value), message.lowestSupportedVersion());
        return message;
    }
}
