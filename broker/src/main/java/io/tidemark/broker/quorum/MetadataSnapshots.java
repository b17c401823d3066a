package io.tidemark.broker.quorum;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFile;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.quorum.SnapshotReader.Snapshot;
import io.tidemark.broker.quorum.SnapshotWriter.QuorumState;
import io.tidemark.broker.raft.SnapshotId;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of the metadata that a node has (KIP-630), brokers as well as controllers: makes a new one when enough
 * was committed since the last, or enough time went by; and lets old ones go, and with each the part of the log below
 * the next one. The newest always stays, so the log starts where a snapshot ends or before.
 *
 * <p>A snapshot is of a committed image, so it ends at or below the high watermark. On the node's loop only; files are
 * written and deleted beside it.
 */
final class MetadataSnapshots {
    static final String LANE = "metadata-snapshot";

    private static final NodeLog LOG = NodeLog.of(MetadataSnapshots.class);
    private static final long CLEAN_INTERVAL_MS = 60_000;
    private static final Comparator<SnapshotId> BY_END =
            Comparator.comparingLong(SnapshotId::endOffset).thenComparingInt(SnapshotId::leaderEpoch);

    private final QuorumSettings settings;
    private final Disk disk;
    private final Clock clock;
    private final Loop loop;
    private final Path folder;
    private final MetadataLog log;
    private final LongFunction<QuorumState> quorum;
    private final TreeMap<SnapshotId, Stored> stored = new TreeMap<>(BY_END);
    private final long maxBytesBetween;
    private final long maxIntervalMs;
    private long lastSnapshotMs;

    /** What of the log's size lies below the newest snapshot. */
    private long bytesBelowNewest;

    private boolean isWriting;
    private Loop.@Nullable Timer cleaner;

    /** A snapshot file. */
    private record Stored(long sizeInBytes, long lastTimestampMs) {}

    /**
     * @param log the metadata log, open, whose folder the snapshots are in
     * @param quorum the voters as they are in the log below an offset
     */
    MetadataSnapshots(
            QuorumSettings settings,
            Disk disk,
            Clock clock,
            Loop loop,
            MetadataLog log,
            LongFunction<QuorumState> quorum) {
        this.settings = settings;
        this.disk = disk;
        this.clock = clock;
        this.loop = loop;
        this.log = log;
        this.folder = log.folder();
        this.quorum = quorum;
        this.maxBytesBetween =
                settings.values().longValue(BrokerConfigs.METADATA_LOG_MAX_RECORD_BYTES_BETWEEN_SNAPSHOTS);
        this.maxIntervalMs = settings.values().longValue(BrokerConfigs.METADATA_LOG_MAX_SNAPSHOT_INTERVAL_MS);
        log.standsOn(this);
    }

    /**
     * Looks for the files, and reads the newest. The log is brought to where they are: one that ends below the newest
     * snapshot was to be replaced by it when the node died.
     *
     * @return the newest snapshot, null where there is none
     * @throws CorruptSnapshotException if the newest is damaged; the log alone does not have what it stands for
     */
    @Nullable
    Snapshot open() throws IOException {
        SnapshotFiles.deleteLeftovers(disk, folder);
        for (SnapshotId id : SnapshotFiles.list(disk, folder)) {
            Path file = SnapshotFiles.of(folder, id);
            stored.put(id, new Stored(disk.size(file), 0));
        }
        lastSnapshotMs = clock.monotonicMs();
        SnapshotId newest = latest();
        if (newest == null) {
            if (log.startOffset() > 0) {
                throw new IOException("Metadata log in " + folder + " starts at offset " + log.startOffset()
                        + ", and there is no snapshot (*.checkpoint) of what was below; restore it, or delete the"
                        + " folder where other controllers have the metadata");
            }
            return null;
        }
        Snapshot snapshot = new SnapshotReader(disk, SnapshotFiles.of(folder, newest)).read(newest);
        for (SnapshotId id : stored.keySet()) {
            stored.put(id, new Stored(disk.size(SnapshotFiles.of(folder, id)), timestampOf(id, newest, snapshot)));
        }
        if (log.endOffset() < newest.endOffset() || log.lastEpoch() < newest.leaderEpoch()) {
            LOG.info(
                    "Node {} starts its metadata log anew at {}, where its newest snapshot ends",
                    settings.nodeId(),
                    newest.endOffset());
            log.restartAt(newest);
            forgetBefore(newest);
        }
        measure();
        return snapshot;
    }

    private long timestampOf(SnapshotId id, SnapshotId newest, Snapshot snapshot) throws IOException {
        return id.equals(newest)
                ? snapshot.lastTimestampMs()
                : new SnapshotReader(disk, SnapshotFiles.of(folder, id)).readTimestamp();
    }

    /** Begins to clean up from time to time. */
    void start() {
        cleaner = loop.schedule(CLEAN_INTERVAL_MS, () -> {
            clean();
            start();
        });
    }

    void close() {
        if (cleaner != null) {
            cleaner.cancel();
        }
    }

    @Nullable
    SnapshotId earliest() {
        return stored.isEmpty() ? null : stored.firstKey();
    }

    @Nullable
    SnapshotId latest() {
        return stored.isEmpty() ? null : stored.lastKey();
    }

    /** The size in bytes of a snapshot, -1 where there is none such. */
    long sizeInBytes(SnapshotId id) {
        Stored file = stored.get(id);
        return file == null ? -1 : file.sizeInBytes();
    }

    /** A part of a snapshot's file. */
    ByteBuf read(SnapshotId id, long position, int maxBytes) throws IOException {
        int count = (int) Math.min(maxBytes, sizeInBytes(id) - position);
        ByteBuffer bytes = ByteBuffer.allocate(count);
        try (DiskFile file = disk.openReadOnly(SnapshotFiles.of(folder, id))) {
            file.read(bytes, position);
        }
        return Unpooled.wrappedBuffer(bytes.flip());
    }

    /** There is a new committed image: it may be time for a snapshot of it. */
    void onCommitted(MetadataImage image) {
        SnapshotId newest = latest();
        long endOffset = image.lastOffset() + 1;
        if (isWriting
                || image.openTransaction() != null
                || endOffset <= 0
                || (newest != null && endOffset <= newest.endOffset())) {
            return;
        }
        long bytes = log.sizeInBytes() - bytesBelowNewest;
        boolean isMuch = bytes >= maxBytesBetween;
        boolean isLong = maxIntervalMs > 0 && clock.monotonicMs() - lastSnapshotMs >= maxIntervalMs;
        if (isMuch || isLong) {
            write(image, new SnapshotId(endOffset, image.lastLeaderEpoch()));
        }
    }

    private void write(MetadataImage image, SnapshotId id) {
        isWriting = true;
        lastSnapshotMs = clock.monotonicMs();
        long lastTimestampMs = log.lastTimestampMs();
        QuorumState voters = quorum.apply(id.endOffset());
        SnapshotWriter writer = new SnapshotWriter(disk, folder, clock.wallTimeMs());
        loop.runBeside(LANE, () -> writer.write(id, image, lastTimestampMs, voters), (size, failure) -> {
            isWriting = false;
            if (failure != null || size == null) {
                // The metadata is all in the log still; Kafka counts a fault and goes on as well.
                LOG.error("Node {} could not write the metadata snapshot {}", settings.nodeId(), id, failure);
                return;
            }
            LOG.debug("Node {} has written the metadata snapshot {}", settings.nodeId(), id);
            if (latest() == null || BY_END.compare(latest(), id) < 0) {
                adopt(id, size, lastTimestampMs);
            }
        });
    }

    /** A new file is there, written by this node or fetched. */
    void adopt(SnapshotId id, long sizeInBytes, long lastTimestampMs) {
        stored.put(id, new Stored(sizeInBytes, lastTimestampMs));
        try {
            measure();
        } catch (IOException e) {
            throw new UncheckedIOException("Node " + settings.nodeId() + " cannot read its metadata log", e);
        }
        clean();
    }

    /** A fetched snapshot takes the place of the log. */
    void replaceLogBy(SnapshotId id, long sizeInBytes, long lastTimestampMs) throws IOException {
        log.restartAt(id);
        adopt(id, sizeInBytes, lastTimestampMs);
        forgetBefore(id);
    }

    private void measure() throws IOException {
        SnapshotId newest = latest();
        bytesBelowNewest = newest == null ? 0 : log.sizeInBytes() - log.sizeInBytesFrom(newest.endOffset());
    }

    /** Lets the oldest go while there is too much, or it is too old; as Kafka does, never the newest. */
    private void clean() {
        try {
            boolean cut = false;
            while (stored.size() > 1) {
                SnapshotId oldest = stored.firstKey();
                Stored file = stored.get(oldest);
                SnapshotId next = stored.higherKey(oldest);
                if (file == null || next == null || !(isTooMuch() || isTooOld(file))) {
                    break;
                }
                log.startAt(next.endOffset());
                forgetBefore(next);
                cut = true;
            }
            if (cut) {
                measure();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Node " + settings.nodeId() + " cannot cut its metadata log", e);
        }
    }

    private boolean isTooMuch() {
        long limit = settings.values().longValue(BrokerConfigs.METADATA_MAX_RETENTION_BYTES);
        long bytes = log.sizeInBytes();
        for (Stored file : stored.values()) {
            bytes += file.sizeInBytes();
        }
        return limit >= 0 && bytes > limit;
    }

    private boolean isTooOld(Stored file) {
        long limit = settings.values().longValue(BrokerConfigs.METADATA_MAX_RETENTION_MS);
        return limit >= 0 && clock.wallTimeMs() - file.lastTimestampMs() > limit;
    }

    private void forgetBefore(SnapshotId kept) throws IOException {
        while (BY_END.compare(stored.firstKey(), kept) < 0) {
            SnapshotId old = stored.firstKey();
            stored.remove(old);
            Path deleted = SnapshotFiles.deleted(folder, old);
            disk.rename(SnapshotFiles.of(folder, old), deleted);
            loop.schedule(
                    settings.values().longValue(BrokerConfigs.INTERNAL_METADATA_DELETE_DELAY_MILLIS),
                    () -> delete(deleted));
        }
    }

    private void delete(Path file) {
        loop.runBeside(
                LANE,
                () -> {
                    disk.delete(file);
                    return file;
                },
                (done, failure) -> {
                    if (failure != null) {
                        LOG.warn("Left to the next start to delete: {}", file, failure);
                    }
                });
    }
}
