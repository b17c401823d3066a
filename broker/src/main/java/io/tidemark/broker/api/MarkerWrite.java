package io.tidemark.broker.api;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.purgatory.DelayedOperation;
import io.tidemark.broker.record.TransactionMarker;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.LocalAppend;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.types.TopicPartition;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One marker on its way into one partition and all of its in-sync replicas: until then its coordinator has to wait. */
final class MarkerWrite implements DelayedOperation {
    private final HostedPartitions partitions;
    private final HostedPartition partition;
    private final int leaderEpoch;
    private final long endOffset;
    private final Consumer<ErrorCode> done;

    private MarkerWrite(
            HostedPartitions partitions,
            HostedPartition partition,
            int leaderEpoch,
            long endOffset,
            Consumer<ErrorCode> done) {
        this.partitions = partitions;
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.endOffset = endOffset;
        this.done = done;
    }

    /**
     * @param timeoutMs how long the in-sync replicas may take
     * @param done called once
     */
    static void start(
            HostedPartitions partitions,
            TopicPartition name,
            TransactionMarker marker,
            long nowMs,
            long timeoutMs,
            Consumer<ErrorCode> done) {
        PartitionLookup lookup = partitions.find(name);
        HostedPartition partition = lookup.partition();
        if (partition == null) {
            done.accept(lookup.error());
            return;
        }
        int leaderEpoch = partition.leaderEpoch();
        ByteBuf batch = marker.toBatch(nowMs);
        LocalAppend outcome;
        try {
            outcome = partition.append(batch, -1, marker.terms(), true);
        } finally {
            batch.release();
        }
        if (outcome instanceof LocalAppend.Refused refused) {
            done.accept(refused.error());
        } else if (outcome instanceof LocalAppend.Appended appended) {
            MarkerWrite write = new MarkerWrite(partitions, partition, leaderEpoch, appended.endOffset(), done);
            partitions.waiting().completeOrWatch(write, List.of(name), timeoutMs);
        }
    }

    @Override
    public boolean isReady() {
        return outcome() != null;
    }

    @Override
    public void onComplete(boolean isExpired) {
        ErrorCode outcome = outcome();
        done.accept(outcome == null ? ErrorCode.REQUEST_TIMED_OUT : outcome);
    }

    private @Nullable ErrorCode outcome() {
        return partitions.acksAllOutcome(partition, endOffset, leaderEpoch);
    }
}
