package io.tidemark.broker.coordinator.runtime;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.coordinator.CoordinatorLog;
import io.tidemark.broker.coordinator.CoordinatorLogException;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Partition 0 of a topic, in memory: the test says who leads and what is committed. */
public final class FakeCoordinatorLog implements CoordinatorLog {
    static final int NOT_LED = -1;

    private final List<RecordBatch> batches = new ArrayList<>();
    private @Nullable Listener listener;
    private int leaderEpoch = NOT_LED;
    private long highWatermark;
    private long endOffset;

    /** Refuses the next append with this, if set. */
    @Nullable
    ErrorCode nextAppendError;

    boolean isUnderMinIsr;
    int reads;

    @Override
    public void listen(String topic, Listener newListener) {
        listener = newListener;
    }

    private Listener listener() {
        if (listener == null) {
            throw new AssertionError("Nobody listens");
        }
        return listener;
    }

    public void lead(int epoch) {
        leaderEpoch = epoch;
        listener().onLeader(0, epoch);
    }

    public void lose() {
        leaderEpoch = NOT_LED;
        listener().onNotLeader(0);
    }

    void commitUpTo(long offset) {
        highWatermark = offset;
        listener().onHighWatermark(0, offset);
    }

    public void commitAll() {
        commitUpTo(endOffset);
    }

    /** What another leader did: the end of the log is cut off. */
    void truncateTo(long offset) {
        batches.removeIf(batch -> batch.baseOffset() >= offset);
        endOffset = offset;
    }

    long endOffset() {
        return endOffset;
    }

    int batchCount() {
        return batches.size();
    }

    @Override
    public Appended append(TopicPartition partition, int epoch, ByteBuf batch, AppendTerms terms)
            throws CoordinatorLogException {
        check(epoch);
        ErrorCode refusal = nextAppendError;
        if (refusal != null) {
            nextAppendError = null;
            throw new CoordinatorLogException(refusal, "as the test wished");
        }
        long firstOffset = endOffset;
        write(batch);
        return new Appended(firstOffset, endOffset);
    }

    @Override
    public boolean isUnderMinIsr(TopicPartition partition, int epoch) throws CoordinatorLogException {
        check(epoch);
        return isUnderMinIsr;
    }

    /** Appends as if somebody else had. */
    void write(ByteBuf batch) {
        RecordBatch copy = new RecordBatch(Unpooled.copiedBuffer(batch), 0);
        copy.stamp(endOffset, Math.max(leaderEpoch, 0));
        batches.add(copy);
        endOffset = copy.nextOffset();
    }

    @Override
    public Records read(TopicPartition partition, int epoch, long startOffset, int maxBytes)
            throws CoordinatorLogException {
        check(epoch);
        reads++;
        for (RecordBatch batch : batches) {
            if (batch.nextOffset() > startOffset) {
                return new BufferRecords(batch.bytes());
            }
        }
        return new BufferRecords(Unpooled.EMPTY_BUFFER);
    }

    @Override
    public Bounds bounds(TopicPartition partition, int epoch) throws CoordinatorLogException {
        check(epoch);
        return new Bounds(0, highWatermark, endOffset);
    }

    private void check(int epoch) throws CoordinatorLogException {
        if (epoch != leaderEpoch) {
            throw new CoordinatorLogException(
                    ErrorCode.NOT_LEADER_OR_FOLLOWER, "Epoch " + epoch + "; expected " + leaderEpoch);
        }
    }
}
