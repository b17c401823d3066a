package io.tidemark.broker.transaction.markers;

import io.tidemark.broker.transaction.TransactionEffect.SendMarkers;
import io.tidemark.broker.types.TopicPartition;
import java.util.Set;
import java.util.TreeSet;

/** A transaction whose markers are being written. */
final class EndingTransaction {
    private final int coordinatorPartition;
    private final int coordinatorEpoch;
    private final SendMarkers markers;
    private final Set<TopicPartition> missing;
    private boolean isDropped;

    /**
     * @param coordinatorPartition the partition of {@code __transaction_state} that the id is on
     * @param coordinatorEpoch the leader epoch of that partition, which fences older coordinators
     */
    EndingTransaction(int coordinatorPartition, int coordinatorEpoch, SendMarkers markers) {
        this.coordinatorPartition = coordinatorPartition;
        this.coordinatorEpoch = coordinatorEpoch;
        this.markers = markers;
        this.missing = new TreeSet<>(markers.partitions());
    }

    int coordinatorPartition() {
        return coordinatorPartition;
    }

    int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    SendMarkers markers() {
        return markers;
    }

    /** @return true if that was the last one */
    boolean onWritten(TopicPartition partition) {
        return missing.remove(partition) && missing.isEmpty();
    }

    Set<TopicPartition> written() {
        Set<TopicPartition> written = new TreeSet<>(markers.partitions());
        written.removeAll(missing);
        return written;
    }

    boolean isWritten() {
        return missing.isEmpty();
    }

    /** Nobody waits for it any more. */
    void drop() {
        isDropped = true;
    }

    boolean isDropped() {
        return isDropped;
    }
}
