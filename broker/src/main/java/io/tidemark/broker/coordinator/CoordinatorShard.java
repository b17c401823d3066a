package io.tidemark.broker.coordinator;

import java.util.List;

/**
 * The state machine of one coordinator partition. Deciding methods are its own and return
 * {@link CoordinatorResult}; what is in the log changes by {@link #replay} alone. A shard may also keep soft state that
 * is in no record (who waits, timers); that it changes as it decides, and loses at a failover.
 */
public interface CoordinatorShard {
    /** No deadline. */
    long NEVER = Long.MAX_VALUE;

    /**
     * Changes the state as the record says, and decides nothing.
     *
     * @param offset the record's offset in the partition
     */
    void replay(long offset, CoordinatorRecord record);

    /**
     * Takes note of a record that counts when its producer's transaction is committed, and never if it is aborted.
     *
     * @param offset the record's offset in the partition
     */
    default void replayInTransaction(long offset, long producerId, CoordinatorRecord record) {}

    /**
     * A producer's transaction has ended in this partition.
     *
     * @param offset the marker's offset
     */
    default void endTransaction(long offset, long producerId, boolean commit) {}

    /** Everything below this offset is committed: no failover can take it back. Never falls. */
    default void onCommitted(long endOffset) {}

    /** The partition is loaded and this node leads it: deadlines count from here on. */
    default void onLoaded(long nowMs) {}

    /**
     * Leadership is lost. The shard is dropped after this call.
     *
     * @return answers to those who still wait in the shard's soft state
     */
    default List<Answer<?>> onUnloaded() {
        return List.of();
    }

    /** When {@link #onDeadline} is next wanted, in milliseconds of wall time, or {@link #NEVER}. */
    default long nextDeadlineMs() {
        return NEVER;
    }

    /** Time has passed {@link #nextDeadlineMs()}. */
    default CoordinatorResult<List<Answer<?>>> onDeadline(long nowMs) {
        return CoordinatorResult.of(List.of());
    }
}
