package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordsRejectedException;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One partition's log. On the node's loop only, except where a method says otherwise. An {@link IOException} out of any
 * method is the disk's; the log must then be taken as offline.
 */
public final class PartitionLog {
    private PartitionLog() {}

    public TopicPartition topicPartition() {
        throw new UnsupportedOperationException();
    }

    /** The id in {@code partition.metadata}, or {@link Uuid#ZERO} where there is none (the metadata log). */
    public Uuid topicId() {
        throw new UnsupportedOperationException();
    }

    /** The folder; its name changes when the partition is deleted. */
    public Path directory() {
        throw new UnsupportedOperationException();
    }

    public LogConfig config() {
        throw new UnsupportedOperationException();
    }

    /** From now on, new limits hold. */
    public void reconfigure(LogConfig newConfig) {
        throw new UnsupportedOperationException();
    }

    /** The first offset that may be read. */
    public long logStartOffset() {
        throw new UnsupportedOperationException();
    }

    /** The offset that the next record will get. */
    public long logEndOffset() {
        throw new UnsupportedOperationException();
    }

    /** Everything below is durable. */
    public long recoveryPoint() {
        throw new UnsupportedOperationException();
    }

    /** The bytes of all segments. */
    public long sizeInBytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * Validates batches, gives them offsets and the leader epoch, and appends them. The buffer's bytes are changed in
     * place (offsets, epoch, with log append time also timestamps and checksum); its indexes are not.
     *
     * @param batches whole batches; a client sends exactly one
     * @param leaderEpoch the epoch under which this node leads; the caller has assigned its start
     * @throws RecordsRejectedException if a batch may not be appended; then none of them was
     */
    public AppendResult appendAsLeader(ByteBuf batches, int leaderEpoch, AppendOrigin origin, long nowMs)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Appends batches as a leader sent them: offsets and epochs stand. A batch that is cut off at the end is left out,
     * as are batches of a leader epoch above {@code leaderEpoch}, which come from a leader that is not ours.
     *
     * @param leaderEpoch the epoch of the leader that was fetched from
     * @throws io.tidemark.broker.record.CorruptBatchException if a batch is damaged or out of order; then none of them
     *     was appended
     */
    public AppendResult appendAsFollower(ByteBuf batches, int leaderEpoch, long nowMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * The batches from the one that holds {@code startOffset} on, out of one segment, so that less than asked for may
     * come even though there is more. Starts with a whole batch, whose first records may lie before the offset.
     *
     * @param maxBytes how much at most; the end may fall inside a batch
     * @param upperBoundOffset no batch that reaches this offset is returned
     * @param minOneBatch returns the first batch whole, even where it is larger than {@code maxBytes} (KIP-74)
     * @return empty at the log's end and where the bound leaves nothing
     * @throws OffsetOutOfRangeException if the offset is below the log's start or above its end
     */
    public LogSlice read(long startOffset, int maxBytes, long upperBoundOffset, boolean minOneBatch)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The newest leader epoch that the log knows a start of. */
    public OptionalInt latestEpoch() {
        throw new UnsupportedOperationException();
    }

    /** The leader epoch of the record at an offset. */
    public OptionalInt epochForOffset(long offset) {
        throw new UnsupportedOperationException();
    }

    /** The answer to OffsetForLeaderEpoch: the greatest epoch not above the asked one, and where it ends (KIP-279). */
    public EpochEndOffset endOffsetForEpoch(int leaderEpoch) {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes down that an epoch starts at an offset, before anything is appended in it. Does nothing where the epoch is
     * known already; entries that contradict it are removed.
     */
    public void assignEpochStart(int leaderEpoch, long startOffset) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Cuts the log so that it ends at an offset, or at the start of the batch that holds it. Starts the log anew at the
     * offset where that lies below its first segment.
     *
     * @return true where anything was cut
     */
    public boolean truncateTo(long offset) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Throws everything away, and starts at an offset. */
    public void truncateFullyAndStartAt(long offset) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Raises the log's start; segments that lie below it may go from then on. Does nothing for a lower offset.
     *
     * @return true where the start moved
     * @throws OffsetOutOfRangeException if the offset is above the log's end
     */
    public boolean incrementLogStartOffset(long newLogStartOffset) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The first record of this timestamp or a later one; null where there is none. */
    public @Nullable TimestampedOffset offsetForTimestamp(long timestamp) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** The first record of the greatest timestamp; null in an empty log. */
    public @Nullable TimestampedOffset maxTimestampOffset() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * The first offset that read-committed may not see: where the first transaction starts that is open, or whose marker
     * the high watermark has not passed; else the high watermark.
     */
    public long lastStableOffset(long highWatermark) {
        throw new UnsupportedOperationException();
    }

    /** Makes the whole log durable and moves the recovery point to its end. Blocks. */
    public void flush() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * The same as {@link #flush}, to be run beside the loop: the call makes what was appended until now durable and
     * returns the offset up to which it did, which then goes to {@link #flushed} on the loop.
     */
    public Callable<Long> flushWork() {
        throw new UnsupportedOperationException();
    }

    /** Moves the recovery point, as far as the log still reaches. */
    public void flushed(long offset) {
        throw new UnsupportedOperationException();
    }

    /** Starts a new segment, unless the newest is empty. */
    public void roll(long nowMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Removes old segments as {@code retention.ms}, {@code retention.bytes} and the log's start tell; never above the
     * high watermark. The log's start moves with them.
     *
     * @return the count of segments removed
     */
    public int applyRetention(long highWatermark, long nowMs) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Forgets producers that have been silent for longer than {@code producer.id.expiration.ms}. */
    public void expireProducers(long nowMs) {
        throw new UnsupportedOperationException();
    }
}
