package io.tidemark.broker.replication;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.partition.FollowerEffect;
import io.tidemark.broker.partition.FollowerPartition;
import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.time.Clock;
import java.io.IOException;

/** A replica's log in the hands of its follower: takes in what the leader sent, and cuts where the leader's is another. */
final class FollowerLog {
    private static final NodeLog LOG = NodeLog.of(FollowerLog.class);

    private final HostedPartition partition;
    private final PartitionLog log;
    private final FollowerPartition follower;
    private final Clock clock;
    private final PartitionEvents events;

    FollowerLog(HostedPartition partition, FollowerPartition follower, Clock clock, PartitionEvents events) {
        this.partition = partition;
        this.log = partition.log();
        this.follower = follower;
        this.clock = clock;
        this.events = events;
    }

    /**
     * Appends what the leader sent, then follows its watermark and its log start. False where the disk failed.
     *
     * @throws CorruptBatchException if the records are damaged; nothing was appended
     */
    boolean append(ByteBuf batches, long leaderHighWatermark, long leaderLogStartOffset) {
        try {
            boolean isGrown = batches.isReadable()
                    && log.appendAsFollower(batches, follower.leaderEpoch(), clock.wallTimeMs())
                                    .sizeInBytes()
                            > 0;
            boolean isMoved = follower.onFetched(leaderHighWatermark, log.logStartOffset(), log.logEndOffset());
            if (leaderLogStartOffset > log.logStartOffset() && leaderLogStartOffset <= follower.highWatermark()) {
                log.incrementLogStartOffset(leaderLogStartOffset);
                isMoved = true;
            }
            if (isGrown || isMoved) {
                events.onChanged(partition);
            }
            return true;
        } catch (IOException e) {
            partition.failed("append what the leader sent", e);
            return false;
        }
    }

    /** Cuts the log where it parts from the leader's. False where the disk failed. */
    boolean cutAt(LeaderEpochEnd leaders) {
        return perform(follower.onDivergingEpoch(leaders, partition::endOffsetForEpoch, log.logEndOffset()));
    }

    /** Fits the log to the bounds of a leader that does not have the offset fetched. False where the disk failed. */
    boolean fitInto(long leaderLogStartOffset, long leaderLogEndOffset) {
        return perform(follower.onOffsetOutOfRange(leaderLogStartOffset, leaderLogEndOffset, log.logEndOffset()));
    }

    private boolean perform(FollowerEffect effect) {
        try {
            if (effect instanceof FollowerEffect.Truncate truncate) {
                truncate(truncate.offset());
            } else if (effect instanceof FollowerEffect.StartAnew startAnew) {
                LOG.info(
                        "Start {} anew at {}, the start of its leader's log",
                        partition.topicPartition(),
                        startAnew.offset());
                log.truncateFullyAndStartAt(startAnew.offset());
                events.onChanged(partition);
            }
            return true;
        } catch (IOException e) {
            partition.failed("truncate", e);
            return false;
        } catch (CorruptBatchException e) {
            partition.failed("truncate", new IOException(e.getMessage(), e));
            return false;
        }
    }

    private void truncate(long offset) throws IOException {
        if (offset < log.logEndOffset()) {
            LOG.info(
                    "Truncate {} from {} to {}: its leader of epoch {} has other records there",
                    partition.topicPartition(),
                    log.logEndOffset(),
                    offset,
                    follower.leaderEpoch());
        }
        log.truncateTo(offset);
        follower.onTruncated(log.logEndOffset());
        events.onChanged(partition);
    }
}
