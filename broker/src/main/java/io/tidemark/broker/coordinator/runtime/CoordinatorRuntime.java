package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorLog;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.coordinator.TransactionalWriter;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.TransactionMarker;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one internal topic on this node.
 *
 * @param <S> the kind of shard
 */
public final class CoordinatorRuntime<S extends CoordinatorShard> {
    private final String topic;
    private final IntFunction<S> shards;
    private final CoordinatorLog log;
    private final ShardHost.Surroundings surroundings;
    private final SortedMap<Integer, ShardHost<S>> hosts = new TreeMap<>();
    private ShardObserver<S> observer = new ShardObserver<>() {};

    /**
     * @param topic the internal topic
     * @param shards makes the empty shard of a partition
     * @param codec how the topic's records look as bytes
     * @param commitTimeoutMs how long the records of a shard's own decisions, those by time, may take to be committed
     * @param loadBufferBytes how much of the log is read at a time while a shard loads
     */
    public CoordinatorRuntime(
            String topic,
            IntFunction<S> shards,
            RecordCodec codec,
            CoordinatorLog log,
            Loop loop,
            Clock clock,
            long commitTimeoutMs,
            int loadBufferBytes) {
        this.topic = topic;
        this.shards = shards;
        this.log = log;
        this.surroundings = new ShardHost.Surroundings(codec, log, loop, clock, commitTimeoutMs, loadBufferBytes);
    }

    /** Starts to follow the leaderships of the topic's partitions. */
    public void start() {
        log.listen(topic, new Leaderships());
    }

    /** As {@link #start()}, for shards that have effects: the observer takes them out. */
    public void start(ShardObserver<S> newObserver) {
        observer = newObserver;
        start();
    }

    private final class Leaderships implements CoordinatorLog.Listener {
        @Override
        public void onLeader(int partition, int leaderEpoch) {
            // Led anew in a higher epoch, the log is read anew: what was appended before may have been passed over.
            unload(partition);
            ShardHost<S> host = new ShardHost<>(
                    new TopicPartition(topic, partition), leaderEpoch, shards.apply(partition), surroundings, observer);
            hosts.put(partition, host);
            host.load();
        }

        @Override
        public void onNotLeader(int partition) {
            unload(partition);
        }

        @Override
        public void onHighWatermark(int partition, long highWatermark) {
            ShardHost<S> host = hosts.get(partition);
            if (host != null) {
                host.onHighWatermark(highWatermark);
            }
        }

        private void unload(int partition) {
            ShardHost<S> host = hosts.remove(partition);
            if (host != null) {
                host.unload();
                observer.onGone(partition);
            }
        }
    }

    /** The partitions whose shards this node runs, loading ones too. */
    public List<Integer> partitions() {
        return new ArrayList<>(hosts.keySet());
    }

    /** The topic's shard is here and loaded. */
    public boolean isActive(int partition) {
        return fault(partition) == ErrorCode.NONE;
    }

    /** The partition is of this topic, and what this node is to coordinate in a leader epoch is not read yet. */
    public boolean isLoading(TopicPartition partition, int leaderEpoch) {
        if (!partition.topic().equals(topic)) {
            return false;
        }
        ShardHost<S> host = hosts.get(partition.partition());
        return host == null || host.leaderEpoch() != leaderEpoch || host.isLoading();
    }

    /**
     * Lets the shard decide, appends its records, replays them, and replies when they are committed. A decision without
     * records is answered when what it saw is committed.
     *
     * @param timeoutMs after so long without a commit the completion gets COORDINATOR_NOT_AVAILABLE
     */
    public <R> void write(int partition, long timeoutMs, WriteOperation<S, R> operation, Completion<R> completion) {
        ShardHost<S> host = active(partition);
        if (host == null) {
            completion.onError(fault(partition));
        } else {
            host.write(timeoutMs, null, operation, completion);
        }
    }

    /**
     * As {@link #write}, but where too few replicas are in sync nothing is appended, and the completion gets
     * COORDINATOR_NOT_AVAILABLE at once instead of when its time is up.
     */
    public <R> void writeInSync(
            int partition, long timeoutMs, WriteOperation<S, R> operation, Completion<R> completion) {
        ShardHost<S> host = active(partition);
        if (host == null) {
            completion.onError(fault(partition));
        } else {
            host.writeInSync(timeoutMs, operation, completion);
        }
    }

    /**
     * As {@link #write}, in a producer's transaction: the records are in the log, and count when it is committed.
     *
     * @param writer whose transaction; INVALID_TXN_STATE where it may not write here, INVALID_PRODUCER_EPOCH where its
     *     epoch is over
     */
    public <R> void writeInTransaction(
            int partition,
            long timeoutMs,
            TransactionalWriter writer,
            WriteOperation<S, R> operation,
            Completion<R> completion) {
        ShardHost<S> host = active(partition);
        if (host == null) {
            completion.onError(fault(partition));
        } else {
            host.write(timeoutMs, writer, operation, completion);
        }
    }

    /**
     * Ends a producer's transaction in a partition.
     *
     * @param timeoutMs after so long without a commit the outcome is COORDINATOR_NOT_AVAILABLE
     * @param outcome called once: NONE when the marker is committed, else why it is not
     */
    public void endTransaction(int partition, TransactionMarker marker, long timeoutMs, Consumer<ErrorCode> outcome) {
        ShardHost<S> host = active(partition);
        if (host == null) {
            outcome.accept(fault(partition));
        } else {
            host.endTransaction(marker, timeoutMs, outcome::accept);
        }
    }

    /**
     * As {@link #write}, for a decision that answers several who wait, perhaps not the one who asked. All answers go when
     * the records are committed, or fail together.
     *
     * @param notRun told why, if nothing was decided
     */
    public void ask(
            int partition, long timeoutMs, WriteOperation<S, List<Answer<?>>> operation, Consumer<ErrorCode> notRun) {
        ShardHost<S> host = active(partition);
        if (host == null) {
            notRun.accept(fault(partition));
        } else if (!host.ask(timeoutMs, operation)) {
            notRun.accept(ErrorCode.UNKNOWN_SERVER_ERROR);
        }
    }

    /** Asks the shard at once; what it says may not be committed yet, unless the shard itself keeps that apart. */
    public <R> void read(int partition, ReadOperation<S, R> operation, Completion<R> completion) {
        ShardHost<S> host = active(partition);
        if (host == null) {
            completion.onError(fault(partition));
        } else {
            host.read(operation, completion);
        }
    }

    private @Nullable ShardHost<S> active(int partition) {
        ShardHost<S> host = hosts.get(partition);
        return host != null && host.isActive() ? host : null;
    }

    /** Why the shard cannot be asked, or NONE. */
    private ErrorCode fault(int partition) {
        ShardHost<S> host = hosts.get(partition);
        if (host == null || host.hasFailed()) {
            return ErrorCode.NOT_COORDINATOR;
        }
        return host.isActive() ? ErrorCode.NONE : ErrorCode.COORDINATOR_LOAD_IN_PROGRESS;
    }

    /** Decides on a shard. */
    @FunctionalInterface
    public interface WriteOperation<S, R> {
        CoordinatorResult<R> decide(S shard, long nowMs);
    }

    /** Looks at a shard; touches nothing that is in the log. */
    @FunctionalInterface
    public interface ReadOperation<S, R> {
        R ask(S shard, long nowMs);
    }
}
