package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.coordinator.CoordinatorLog;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import java.util.function.IntFunction;

/**
 * The shards of one internal topic on this node.
 *
 * @param <S> the kind of shard
 */
public final class CoordinatorRuntime<S extends CoordinatorShard> {
    /**
     * @param topic the internal topic
     * @param shards makes the empty shard of a partition
     * @param codec how the topic's records look as bytes
     */
    public CoordinatorRuntime(
            String topic, IntFunction<S> shards, RecordCodec codec, CoordinatorLog log, Loop loop, Clock clock) {
        throw new UnsupportedOperationException();
    }

    /** Starts to follow the leaderships of the topic's partitions. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /**
     * Lets the shard decide, appends its records, replays them, and replies when they are committed. A decision without
     * records is answered when what it saw is committed.
     *
     * @param timeoutMs after so long without a commit the completion gets REQUEST_TIMED_OUT
     */
    public <R> void write(int partition, long timeoutMs, WriteOperation<S, R> operation, Completion<R> completion) {
        throw new UnsupportedOperationException();
    }

    /** Asks the shard at once; what it says may not be committed yet, unless the shard itself keeps that apart. */
    public <R> void read(int partition, ReadOperation<S, R> operation, Completion<R> completion) {
        throw new UnsupportedOperationException();
    }

    @FunctionalInterface
    public interface WriteOperation<S, R> {
        CoordinatorResult<R> decide(S shard, long nowMs);
    }

    @FunctionalInterface
    public interface ReadOperation<S, R> {
        R ask(S shard, long nowMs);
    }
}
