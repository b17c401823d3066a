package io.tidemark.broker.replication;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Loop.Timer;
import io.tidemark.broker.time.StallCount;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.types.TopicPartition;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a broker does for its replicas from time to time: looks for followers that lag, writes checkpoints, deletes what is
 * too old, forgets producers that are silent, flushes.
 */
final class ReplicaUpkeep {
    private static final long LAG_CHECK_AFTER_STALL_MS = 1_000;

    private static final NodeLog LOG = NodeLog.of(ReplicaUpkeep.class);

    private final int brokerId;
    private final Map<TopicPartition, HostedPartition> partitions;
    private final OffsetCheckpoints checkpoints;
    private final ReplicationSettings settings;
    private final Clock clock;
    private final Stalls stalls;
    private final Loop loop;
    private final LongSupplier producerExpirationMs;
    private final Intervals intervals;
    private final StallCount stallCount = new StallCount();
    private long lastLagCheckMs;
    private @Nullable Timer afterStall;

    /**
     * @param partitions those that are hosted, as they come and go
     * @param producerExpirationMs after how many milliseconds of silence a producer is forgotten, asked each time
     */
    ReplicaUpkeep(
            int brokerId,
            Map<TopicPartition, HostedPartition> partitions,
            OffsetCheckpoints checkpoints,
            ReplicationSettings settings,
            Clock clock,
            Stalls stalls,
            Loop loop,
            LongSupplier producerExpirationMs) {
        this.brokerId = brokerId;
        this.partitions = partitions;
        this.checkpoints = checkpoints;
        this.settings = settings;
        this.clock = clock;
        this.stalls = stalls;
        this.loop = loop;
        this.producerExpirationMs = producerExpirationMs;
        this.intervals = new Intervals(loop);
    }

    void start() {
        lastLagCheckMs = clock.monotonicMs();
        intervals.every(lagCheckIntervalMs(), this::checkLags);
        intervals.every(settings.highWatermarkCheckpointIntervalMs(), this::checkpointHighWatermarks);
        long delayMs = settings.initialTaskDelayMs();
        intervals.every(delayMs, settings.retentionCheckIntervalMs(), this::applyRetention);
        intervals.every(settings.producerExpirationCheckIntervalMs(), this::expireProducers);
        intervals.every(delayMs, settings.flushCheckIntervalMs(), this::flushWhatIsDue);
        intervals.every(delayMs, settings.offsetCheckpointIntervalMs(), checkpoints::writeLogOffsets);
    }

    /** Writes the high watermarks down once more. */
    void close() {
        intervals.stop();
        if (afterStall != null) {
            afterStall.cancel();
        }
        checkpointHighWatermarks();
    }

    private long lagCheckIntervalMs() {
        return Math.max(1, settings.lagTimeMaxMs() / 2);
    }

    /**
     * Not after a stall of this node, or a push of its clock: the followers' fetches of that time are still unread, and
     * their silence is its own. They get the time of some fetches.
     */
    private void checkLags() {
        forgiveStalls();
        long sinceLastMs = clock.monotonicMs() - lastLagCheckMs;
        lastLagCheckMs = clock.monotonicMs();
        if (sinceLastMs < lagCheckIntervalMs() + lagCheckIntervalMs() / 2) {
            partitions.values().forEach(HostedPartition::onLagCheck);
        } else if (lagCheckIntervalMs() > LAG_CHECK_AFTER_STALL_MS) {
            if (afterStall != null) {
                afterStall.cancel();
            }
            afterStall = loop.schedule(LAG_CHECK_AFTER_STALL_MS, this::checkLags);
        }
    }

    /** As for a broker's session: the longer of two stalls, for they may have been at the same time. */
    private void forgiveStalls() {
        long ownMs = stallCount.sinceLast(stalls, brokerId);
        Map<Integer, Long> silenceMs = new HashMap<>();
        partitions
                .values()
                .forEach(partition -> partition.onStalls(follower ->
                        silenceMs.computeIfAbsent(follower, id -> Math.max(ownMs, stallCount.sinceLast(stalls, id)))));
    }

    private void checkpointHighWatermarks() {
        checkpoints.writeHighWatermarks(name -> {
            HostedPartition partition = partitions.get(name);
            return partition == null ? null : Long.valueOf(partition.highWatermark());
        });
    }

    private void applyRetention() {
        partitions.values().forEach(HostedPartition::applyRetention);
    }

    private void expireProducers() {
        long expirationMs = producerExpirationMs.getAsLong();
        for (HostedPartition partition : partitions.values()) {
            partition.log().expireProducers(clock.wallTimeMs(), expirationMs);
        }
    }

    private void flushWhatIsDue() {
        for (HostedPartition partition : partitions.values()) {
            if (partition.log().isFlushDue(clock.wallTimeMs())) {
                flush(partition.log());
            }
        }
    }

    private void flush(PartitionLog log) {
        loop.runBeside("log-flush", log.flushWork(), (offset, failure) -> {
            if (offset != null) {
                log.flushed(offset);
            } else {
                LOG.error("Cannot flush {}", log, failure);
            }
        });
    }
}
