package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.disk.DiskSpace;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One folder of {@code log.dirs}: the node's identity, its partitions' folders, and the checkpoints over all of them. On
 * the node's loop only, except {@link #abandon}.
 */
public final class LogDirectory {
    /** The metadata quorum's only partition. {@link #openPartitions} leaves its folder alone. */
    public static final TopicPartition METADATA_PARTITION = new TopicPartition("__cluster_metadata", 0);

    private static final NodeLog LOG = NodeLog.of(LogDirectory.class);
    private static final String LOCK_FILE = ".lock";
    private static final long FORMAT_FORCE_DELAY_MS = 500;

    private final Disk disk;
    private final Path path;
    private final Closeable lock;
    private final Loop loop;
    private final LogEnvironment environment;
    private final DirectoryHealth health;
    private final OffsetCheckpoint recoveryPoints;
    private boolean isFormatForced = true;
    private final OffsetCheckpoint logStarts;
    private final OffsetCheckpoint highWatermarks;
    private final OffsetCheckpoint cleanerOffsets;
    private final CleanShutdownFile lastShutdown;
    private final TreeMap<TopicPartition, PartitionLog> logs = new TreeMap<>();

    /** Copies that are to take the place of a partition's log in another directory; of no concern to anybody else. */
    private final TreeMap<TopicPartition, PartitionLog> futures = new TreeMap<>();

    /** The names of the folders of such copies that a life before left. */
    private final List<String> leftFutures = new ArrayList<>();

    private final Map<TopicPartition, Long> lastRecoveryPoints;
    private final Map<TopicPartition, Long> lastLogStarts;
    private final Map<TopicPartition, Long> lastCleanerOffsets;
    private @Nullable MetaProperties metaProperties;
    private boolean closed;

    private LogDirectory(Disk disk, Path path, Closeable lock, Loop loop) throws IOException {
        this.disk = disk;
        this.path = path;
        this.lock = lock;
        this.loop = loop;
        this.health = new DirectoryHealth(path);
        this.metaProperties = MetaProperties.read(disk, path.resolve(MetaProperties.FILE_NAME));
        this.recoveryPoints = new OffsetCheckpoint(disk, path.resolve("recovery-point-offset-checkpoint"));
        this.logStarts = new OffsetCheckpoint(disk, path.resolve("log-start-offset-checkpoint"));
        this.highWatermarks = new OffsetCheckpoint(disk, path.resolve("replication-offset-checkpoint"));
        this.cleanerOffsets = new OffsetCheckpoint(disk, path.resolve("cleaner-offset-checkpoint"));
        this.environment = new LogEnvironment(
                disk, new DelayedDeletions(disk, loop, health), recoveryPoints::lower, this::writeCleanerOffsets);
        this.lastCleanerOffsets = cleanerOffsets.read();
        this.lastRecoveryPoints = recoveryPoints.read();
        this.lastLogStarts = logStarts.read();
        this.lastShutdown = CleanShutdownFile.read(disk, path);
    }

    /**
     * Creates the folder where there is none, locks it against other nodes, and reads what kind of stop the last one was.
     *
     * @throws IOException if another node has the folder; the message names it
     */
    public static LogDirectory open(Disk disk, Path directory, Loop loop) throws IOException {
        disk.createDirectories(directory);
        Closeable lock = disk.lock(directory.resolve(LOCK_FILE));
        if (lock == null) {
            throw new IOException("Log directory " + directory + " is in use by another node, which holds its "
                    + LOCK_FILE + "; give each node a folder of its own (log.dirs), or stop the other one");
        }
        try {
            return new LogDirectory(disk, directory, lock, loop);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    public Path path() {
        return path;
    }

    /** Whether it can be used, which whoever has an operation on it fail is to tell. */
    public DirectoryHealth health() {
        return health;
    }

    /** The room on its volume. */
    public DiskSpace space() throws IOException {
        return disk.space(path);
    }

    /** Null where the folder is not formatted yet. */
    public @Nullable MetaProperties metaProperties() {
        return metaProperties;
    }

    /**
     * Writes {@code meta.properties}. It becomes durable a moment later and beside the loop, as a start should not wait
     * for the disk: a node that loses its power before that finds an unformatted folder, and formats it once more.
     */
    public void format(MetaProperties properties) throws IOException {
        Path file = path.resolve(MetaProperties.FILE_NAME);
        properties.write(disk, file);
        metaProperties = properties;
        isFormatForced = false;
        loop.schedule(FORMAT_FORCE_DELAY_MS, () -> forceFormat("format of " + path));
    }

    /**
     * Makes {@code meta.properties} durable before what comes next in a lane, where it is not yet: for a voter, whom the
     * others know by the id of its directory, and who would have no vote under another one.
     */
    public void forceFormat(String lane) {
        if (closed || isFormatForced) {
            return;
        }
        isFormatForced = true;
        Path file = path.resolve(MetaProperties.FILE_NAME);
        loop.runBeside(
                lane,
                () -> {
                    try (DiskFile written = disk.openReadOnly(file)) {
                        written.force(true);
                    }
                    disk.forceDirectory(path);
                    return path;
                },
                (durable, failure) -> {
                    if (failure instanceof IOException io) {
                        health.fail("force its " + MetaProperties.FILE_NAME, io);
                    }
                });
    }

    /** True where the node before this one closed the folder in good order. */
    public boolean wasCleanlyShutDown() {
        return lastShutdown.present();
    }

    /** The broker epoch in the clean-shutdown file, or -1 (KIP-966: tells the controller that nothing was lost). */
    public long previousBrokerEpoch() {
        return lastShutdown.brokerEpoch();
    }

    /**
     * Opens (and after an unclean stop recovers) every partition folder. Folders that were being deleted are deleted. The
     * first log that cannot be opened takes the directory offline, and ends this.
     *
     * @param configs the config of each partition found
     */
    public void openPartitions(Function<TopicPartition, LogConfig> configs, long nowMs) {
        String attempt = "open its partitions";
        try {
            takeCleanShutdownFileAway();
            for (Path folder : disk.list(path)) {
                attempt = "open " + folder;
                openFound(folder, configs, nowMs);
            }
        } catch (IOException e) {
            health.fail(attempt, e);
        }
    }

    private void openFound(Path folder, Function<TopicPartition, LogConfig> configs, long nowMs) throws IOException {
        if (PartitionFolder.isFuture(folder)) {
            leftFutures.add(folder.getFileName().toString());
        }
        if (PartitionFolder.isOnItsWayOut(folder)) {
            environment.deletions().deleteLater(List.of(folder), () -> {}, 0);
            return;
        }
        TopicPartition partition = PartitionFolder.partitionOf(folder);
        if (partition != null
                && !partition.equals(METADATA_PARTITION)
                && !logs.containsKey(partition)
                && disk.isDirectory(folder)) {
            logs.put(partition, load(partition, folder, configs.apply(partition), nowMs));
        }
    }

    /** From here on a crash is a crash. Not before: who only looks at a folder and turns away leaves it as it was. */
    private void takeCleanShutdownFileAway() throws IOException {
        if (logs.isEmpty() && lastShutdown.present()) {
            CleanShutdownFile.delete(disk, path);
        }
    }

    private PartitionLog load(TopicPartition partition, Path folder, LogConfig config, long nowMs) throws IOException {
        LastStop lastStop = new LastStop(
                lastShutdown.present(),
                lastRecoveryPoints.getOrDefault(partition, 0L),
                lastLogStarts.getOrDefault(partition, 0L),
                lastCleanerOffsets.getOrDefault(partition, PartitionLog.NEVER_CLEANED));
        LoadedLog files = new LogLoader(environment, partition, folder, config, nowMs).load(lastStop);
        PartitionLog log = new PartitionLog(environment, partition, folder, config, files);
        log.cleanedTo(lastStop.cleanedTo());
        return log;
    }

    /** The open partitions, in order. */
    public SortedMap<TopicPartition, PartitionLog> partitions() {
        return Collections.unmodifiableSortedMap(logs);
    }

    public @Nullable PartitionLog partition(TopicPartition partition) {
        return logs.get(partition);
    }

    /**
     * Opens one partition, and creates it where there is none. Cheap: nothing is forced.
     *
     * @param topicId its topic's id, which {@code partition.metadata} keeps; {@link Uuid#ZERO} for none
     * @throws IOException also if the folder belongs to another topic id
     */
    public PartitionLog openPartition(TopicPartition partition, Uuid topicId, LogConfig config, long nowMs)
            throws IOException {
        PartitionLog log = logs.get(partition);
        if (log == null) {
            takeCleanShutdownFileAway();
            Path folder = path.resolve(partition.toString());
            log = disk.isDirectory(folder)
                    ? load(partition, folder, config, nowMs)
                    : create(partition, folder, topicId, config, nowMs);
            logs.put(partition, log);
        }
        if (!topicId.isZero() && log.topicId().isZero()) {
            log.adoptTopicId(topicId);
        }
        if (!log.topicId().equals(topicId)) {
            throw new IOException("Folder " + log.directory() + " belongs to topic id " + log.topicId() + "; expected "
                    + topicId + ": delete the partition before its namesake is created");
        }
        return log;
    }

    private PartitionLog create(TopicPartition partition, Path folder, Uuid topicId, LogConfig config, long nowMs)
            throws IOException {
        // What is known of a log by that name was known of another one, that is gone.
        for (OffsetCheckpoint checkpoint : List.of(recoveryPoints, logStarts, cleanerOffsets, highWatermarks)) {
            checkpoint.forget(partition);
        }
        return new PartitionLog(
                environment, partition, folder, config, LoadedLog.create(disk, folder, topicId, config, nowMs));
    }

    /**
     * Takes a partition out: its folder is renamed to {@code name.id-delete} at once, and goes beside the loop after
     * {@code file.delete.delay.ms}. Does nothing where there is no such partition.
     */
    public void deletePartition(TopicPartition partition) throws IOException {
        PartitionLog log = logs.get(partition);
        if (log == null) {
            return;
        }
        Path target = takeOut(log, attempt -> PartitionFolder.deletedName(partition, log.topicId(), attempt));
        environment
                .deletions()
                .deleteLater(List.of(target), log::release, log.config().fileDeleteDelayMs());
    }

    /** The copies under way of partitions that are to move into this directory, in order (KIP-113). */
    public SortedMap<TopicPartition, PartitionLog> futures() {
        return Collections.unmodifiableSortedMap(futures);
    }

    /** True where a life before was about to move the partition here; what it had copied is deleted. */
    public boolean takeLeftFuture(TopicPartition partition, Uuid topicId) throws IOException {
        String name = PartitionFolder.futureName(partition, topicId);
        if (!leftFutures.remove(name)) {
            return false;
        }
        environment.deletions().deleteLater(List.of(asideOf(path.resolve(name))), () -> {}, 0);
        return true;
    }

    /** Deletes what is left of moves that nobody has taken up. */
    public void deleteLeftFutures() throws IOException {
        for (String name : leftFutures) {
            environment.deletions().deleteLater(List.of(asideOf(path.resolve(name))), () -> {}, 0);
        }
        leftFutures.clear();
    }

    /** Begins a copy of a partition whose log is in another directory. */
    public PartitionLog createFuture(TopicPartition partition, Uuid topicId, LogConfig config, long nowMs)
            throws IOException {
        Path folder = path.resolve(PartitionFolder.futureName(partition, topicId));
        PartitionLog future = new PartitionLog(
                environment, partition, folder, config, LoadedLog.create(disk, folder, topicId, config, nowMs));
        futures.put(partition, future);
        return future;
    }

    /** Gives a copy up. Does nothing where there is none. */
    public void dropFuture(TopicPartition partition) throws IOException {
        PartitionLog future = futures.remove(partition);
        if (future != null) {
            Path target = asideOf(future.directory());
            future.moved(target);
            environment.deletions().deleteLater(List.of(target), future::release, 0);
        }
    }

    /** Puts a copy into service. On return that is durable, so that the log in the other directory may go. */
    public void promoteFuture(TopicPartition partition) throws IOException {
        PartitionLog future = futures.get(partition);
        if (future == null || logs.containsKey(partition)) {
            throw new IllegalStateException(
                    "Directory " + path + " has no copy of " + partition + " to put into service, or has it already");
        }
        for (OffsetCheckpoint checkpoint : List.of(recoveryPoints, logStarts, cleanerOffsets, highWatermarks)) {
            checkpoint.forget(partition);
        }
        Path folder = path.resolve(partition.toString());
        disk.rename(future.directory(), folder);
        disk.forceDirectory(path);
        future.moved(folder);
        futures.remove(partition);
        logs.put(partition, future);
    }

    /** Renames a folder to a name that the next start deletes. */
    private Path asideOf(Path folder) throws IOException {
        String name = folder.getFileName().toString();
        Path target = path.resolve(name + PartitionFolder.DELETE_SUFFIX);
        for (int attempt = 1; disk.exists(target); attempt++) {
            target = path.resolve(name + attempt + PartitionFolder.DELETE_SUFFIX);
        }
        disk.rename(folder, target);
        return target;
    }

    /** Takes a partition out that should not be here: its folder is renamed to {@code name.id-stray}, and stays. */
    public void putAsideStray(TopicPartition partition) throws IOException {
        PartitionLog log = logs.get(partition);
        if (log == null) {
            return;
        }
        takeOut(log, attempt -> PartitionFolder.strayName(partition, log.topicId(), attempt));
        log.release();
    }

    private Path takeOut(PartitionLog log, IntFunction<String> names) throws IOException {
        TopicPartition partition = log.topicPartition();
        logs.remove(partition);
        lastRecoveryPoints.remove(partition);
        lastLogStarts.remove(partition);
        lastCleanerOffsets.remove(partition);
        Path target = path.resolve(names.apply(0));
        for (int attempt = 1; disk.exists(target); attempt++) {
            target = path.resolve(names.apply(attempt));
        }
        disk.rename(log.directory(), target);
        log.moved(target);
        return target;
    }

    /** The high watermarks as last written down; empty where they never were. */
    public Map<TopicPartition, Long> readHighWatermarks() throws IOException {
        return highWatermarks.read();
    }

    /** Writes {@code replication-offset-checkpoint}. */
    public void writeHighWatermarks(Map<TopicPartition, Long> offsets) throws IOException {
        highWatermarks.write(offsets);
    }

    /**
     * Writes {@code cleaner-offset-checkpoint}: up to where each log that ever was is compacted. Durably, where anything
     * changed: by it a log is known that may have holes, also when it is not to be compacted any more.
     */
    public void writeCleanerOffsets() throws IOException {
        Map<TopicPartition, Long> offsets = new TreeMap<>();
        for (PartitionLog log : logs.values()) {
            if (log.cleanedTo() != PartitionLog.NEVER_CLEANED) {
                offsets.put(log.topicPartition(), log.cleanedTo());
            }
        }
        if (!offsets.equals(cleanerOffsets.written())) {
            cleanerOffsets.writeDurably(offsets);
        }
    }

    /** Writes the checkpoints of recovery points and log starts, and what compaction has of its own. */
    public void writeCheckpoints() throws IOException {
        Map<TopicPartition, Long> points = new TreeMap<>();
        Map<TopicPartition, Long> starts = new TreeMap<>();
        for (PartitionLog log : logs.values()) {
            points.put(log.topicPartition(), log.recoveryPoint());
            if (log.logStartOffset() > log.firstSegmentOffset()) {
                starts.put(log.topicPartition(), log.logStartOffset());
            }
        }
        recoveryPoints.write(points);
        logStarts.write(starts);
        writeCleanerOffsets();
    }

    /**
     * Flushes and closes every log, writes the checkpoints and the clean-shutdown file, and gives up the lock. Logs that
     * were not opened after an unclean stop are not vouched for; a directory that is offline is only let go of.
     */
    public void close(long brokerEpoch) throws IOException {
        if (closed) {
            return;
        }
        if (!health.isOnline()) {
            abandon();
            return;
        }
        try {
            for (PartitionLog log : logs.values()) {
                log.close();
            }
            environment.deletions().deleteNow();
            boolean isWhole = isEveryLogOpen();
            if (isWhole) {
                writeCheckpoints();
            }
            if (isWhole || lastShutdown.present()) {
                CleanShutdownFile.write(disk, path, brokerEpoch);
            }
            closed = true;
            lock.close();
        } finally {
            abandon();
        }
    }

    /** A node that goes before it has opened, and recovered, its logs must not vouch for them. */
    private boolean isEveryLogOpen() throws IOException {
        for (Path folder : disk.list(path)) {
            TopicPartition partition =
                    PartitionFolder.isOnItsWayOut(folder) ? null : PartitionFolder.partitionOf(folder);
            if (partition != null && !logs.containsKey(partition) && disk.isDirectory(folder)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Lets go of everything as a killed process does: files are closed as they are, nothing is written. From any thread,
     * once the loop is gone. Harmless to repeat.
     */
    public void abandon() {
        if (closed) {
            return;
        }
        closed = true;
        for (PartitionLog log : logs.values()) {
            try {
                log.release();
            } catch (IOException e) {
                LOG.warn("Closing {} failed", log, e);
            }
        }
        for (PartitionLog future : futures.values()) {
            try {
                future.release();
            } catch (IOException e) {
                LOG.warn("Closing {} failed", future, e);
            }
        }
        environment.deletions().abandon();
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("Giving up the lock on {} failed", path, e);
        }
    }
}
