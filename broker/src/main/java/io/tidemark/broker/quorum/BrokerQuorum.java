package io.tidemark.broker.quorum;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peers;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A broker's part in the quorum: its metadata, its way to the controller, its life as a registered broker. Heartbeats
 * have a link of their own, so that no long request holds them up. On the node's loop only.
 */
public final class BrokerQuorum {
    private final @Nullable MetadataFollower follower;
    private final MetadataSource metadata;
    private final RemoteControllerChannel requests;
    private final RemoteControllerChannel heartbeats;
    private final BrokerLifecycle lifecycle;

    /**
     * @param directory the directory of the metadata log, open; not used where the node is a controller too
     * @param random seeded
     * @param controller the controller of the same node, whose metadata is then the broker's too; null where there is
     *     none
     */
    public BrokerQuorum(
            QuorumSettings settings,
            BrokerIdentity identity,
            Clock clock,
            Loop loop,
            Peers peers,
            Disk disk,
            LogDirectory directory,
            RandomGenerator random,
            @Nullable ControllerNode controller,
            BrokerLifecycle.Listener listener) {
        QuorumAddresses addresses;
        if (controller == null) {
            addresses = new QuorumAddresses(settings.voters());
            follower = new MetadataFollower(settings, clock, loop, peers, disk, directory, addresses, random);
            metadata = follower;
        } else {
            addresses = controller.addresses();
            follower = null;
            metadata = controller;
        }
        requests = new RemoteControllerChannel(settings, addresses, clock, loop, peers, "controller-requests");
        heartbeats = new RemoteControllerChannel(settings, addresses, clock, loop, peers, "broker-heartbeats");
        lifecycle = new BrokerLifecycle(settings, identity, metadata, heartbeats, loop, listener);
    }

    /** Opens the copy of the metadata log, starts to fetch, and registers. Listeners are to be added before. */
    public void start() throws IOException {
        if (follower != null) {
            follower.start();
        }
        lifecycle.start();
    }

    /** The finalized kraft.version, which is not in the image: the voters decide on it. */
    public short kraftVersion() {
        return metadata instanceof ControllerNode controller
                ? controller.kraftVersion()
                : follower == null ? 0 : follower.kraftVersion();
    }

    /** Lets go of all links. Nothing is sent any more. */
    public void close() {
        lifecycle.close();
        if (follower != null) {
            follower.close();
        }
        requests.close();
        heartbeats.close();
    }

    public MetadataSource metadata() {
        return metadata;
    }

    public ControllerChannel controllerChannel() {
        return requests;
    }

    public BrokerLifecycle lifecycle() {
        return lifecycle;
    }
}
