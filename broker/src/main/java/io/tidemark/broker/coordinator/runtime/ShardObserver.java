package io.tidemark.broker.coordinator.runtime;

/**
 * Takes the effects of shards out of them. Called on the loop, after the shard has decided, its records have been
 * committed or it was loaded; it may use the runtime.
 *
 * @param <S> the kind of shard
 */
public interface ShardObserver<S> {
    /**
     * @param leaderEpoch the epoch in which this node leads the shard's partition
     */
    default void onTurn(int partition, int leaderEpoch, S shard) {}

    /** This node does not run the shard any more, or runs it anew. */
    default void onGone(int partition) {}
}
