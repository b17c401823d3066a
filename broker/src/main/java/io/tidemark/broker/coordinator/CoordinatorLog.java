package io.tidemark.broker.coordinator;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.types.TopicPartition;

/**
 * The partitions that a coordinator keeps its records in, as the node that leads them sees them. Every call names the
 * leader epoch that the caller believes in, and is refused when the node does not lead the partition in exactly that
 * epoch, so that a coordinator that has been replaced cannot write.
 *
 * <p>On the node's loop only.
 */
public interface CoordinatorLog {
    /**
     * Tells the listener of the partitions of a topic from now on, and at once of those that this node already leads.
     * One listener per topic.
     */
    void listen(String topic, Listener listener);

    /**
     * Appends one whole record batch as the leader, without waiting for followers. Either all of it is in the local log
     * when this returns, or none.
     *
     * @param batch a batch of format v2 with base offset 0; offsets, leader epoch and CRC are stamped here. The caller
     *     keeps its reference.
     * @throws CoordinatorLogException if nothing was appended
     */
    default Appended append(TopicPartition partition, int leaderEpoch, ByteBuf batch) throws CoordinatorLogException {
        return append(partition, leaderEpoch, batch, AppendTerms.of(AppendOrigin.COORDINATOR));
    }

    /** The same for a batch of a transaction, or for a marker, which are held to the rules of transactions. */
    Appended append(TopicPartition partition, int leaderEpoch, ByteBuf batch, AppendTerms terms)
            throws CoordinatorLogException;

    /**
     * Reads whole batches up to the log end, also those above the high watermark.
     *
     * @param startOffset where to start; a batch that begins before it is returned whole
     * @param maxBytes a wish: the first batch is returned even if it is larger
     * @return no bytes at the log end. Valid until the end of the current task of the loop
     * @throws CoordinatorLogException if the log cannot be read
     */
    Records read(TopicPartition partition, int leaderEpoch, long startOffset, int maxBytes)
            throws CoordinatorLogException;

    /**
     * True where fewer replicas are in sync than {@code min.insync.replicas}. What is appended then is not committed until
     * more of them are.
     *
     * @throws CoordinatorLogException if this node does not lead the partition in that epoch
     */
    boolean isUnderMinIsr(TopicPartition partition, int leaderEpoch) throws CoordinatorLogException;

    /** @throws CoordinatorLogException if this node does not lead the partition in that epoch */
    Bounds bounds(TopicPartition partition, int leaderEpoch) throws CoordinatorLogException;

    /**
     * Where an appended batch went.
     *
     * @param firstOffset the offset of its first record
     * @param endOffset the offset after its last record
     */
    record Appended(long firstOffset, long endOffset) {}

    /** A log's offsets. {@code logEndOffset} is exclusive; what lies below {@code highWatermark} is committed. */
    record Bounds(long logStartOffset, long highWatermark, long logEndOffset) {}

    /** Hears of the partitions of one topic. Called on the loop, never from within a call to the log. */
    interface Listener {
        /**
         * This node leads the partition from now on, and its log is ready to be read and written. Called again with a
         * higher epoch when the node goes on leading; no other node has written in between.
         */
        void onLeader(int partition, int leaderEpoch);

        /** This node does not lead the partition any more, or the partition is gone. */
        void onNotLeader(int partition);

        /** The high watermark of a led partition has moved on. */
        void onHighWatermark(int partition, long highWatermark);
    }
}
