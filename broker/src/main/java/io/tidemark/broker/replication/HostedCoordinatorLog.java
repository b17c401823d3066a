package io.tidemark.broker.replication;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.coordinator.CoordinatorLog;
import io.tidemark.broker.coordinator.CoordinatorLogException;
import io.tidemark.broker.log.OffsetOutOfRangeException;
import io.tidemark.broker.partition.EpochFence;
import io.tidemark.broker.partition.LeaderPartition;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;

/** The coordinators' log on the replicas of this broker. */
public final class HostedCoordinatorLog implements CoordinatorLog {
    private final HostedPartitions partitions;

    public HostedCoordinatorLog(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public void listen(String topic, Listener listener) {
        partitions.listen(topic, new PartitionListener() {
            @Override
            public void onLeader(HostedPartition partition, int leaderEpoch) {
                listener.onLeader(partition.id().partition(), leaderEpoch);
            }

            @Override
            public void onNotLeader(HostedPartition partition) {
                listener.onNotLeader(partition.id().partition());
            }

            @Override
            public void onHighWatermark(HostedPartition partition, long highWatermark) {
                listener.onHighWatermark(partition.id().partition(), highWatermark);
            }
        });
    }

    @Override
    public Appended append(TopicPartition partition, int leaderEpoch, ByteBuf batch, AppendTerms terms)
            throws CoordinatorLogException {
        // Too few in-sync replicas are no reason to refuse: the high watermark waits for them, and so does whoever
        // asked.
        LocalAppend outcome = led(partition, leaderEpoch).append(batch, leaderEpoch, terms, false);
        if (outcome instanceof LocalAppend.Refused refused) {
            throw new CoordinatorLogException(
                    refused.error(),
                    "Append to " + partition + " in leader epoch " + leaderEpoch + " was refused: " + refused.error()
                            + (refused.message() == null ? "" : ", " + refused.message()));
        }
        LocalAppend.Appended appended = (LocalAppend.Appended) outcome;
        return new Appended(appended.firstOffset(), appended.endOffset());
    }

    @Override
    public Records read(TopicPartition partition, int leaderEpoch, long startOffset, int maxBytes)
            throws CoordinatorLogException {
        HostedPartition led = led(partition, leaderEpoch);
        try {
            return led.log().read(startOffset, maxBytes, led.logEndOffset(), true);
        } catch (OffsetOutOfRangeException e) {
            throw new CoordinatorLogException(ErrorCode.OFFSET_OUT_OF_RANGE, message(e), e);
        } catch (CorruptBatchException e) {
            throw new CoordinatorLogException(ErrorCode.CORRUPT_MESSAGE, message(e), e);
        } catch (IOException e) {
            led.failed("read at offset " + startOffset, e);
            throw new CoordinatorLogException(ErrorCode.KAFKA_STORAGE_ERROR, message(e), e);
        }
    }

    private static String message(Exception e) {
        String message = e.getMessage();
        return message == null ? e.toString() : message;
    }

    @Override
    public boolean isUnderMinIsr(TopicPartition partition, int leaderEpoch) throws CoordinatorLogException {
        LeaderPartition leader = led(partition, leaderEpoch).leader();
        return leader != null && leader.isUnderMinIsr();
    }

    @Override
    public Bounds bounds(TopicPartition partition, int leaderEpoch) throws CoordinatorLogException {
        HostedPartition led = led(partition, leaderEpoch);
        return new Bounds(led.logStartOffset(), led.highWatermark(), led.logEndOffset());
    }

    private HostedPartition led(TopicPartition partition, int leaderEpoch) throws CoordinatorLogException {
        HostedPartition hosted = partitions.partition(partition);
        ErrorCode error =
                hosted == null ? ErrorCode.NOT_LEADER_OR_FOLLOWER : hosted.checkLeader(EpochFence.NO_LEADER_EPOCH);
        if (hosted == null || error != ErrorCode.NONE || hosted.leaderEpoch() != leaderEpoch) {
            throw new CoordinatorLogException(
                    error == ErrorCode.NONE ? ErrorCode.NOT_LEADER_OR_FOLLOWER : error,
                    "Broker " + partitions.brokerId() + " does not lead " + partition + " in leader epoch "
                            + leaderEpoch
                            + (hosted == null ? "; it has no replica" : "; its epoch is " + hosted.leaderEpoch()));
        }
        return hosted;
    }
}
