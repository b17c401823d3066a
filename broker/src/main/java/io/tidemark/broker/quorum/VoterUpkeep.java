package io.tidemark.broker.quorum;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.protocol.message.UpdateRaftVoterRequest;
import io.tidemark.broker.protocol.message.UpdateRaftVoterResponse;
import io.tidemark.broker.raft.Follower;
import io.tidemark.broker.raft.ReplicaKey;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Endpoint;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps this controller's entry among the voters right, while another leads (KIP-853): a voter that is reached elsewhere
 * than the log says, or speaks other versions, tells the leader; an observer asks for a vote where
 * {@code controller.quorum.auto.join.enable} is set, and first has its former self removed where it has lost its
 * directory. It looks once in a fetch timeout, so that what it asked for last has come by the log. On the node's loop
 * only.
 */
final class VoterUpkeep {
    private static final NodeLog LOG = NodeLog.of(VoterUpkeep.class);

    private final QuorumSettings settings;
    private final List<Endpoint> endpoints;
    private final RemoteControllerChannel channel;
    private final boolean joins;
    private int leaderEpoch = -1;
    private long lookedMs;
    private boolean isUnderWay;

    /** @param endpoints how this controller is reached */
    VoterUpkeep(QuorumSettings settings, List<Endpoint> endpoints, RemoteControllerChannel channel) {
        this.settings = settings;
        this.endpoints = endpoints;
        this.channel = channel;
        this.joins = settings.values().booleanValue(BrokerConfigs.CONTROLLER_QUORUM_AUTO_JOIN_ENABLE);
    }

    /** Time has passed. */
    void onTime(QuorumReplica replica, long nowMs) {
        if (!(replica.raft().role() instanceof Follower follower)
                || replica.voters().kraftVersion() < 1) {
            leaderEpoch = -1;
            return;
        }
        if (follower.leaderEpoch() != leaderEpoch) {
            leaderEpoch = follower.leaderEpoch();
            lookedMs = nowMs;
        }
        if (isUnderWay || nowMs - lookedMs < settings.fetchTimeoutMs()) {
            return;
        }
        lookedMs = nowMs;
        ApiMessage request = request(replica.voters().voters().voter(settings.nodeId()));
        if (request != null) {
            send(request);
        }
    }

    /** What to ask the leader for; null where all is well. */
    private @Nullable ApiMessage request(@Nullable Voter entry) {
        ReplicaKey self = new ReplicaKey(settings.nodeId(), settings.directoryId());
        if (entry != null && entry.is(self)) {
            return isRight(entry) ? null : update();
        }
        if (!joins) {
            return null;
        }
        return entry == null
                ? addition()
                : new RemoveRaftVoterRequest()
                        .setClusterId(settings.clusterId())
                        .setVoterId(entry.nodeId())
                        .setVoterDirectoryId(entry.directoryId());
    }

    private boolean isRight(Voter entry) {
        return entry.minKraftVersion() == QuorumVoters.LEAST_KRAFT_VERSION
                && entry.maxKraftVersion() == QuorumVoters.MOST_KRAFT_VERSION
                && places(entry.endpoints()).equals(places(endpoints));
    }

    /** A voter's entry does not say how its listeners are secured. */
    private static List<String> places(List<Endpoint> endpoints) {
        return endpoints.stream()
                .map(endpoint -> endpoint.listener() + "://" + endpoint.host() + ":" + endpoint.port())
                .sorted()
                .toList();
    }

    private UpdateRaftVoterRequest update() {
        UpdateRaftVoterRequest request = new UpdateRaftVoterRequest()
                .setClusterId(settings.clusterId())
                .setCurrentLeaderEpoch(leaderEpoch)
                .setVoterId(settings.nodeId())
                .setVoterDirectoryId(settings.directoryId());
        request.kRaftVersionFeature()
                .setMinSupportedVersion(QuorumVoters.LEAST_KRAFT_VERSION)
                .setMaxSupportedVersion(QuorumVoters.MOST_KRAFT_VERSION);
        endpoints.forEach(endpoint -> request.listeners()
                .add(new UpdateRaftVoterRequest.Listener()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())));
        return request;
    }

    private AddRaftVoterRequest addition() {
        AddRaftVoterRequest request = new AddRaftVoterRequest()
                .setClusterId(settings.clusterId())
                .setTimeoutMs((int) settings.requestTimeoutMs())
                .setVoterId(settings.nodeId())
                .setVoterDirectoryId(settings.directoryId())
                .setAckWhenCommitted(false);
        endpoints.forEach(endpoint -> request.listeners()
                .add(new AddRaftVoterRequest.Listener()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())));
        return request;
    }

    private void send(ApiMessage request) {
        isUnderWay = true;
        channel.send(request, settings.requestTimeoutMs(), new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                isUnderWay = false;
                ErrorCode error = errorOf(response);
                if (error == ErrorCode.NONE) {
                    LOG.info("Controller {}: {} is done", settings.nodeId(), nameOf(request));
                } else {
                    LOG.info("Controller {}: {} is refused: {}", settings.nodeId(), nameOf(request), error);
                }
            }

            @Override
            public void onFailure(IOException cause) {
                isUnderWay = false;
                LOG.debug("Controller {}: {} is not answered", settings.nodeId(), nameOf(request), cause);
            }
        });
    }

    private static String nameOf(ApiMessage request) {
        return request.getClass().getSimpleName();
    }

    private static ErrorCode errorOf(ApiMessage response) {
        if (response instanceof AddRaftVoterResponse addition) {
            return ErrorCode.forCode(addition.errorCode());
        }
        if (response instanceof RemoveRaftVoterResponse removal) {
            return ErrorCode.forCode(removal.errorCode());
        }
        return ErrorCode.forCode(((UpdateRaftVoterResponse) response).errorCode());
    }

    void close() {
        channel.close();
    }
}
