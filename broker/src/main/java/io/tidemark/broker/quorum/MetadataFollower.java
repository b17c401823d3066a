package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Stalls;
import io.tidemark.broker.transport.Peers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An observer of the quorum: keeps this broker's own copy of the metadata log by fetching from the leader, and replays
 * it as far as the leader's high watermark. On the node's loop only.
 */
final class MetadataFollower implements MetadataSource {
    private final QuorumSettings settings;
    private final Clock clock;
    private final Loop loop;
    private final Peers peers;
    private final Disk disk;
    private final LogDirectory directory;
    private final QuorumAddresses addresses;
    private final RandomGenerator random;
    private final MetadataPublisher committed = new MetadataPublisher();

    private @Nullable QuorumReplica replica;

    MetadataFollower(
            QuorumSettings settings,
            Clock clock,
            Loop loop,
            Peers peers,
            Disk disk,
            LogDirectory directory,
            QuorumAddresses addresses,
            RandomGenerator random) {
        this.settings = settings;
        this.clock = clock;
        this.loop = loop;
        this.peers = peers;
        this.disk = disk;
        this.directory = directory;
        this.addresses = addresses;
        this.random = random;
    }

    void start() throws IOException {
        QuorumReplica opened = new QuorumReplica(
                settings,
                clock,
                Stalls.NONE,
                loop,
                peers,
                disk,
                directory,
                addresses,
                List.of(),
                random,
                false,
                new QuorumListener());
        replica = opened;
        opened.start();
    }

    void close() {
        if (replica != null) {
            replica.close();
        }
    }

    /** This node's copy of the metadata log, null before the start. */
    @Nullable
    QuorumReplica replica() {
        return replica;
    }

    /** By what is in this node's log. */
    short kraftVersion() {
        return replica == null ? 0 : replica.voters().kraftVersion();
    }

    @Override
    public MetadataImage image() {
        return committed.image();
    }

    @Override
    public void addListener(MetadataListener listener) {
        committed.addListener(listener);
    }

    /** Hears what this node learns of the quorum. */
    private final class QuorumListener implements QuorumReplica.Listener {
        @Override
        public void onHighWatermark(long highWatermark) {
            replay(highWatermark);
        }

        @Override
        public void onSnapshot(MetadataImage image) {
            committed.publish(MetadataDelta.between(committed.image(), image));
        }

        @Override
        public MetadataImage image() {
            return committed.image();
        }
    }

    private void replay(long highWatermark) {
        if (replica == null) {
            return;
        }
        long from = committed.image().lastOffset() + 1;
        if (from < highWatermark) {
            MetadataDelta delta = new MetadataDelta(committed.image());
            try {
                replica.log().replay(from, highWatermark, delta);
            } catch (IOException e) {
                throw new UncheckedIOException("Broker " + settings.nodeId() + " cannot read its metadata log", e);
            }
            committed.publish(delta);
        }
    }
}
