package io.tidemark.broker.quorum;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.controller.ControllerFeatures;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a broker registered and alive in the controller's eyes.
 *
 * <pre>
 *   REGISTERING -> CATCHING_UP -> FENCED -> RUNNING -> STOPPING -> STOPPED
 *        |              |  its own registration is replayed   |
 *        |              +---> onCaughtUp                      +-- the controller may also let a fenced one go
 *        +-- again and again until the controller takes it
 * </pre>
 *
 * <p>RUNNING begins when the broker sees itself unfenced in the metadata that it has replayed, so that by then it has
 * seen all that was decided before. A broker that was fenced while it could not be heard simply goes on heartbeating,
 * and is unfenced again. On the node's loop only.
 */
public final class BrokerLifecycle {
    private static final NodeLog LOG = NodeLog.of(BrokerLifecycle.class);
    private static final long REGISTRATION_RETRY_MS = 50;
    private static final long STOPPING_HEARTBEAT_MS = 20;

    private final QuorumSettings settings;
    private final BrokerIdentity identity;
    private final MetadataSource metadata;
    private final ControllerChannel channel;
    private final Loop loop;
    private final Listener listener;
    private final long heartbeatIntervalMs;
    private final long sessionTimeoutMs;

    private Phase phase = Phase.REGISTERING;
    private final Set<Uuid> offlineDirectories = new TreeSet<>(Comparator.comparing(Uuid::toString));
    private long brokerEpoch = -1;
    private boolean isHeartbeatUnderWay;
    private boolean isHeartbeatWanted;
    private boolean isClosed;
    private Loop.@Nullable Timer nextHeartbeat;
    private Loop.@Nullable Timer stopDeadline;
    private @Nullable Runnable onStopped;

    private enum Phase {
        REGISTERING,
        CATCHING_UP,
        FENCED,
        RUNNING,
        STOPPING,
        STOPPED
    }

    /** Hears of the broker's way up. On the node's loop. */
    public interface Listener {
        /** The broker's own registration is in its metadata: replicas may be taken up. Called once. */
        void onCaughtUp();

        /** The broker is unfenced, and knows it from its own metadata. Called once. */
        void onUnfenced();
    }

    BrokerLifecycle(
            QuorumSettings settings,
            BrokerIdentity identity,
            MetadataSource metadata,
            ControllerChannel channel,
            Loop loop,
            Listener listener) {
        this.settings = settings;
        this.identity = identity;
        this.metadata = metadata;
        this.channel = channel;
        this.loop = loop;
        this.listener = listener;
        this.heartbeatIntervalMs = settings.values().longValue(BrokerConfigs.BROKER_HEARTBEAT_INTERVAL_MS);
        this.sessionTimeoutMs = settings.values().longValue(BrokerConfigs.BROKER_SESSION_TIMEOUT_MS);
    }

    /** The epoch that the controller gave, -1 before the first registration. */
    public long brokerEpoch() {
        return brokerEpoch;
    }

    void start() {
        metadata.addListener((delta, image) -> onMetadata(image));
        register();
    }

    void close() {
        isClosed = true;
        cancel(nextHeartbeat);
        cancel(stopDeadline);
    }

    /** A log directory went offline: the controller hears of it at once, and with every heartbeat from now on (KIP-858). */
    public void onDirectoryOffline(Uuid directoryId) {
        if (offlineDirectories.add(directoryId) && phase != Phase.REGISTERING && phase != Phase.CATCHING_UP) {
            heartbeat();
        }
    }

    /**
     * Asks the controller to move the leaderships away and to let this broker go.
     *
     * @param timeoutMs after so long the broker goes without leave
     * @param done called once, on the loop
     */
    public void stop(long timeoutMs, Runnable done) {
        if (onStopped != null || phase == Phase.STOPPED || isClosed) {
            loop.execute(done);
            return;
        }
        if (phase == Phase.REGISTERING) {
            phase = Phase.STOPPED;
            loop.execute(done);
            return;
        }
        onStopped = done;
        phase = Phase.STOPPING;
        stopDeadline = loop.schedule(timeoutMs, () -> {
            LOG.warn(
                    "Broker {} stops without the controller's leave, which did not come in {} ms",
                    identity.brokerId(),
                    timeoutMs);
            stopped();
        });
        heartbeat();
    }

    private void register() {
        if (isClosed || phase != Phase.REGISTERING) {
            return;
        }
        channel.send(registration(), sessionTimeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                onRegistration((BrokerRegistrationResponse) response);
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("Broker {} is not registered yet: {}", identity.brokerId(), cause.getMessage());
                again();
            }
        });
    }

    private void again() {
        if (!isClosed) {
            loop.schedule(REGISTRATION_RETRY_MS, this::register);
        }
    }

    private BrokerRegistrationRequest registration() {
        BrokerRegistrationRequest request = new BrokerRegistrationRequest()
                .setBrokerId(identity.brokerId())
                .setClusterId(settings.clusterId())
                .setIncarnationId(identity.incarnationId())
                .setRack(identity.rack())
                .setLogDirs(identity.logDirectories())
                .setPreviousBrokerEpoch(identity.previousBrokerEpoch());
        identity.listeners().forEach(endpoint -> request.listeners()
                .add(new BrokerRegistrationRequest.Listener()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setSecurityProtocol(endpoint.securityProtocol())));
        ControllerFeatures.supported(settings.values()).forEach((name, range) -> request.features()
                .add(new BrokerRegistrationRequest.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return request;
    }

    private void onRegistration(BrokerRegistrationResponse response) {
        if (isClosed || phase != Phase.REGISTERING) {
            return;
        }
        if (response.errorCode() == ErrorCode.DUPLICATE_BROKER_REGISTRATION.code()) {
            // The session of this broker's last life has to run out first.
            again();
            return;
        }
        if (response.errorCode() != ErrorCode.NONE.code()) {
            LOG.error(
                    "Broker {} is refused by the controller: {}; it tries again",
                    identity.brokerId(),
                    ErrorCode.forCode(response.errorCode()));
            again();
            return;
        }
        brokerEpoch = response.brokerEpoch();
        phase = Phase.CATCHING_UP;
        onMetadata(metadata.image());
    }

    private void onMetadata(MetadataImage image) {
        if (isClosed) {
            return;
        }
        BrokerRegistration self = image.cluster().broker(identity.brokerId());
        if (self == null || self.epoch() != brokerEpoch) {
            return;
        }
        if (phase == Phase.CATCHING_UP) {
            phase = Phase.FENCED;
            listener.onCaughtUp();
            heartbeat();
        }
        if (phase == Phase.FENCED && !self.fenced()) {
            phase = Phase.RUNNING;
            listener.onUnfenced();
        }
    }

    /** Now, or as soon as the one under way is answered. */
    private void heartbeat() {
        if (isClosed || phase == Phase.STOPPED) {
            return;
        }
        if (isHeartbeatUnderWay) {
            isHeartbeatWanted = true;
            return;
        }
        cancel(nextHeartbeat);
        isHeartbeatUnderWay = true;
        isHeartbeatWanted = false;
        BrokerHeartbeatRequest request = new BrokerHeartbeatRequest()
                .setBrokerId(identity.brokerId())
                .setBrokerEpoch(brokerEpoch)
                .setCurrentMetadataOffset(metadata.image().lastOffset())
                .setWantFence(false)
                .setOfflineLogDirs(new ArrayList<>(offlineDirectories))
                .setWantShutDown(phase == Phase.STOPPING);
        channel.send(request, sessionTimeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                onHeartbeat((BrokerHeartbeatResponse) response);
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("Broker {} has no answer to a heartbeat: {}", identity.brokerId(), cause.getMessage());
                afterHeartbeat(heartbeatIntervalMs);
            }
        });
    }

    private void onHeartbeat(BrokerHeartbeatResponse response) {
        if (isClosed) {
            return;
        }
        if (response.errorCode() != ErrorCode.NONE.code()) {
            LOG.warn(
                    "Broker {} has a heartbeat refused: {}",
                    identity.brokerId(),
                    ErrorCode.forCode(response.errorCode()));
        } else if (phase == Phase.STOPPING && response.shouldShutDown()) {
            stopped();
            return;
        }
        afterHeartbeat(phase == Phase.STOPPING ? STOPPING_HEARTBEAT_MS : heartbeatIntervalMs);
    }

    private void afterHeartbeat(long delayMs) {
        isHeartbeatUnderWay = false;
        if (isClosed || phase == Phase.STOPPED) {
            return;
        }
        if (isHeartbeatWanted) {
            heartbeat();
        } else {
            nextHeartbeat = loop.schedule(delayMs, this::heartbeat);
        }
    }

    private void stopped() {
        cancel(nextHeartbeat);
        cancel(stopDeadline);
        phase = Phase.STOPPED;
        Runnable done = onStopped;
        onStopped = null;
        if (done != null) {
            done.run();
        }
    }

    private static void cancel(Loop.@Nullable Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
    }
}
