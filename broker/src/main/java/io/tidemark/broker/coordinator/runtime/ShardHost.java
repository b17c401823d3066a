package io.tidemark.broker.coordinator.runtime;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorLog;
import io.tidemark.broker.coordinator.CoordinatorLogException;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.coordinator.TransactionalWriter;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime.ReadOperation;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime.WriteOperation;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.TransactionMarker;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One shard for the time of one leadership.
 *
 * <pre>
 *   LOADING ---> ACTIVE ---> UNLOADED
 *      |            |
 *      +--> FAILED <+     until leadership is lost, or given anew
 * </pre>
 */
final class ShardHost<S extends CoordinatorShard> {
    private static final NodeLog LOG = NodeLog.of(ShardHost.class);

    private enum Phase {
        LOADING,
        ACTIVE,
        FAILED,
        UNLOADED
    }

    /** What a host works with; the same for all of a runtime. */
    record Surroundings(
            RecordCodec codec, CoordinatorLog log, Loop loop, Clock clock, long commitTimeoutMs, int loadBufferBytes) {}

    private final TopicPartition partition;
    private final int leaderEpoch;
    private final S shard;
    private final Surroundings with;
    private final ShardObserver<S> observer;
    private final CommitQueue commits;
    private Phase phase = Phase.LOADING;
    private long highWatermark;
    private long writtenOffset;
    private Loop.@Nullable Timer deadlineTimer;
    private long deadlineTimerAtMs = CoordinatorShard.NEVER;

    ShardHost(
            TopicPartition partition, int leaderEpoch, S shard, Surroundings surroundings, ShardObserver<S> observer) {
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.shard = shard;
        this.with = surroundings;
        this.observer = observer;
        this.commits = new CommitQueue(surroundings.loop());
    }

    boolean isActive() {
        return phase == Phase.ACTIVE;
    }

    boolean isLoading() {
        return phase == Phase.LOADING;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    boolean hasFailed() {
        return phase == Phase.FAILED;
    }

    // ---- loading

    void load() {
        try {
            loadMore(new ShardLoader(partition, leaderEpoch, shard, with.codec(), with.log(), with.loadBufferBytes()));
        } catch (CoordinatorLogException e) {
            fail("could not be loaded", e);
        }
    }

    private void loadMore(ShardLoader loader) {
        if (phase != Phase.LOADING) {
            return;
        }
        try {
            if (loader.loadMore()) {
                shard.onCommitted(with.log().bounds(partition, leaderEpoch).highWatermark());
                with.loop().execute(() -> loadMore(loader));
            } else {
                onLoaded(loader.nextOffset());
            }
        } catch (CoordinatorLogException | IOException | RuntimeException e) {
            fail("could not be loaded at offset " + loader.nextOffset(), e);
        }
    }

    private void onLoaded(long endOffset) throws CoordinatorLogException {
        writtenOffset = endOffset;
        phase = Phase.ACTIVE;
        onHighWatermark(with.log().bounds(partition, leaderEpoch).highWatermark());
        shard.onLoaded(nowMs());
        afterTurn();
        LOG.debug("Loaded coordinator {} up to offset {} in leader epoch {}", partition, endOffset, leaderEpoch);
    }

    // ---- operations

    /** @param writer whose transaction the records are in, or null */
    <R> void write(
            long timeoutMs,
            @Nullable TransactionalWriter writer,
            WriteOperation<S, R> operation,
            Completion<R> completion) {
        CoordinatorResult<R> result = decide(operation);
        if (result == null) {
            completion.onError(ErrorCode.UNKNOWN_SERVER_ERROR);
        } else {
            commit(result, writer, timeoutMs, completion);
        }
    }

    <R> void writeInSync(long timeoutMs, WriteOperation<S, R> operation, Completion<R> completion) {
        CoordinatorResult<R> result = decide(operation);
        if (result == null) {
            completion.onError(ErrorCode.UNKNOWN_SERVER_ERROR);
        } else if (!result.records().isEmpty() && isUnderMinIsr()) {
            completion.onError(CoordinatorErrors.forClients(ErrorCode.NOT_ENOUGH_REPLICAS));
            afterTurn();
        } else {
            commit(result, null, timeoutMs, completion);
        }
    }

    private boolean isUnderMinIsr() {
        try {
            return with.log().isUnderMinIsr(partition, leaderEpoch);
        } catch (CoordinatorLogException e) {
            // The append says what is wrong.
            return false;
        }
    }

    private <R> void commit(
            CoordinatorResult<R> result,
            @Nullable TransactionalWriter writer,
            long timeoutMs,
            Completion<R> completion) {
        commit(result.records(), writer, timeoutMs, error -> {
            if (error == ErrorCode.NONE) {
                completion.onReply(result.reply());
            } else {
                completion.onError(error);
            }
        });
        afterTurn();
    }

    /** @return false if the operation failed, and nobody was answered */
    boolean ask(long timeoutMs, WriteOperation<S, List<Answer<?>>> operation) {
        CoordinatorResult<List<Answer<?>>> result = decide(operation);
        if (result == null) {
            return false;
        }
        commit(result.records(), null, timeoutMs, error -> {
            for (Answer<?> answer : result.reply()) {
                if (error == ErrorCode.NONE) {
                    answer.deliver();
                } else {
                    answer.deliverFailure(error);
                }
            }
        });
        afterTurn();
        return true;
    }

    <R> void read(ReadOperation<S, R> operation, Completion<R> completion) {
        completion.onReply(operation.ask(shard, nowMs()));
        armDeadline();
    }

    /** Null if the shard threw, which is a bug of ours: whoever asked is told, and the others go on. */
    private <R> @Nullable CoordinatorResult<R> decide(WriteOperation<S, R> operation) {
        try {
            return operation.decide(shard, nowMs());
        } catch (RuntimeException e) {
            LOG.error("Coordinator {} failed to decide", partition, e);
            return null;
        }
    }

    /** Ends a producer's transaction here; what it wrote counts from then on, or never. */
    void endTransaction(TransactionMarker marker, long timeoutMs, CommitQueue.Outcome outcome) {
        ByteBuf batch = marker.toBatch(nowMs());
        try {
            CoordinatorLog.Appended appended = with.log().append(partition, leaderEpoch, batch, marker.terms());
            writtenOffset = appended.endOffset();
            shard.endTransaction(appended.firstOffset(), marker.producerId(), marker.commit());
        } catch (CoordinatorLogException e) {
            outcome.on(refused(e, 1));
            return;
        } finally {
            batch.release();
        }
        commits.await(writtenOffset, timeoutMs, error -> outcome.on(CoordinatorErrors.forClients(error)));
    }

    private void commit(
            List<CoordinatorRecord> records,
            @Nullable TransactionalWriter writer,
            long timeoutMs,
            CommitQueue.Outcome outcome) {
        if (!records.isEmpty()) {
            CoordinatorLog.Appended appended;
            try {
                appended = append(records, writer);
            } catch (CoordinatorLogException e) {
                outcome.on(refused(e, records.size()));
                return;
            }
            writtenOffset = appended.endOffset();
            if (!replay(appended.firstOffset(), records, writer)) {
                outcome.on(ErrorCode.NOT_COORDINATOR);
                return;
            }
        }
        commits.await(writtenOffset, timeoutMs, error -> outcome.on(CoordinatorErrors.forClients(error)));
    }

    private ErrorCode refused(CoordinatorLogException e, int records) {
        ErrorCode error = CoordinatorErrors.forClients(e.error());
        if (CoordinatorErrors.isExpected(error)) {
            LOG.debug("Coordinator {} could not append: {}", partition, e.getMessage());
        } else {
            LOG.warn("Coordinator {} could not append {} records", partition, records, e);
        }
        return error;
    }

    private CoordinatorLog.Appended append(List<CoordinatorRecord> records, @Nullable TransactionalWriter writer)
            throws CoordinatorLogException {
        RecordBatchBuilder builder = new RecordBatchBuilder();
        if (writer != null) {
            builder.producer(writer.producerId(), writer.producerEpoch(), RecordBatch.NO_SEQUENCE)
                    .transactional();
        }
        long timestampMs = nowMs();
        for (CoordinatorRecord record : records) {
            builder.add(
                    timestampMs, with.codec().encodeKey(record), with.codec().encodeValue(record));
        }
        ByteBuf batch = builder.build();
        try {
            return writer == null
                    ? with.log().append(partition, leaderEpoch, batch)
                    : with.log().append(partition, leaderEpoch, batch, writer.terms());
        } finally {
            batch.release();
        }
    }

    private boolean replay(long firstOffset, List<CoordinatorRecord> records, @Nullable TransactionalWriter writer) {
        long offset = firstOffset;
        try {
            for (CoordinatorRecord record : records) {
                if (writer == null) {
                    shard.replay(offset, record);
                } else {
                    shard.replayInTransaction(offset, writer.producerId(), record);
                }
                offset++;
            }
            return true;
        } catch (RuntimeException e) {
            // The state and the log no longer agree. Until leadership moves, nobody is answered from such a state.
            fail("could not replay offset " + offset, e);
            return false;
        }
    }

    void onHighWatermark(long newHighWatermark) {
        highWatermark = Math.max(highWatermark, newHighWatermark);
        if (phase == Phase.ACTIVE) {
            shard.onCommitted(highWatermark);
            commits.onCommitted(highWatermark);
            afterTurn();
        }
    }

    private void afterTurn() {
        armDeadline();
        if (phase == Phase.ACTIVE) {
            observer.onTurn(partition.partition(), leaderEpoch, shard);
        }
    }

    // ---- deadlines

    private void armDeadline() {
        if (phase != Phase.ACTIVE) {
            return;
        }
        long nextMs = shard.nextDeadlineMs();
        // A timer that is too early is harmless, and cheaper than a new one for every heartbeat.
        if (nextMs == CoordinatorShard.NEVER || (deadlineTimer != null && deadlineTimerAtMs <= nextMs)) {
            return;
        }
        cancelDeadline();
        deadlineTimerAtMs = nextMs;
        deadlineTimer = with.loop().schedule(Math.max(nextMs - nowMs(), 0), this::onDeadlineTimer);
    }

    private void onDeadlineTimer() {
        cancelDeadline();
        if (phase != Phase.ACTIVE) {
            return;
        }
        long nowMs = nowMs();
        while (phase == Phase.ACTIVE && shard.nextDeadlineMs() <= nowMs) {
            ask(with.commitTimeoutMs(), (decider, at) -> decider.onDeadline(at));
        }
        armDeadline();
    }

    private void cancelDeadline() {
        if (deadlineTimer != null) {
            deadlineTimer.cancel();
            deadlineTimer = null;
        }
        deadlineTimerAtMs = CoordinatorShard.NEVER;
    }

    private long nowMs() {
        return with.clock().wallTimeMs();
    }

    // ---- the end

    private void fail(String what, Exception cause) {
        LOG.error("Coordinator {} {} in leader epoch {}", partition, what, leaderEpoch, cause);
        end(Phase.FAILED);
    }

    void unload() {
        end(Phase.UNLOADED);
    }

    private void end(Phase last) {
        boolean wasActive = phase == Phase.ACTIVE;
        phase = last;
        cancelDeadline();
        commits.failAll(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        if (wasActive) {
            shard.onUnloaded().forEach(Answer::deliver);
        }
    }
}
