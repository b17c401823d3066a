package io.tidemark.broker.coordinator;

/** The state machine of one coordinator partition. Deciding methods are its own; changing state is this one. */
public interface CoordinatorShard {
    /**
     * Changes the state as the record says; decides nothing, and is the only thing that changes state.
     *
     * @param offset the record's offset in the partition
     */
    void replay(long offset, CoordinatorRecord record);

    /** The partition is loaded and this node leads it: timers may be asked for from here on. */
    default void onLoaded(long nowMs) {}

    /** Leadership is lost: nothing that was pending will be answered by this shard. */
    default void onUnloaded() {}
}
