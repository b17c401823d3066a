package io.tidemark.broker.replication;

import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.EpochEndOffset;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves replicas of this broker between its log directories (KIP-113). A copy grows beside the log, batch by batch and
 * throttled; when it has all, it is forced to disk, and at the first turn of the loop that finds it whole it takes the
 * log's place. A log that is cut meanwhile is followed by leader epochs, as a leader's is.
 *
 * <p>A move that a restart interrupts begins anew. On the node's loop only.
 */
final class DirectoryMoves {
    private static final NodeLog LOG = NodeLog.of(DirectoryMoves.class);
    private static final String RATE = "replica.alter.log.dirs.io.max.bytes.per.second";
    private static final int STEP_BYTES = 1024 * 1024;

    /** How often a log that is being compacted is looked at again. */
    private static final long REST_MS = 20;

    private final int brokerId;
    private final Clock clock;
    private final Loop loop;
    private final List<LogDirectory> directories;
    private final ReplicationQuota quota;
    private final Consumer<Moved> onMoved;
    private final Map<TopicPartition, Move> moves = new LinkedHashMap<>();

    private DirectoryMoves(
            int brokerId,
            Clock clock,
            Loop loop,
            List<LogDirectory> directories,
            ReplicationQuota quota,
            Consumer<Moved> onMoved) {
        this.brokerId = brokerId;
        this.clock = clock;
        this.loop = loop;
        this.directories = directories;
        this.quota = quota;
        this.onMoved = onMoved;
    }

    /** @param onMoved told of each replica that lies in another directory now */
    static DirectoryMoves of(
            ConfigValues values,
            int brokerId,
            Clock clock,
            Loop loop,
            List<LogDirectory> directories,
            Consumer<Moved> onMoved) {
        ReplicationQuota quota = new ReplicationQuota(
                values.intValue("alter.log.dirs.replication.quota.window.num"),
                1_000L * values.intValue("alter.log.dirs.replication.quota.window.size.seconds"));
        return new DirectoryMoves(brokerId, clock, loop, directories, quota, onMoved);
    }

    /** Configs have changed, perhaps how fast copies may grow. */
    void onConfigs(ConfigResource resource, MetadataImage image) {
        if (resource.type() == ConfigResource.BROKER) {
            String own = image.configsOf(ConfigResource.broker(brokerId)).get(RATE);
            quota.limit(ReplicationThrottle.rate(
                    own == null
                            ? image.configsOf(ConfigResource.brokerDefault()).get(RATE)
                            : own));
        }
    }

    /** Begins the moves anew that the last stop interrupted. */
    void takeUp(Collection<HostedPartition> partitions) {
        for (LogDirectory directory : directories) {
            if (!directory.health().isOnline()) {
                continue;
            }
            try {
                for (HostedPartition partition : partitions) {
                    TopicPartition name = partition.topicPartition();
                    if (directory.takeLeftFuture(name, partition.id().topicId()) && directory.partition(name) == null) {
                        move(partition, directory);
                    }
                }
                directory.deleteLeftFutures();
            } catch (IOException e) {
                directory.health().fail("delete copies that were left", e);
            }
        }
    }

    /** A replica is in another directory now. */
    record Moved(HostedPartition partition, LogDirectory to) {}

    /** One move under way. */
    private final class Move {
        private final HostedPartition partition;
        private final LogDirectory from;
        private final LogDirectory to;
        private final PartitionLog copy;
        private long forcedEnd = -1;
        private boolean isForcing;

        Move(HostedPartition partition, LogDirectory from, LogDirectory to, PartitionLog copy) {
            this.partition = partition;
            this.from = from;
            this.to = to;
            this.copy = copy;
        }

        boolean isCurrent() {
            return moves.get(partition.topicPartition()) == this;
        }
    }

    /** The directory of an absolute path; null where the broker has none such. */
    @Nullable
    LogDirectory directory(String path) {
        for (LogDirectory directory : directories) {
            if (directory.path().toAbsolutePath().toString().equals(path)) {
                return directory;
            }
        }
        return null;
    }

    /** Has a replica move. One that is there stays, and one that is on its way to another directory turns around. */
    ErrorCode move(HostedPartition partition, LogDirectory to) {
        if (!to.health().isOnline()) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        TopicPartition name = partition.topicPartition();
        Move before = moves.get(name);
        if (before != null && before.to == to) {
            return ErrorCode.NONE;
        }
        cancel(name);
        LogDirectory from = null;
        for (LogDirectory directory : directories) {
            if (directory.partition(name) == partition.log()) {
                from = directory;
            }
        }
        if (from == null || !from.health().isOnline()) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        if (from == to) {
            return ErrorCode.NONE;
        }
        PartitionLog copy;
        try {
            copy = to.createFuture(
                    name, partition.id().topicId(), partition.log().config(), clock.wallTimeMs());
        } catch (IOException e) {
            to.health().fail("make a copy of " + name, e);
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        LOG.info("Move {} from {} to {}", name, from.path(), to.path());
        Move move = new Move(partition, from, to, copy);
        moves.put(name, move);
        loop.execute(() -> step(move));
        return ErrorCode.NONE;
    }

    /** The replica goes, or stays where it is. */
    void cancel(TopicPartition partition) {
        Move move = moves.remove(partition);
        if (move != null && move.to.health().isOnline()) {
            try {
                move.to.dropFuture(partition);
            } catch (IOException e) {
                move.to.health().fail("drop the copy of " + partition, e);
            }
        }
    }

    /** A directory went offline: nothing moves out of it or into it any more. */
    void onOffline(LogDirectory directory) {
        for (Move move : new ArrayList<>(moves.values())) {
            if (move.from == directory || move.to == directory) {
                cancel(move.partition.topicPartition());
            }
        }
    }

    void close() {
        moves.clear();
    }

    private void step(Move move) {
        if (!move.isCurrent()) {
            return;
        }
        long waitMs = quota.waitMs(clock.monotonicMs());
        if (waitMs > 0) {
            loop.schedule(Math.min(waitMs, 1_000), () -> step(move));
            return;
        }
        try {
            followCuts(move);
            if (move.copy.logEndOffset() < move.partition.log().logEndOffset()) {
                copySome(move);
                loop.execute(() -> step(move));
            } else if (move.forcedEnd >= 0) {
                promote(move);
            } else {
                force(move);
            }
        } catch (IOException e) {
            move.to.health().fail("copy " + move.partition.topicPartition(), e);
        } catch (CorruptBatchException e) {
            LOG.error("Cannot move {}, which is damaged: {}", move.partition.topicPartition(), e.getMessage());
            cancel(move.partition.topicPartition());
        }
    }

    /** What the log has lost since, at its start or at its end, is to go from the copy too. */
    private static void followCuts(Move move) throws IOException {
        PartitionLog log = move.partition.log();
        PartitionLog copy = move.copy;
        if (copy.logEndOffset() < log.logStartOffset()) {
            copy.truncateFullyAndStartAt(log.logStartOffset());
        }
        copy.incrementLogStartOffset(log.logStartOffset());
        while (copy.logEndOffset() > copy.logStartOffset()) {
            int epoch = copy.latestEpoch().orElse(-1);
            EpochEndOffset known = log.endOffsetForEpoch(epoch);
            if (epoch < 0 || (known.leaderEpoch() == epoch && known.endOffset() >= copy.logEndOffset())) {
                break;
            }
            long end = known.leaderEpoch() == epoch
                    ? known.endOffset()
                    : copy.endOffsetForEpoch(Math.max(0, known.leaderEpoch())).endOffset();
            copy.truncateTo(Math.max(log.logStartOffset(), Math.min(end, copy.logEndOffset() - 1)));
        }
        if (copy.logEndOffset() > log.logEndOffset()) {
            copy.truncateTo(log.logEndOffset());
        }
    }

    private void copySome(Move move) throws IOException {
        PartitionLog log = move.partition.log();
        long start = Math.max(move.copy.logEndOffset(), log.logStartOffset());
        LogSlice slice = log.read(start, STEP_BYTES, log.logEndOffset(), true);
        move.copy.appendAsFollower(slice.toByteBuf(), Integer.MAX_VALUE, clock.wallTimeMs());
        quota.record(slice.sizeInBytes(), clock.monotonicMs());
    }

    /** The log in the other directory may only go when what takes its place is durable. */
    private void force(Move move) {
        if (move.isForcing) {
            return;
        }
        move.isForcing = true;
        loop.runBeside("log-move", move.copy.flushWork(), (end, failure) -> {
            move.isForcing = false;
            if (!move.isCurrent()) {
                return;
            }
            if (end == null) {
                move.to
                        .health()
                        .fail(
                                "force the copy of " + move.partition.topicPartition(),
                                failure instanceof IOException io ? io : new IOException(failure));
                return;
            }
            move.copy.flushed(end);
            move.forcedEnd = end;
            step(move);
        });
    }

    private void promote(Move move) throws IOException {
        TopicPartition name = move.partition.topicPartition();
        PartitionLog log = move.partition.log();
        if (log.isBeingCleaned()) {
            loop.schedule(REST_MS, () -> step(move));
            return;
        }
        moves.remove(name);
        move.copy.reconfigure(log.config());
        move.copy.cleanedTo(log.cleanedTo());
        move.to.promoteFuture(name);
        move.partition.moveTo(move.copy);
        try {
            move.from.deletePartition(name);
        } catch (IOException e) {
            move.from.health().fail("delete the log of " + name + ", which has moved", e);
        }
        LOG.info("{} is in {} now", name, move.to.path());
        onMoved.accept(new Moved(move.partition, move.to));
    }
}
