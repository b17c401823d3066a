package io.tidemark.broker.quorum;

import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.UpdateRaftVoterRequest;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.ReplicaKey;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterChange;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.types.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Changes the voters on the leader: has it decided, and writes what was. On the node's loop only. */
final class QuorumVoters {
    private static final short PLAINTEXT = 0;
    static final short LEAST_KRAFT_VERSION = 0;
    static final short MOST_KRAFT_VERSION = 1;

    private final QuorumSettings settings;
    private final Clock clock;
    private final QuorumReplica replica;
    private final Runnable onAppended;

    /** @param onAppended called when there are new records in the log */
    QuorumVoters(QuorumSettings settings, Clock clock, QuorumReplica replica, Runnable onAppended) {
        this.settings = settings;
        this.clock = clock;
        this.replica = replica;
        this.onAppended = onAppended;
    }

    VoterChange add(AddRaftVoterRequest request) {
        if (isOfAnotherCluster(request.clusterId())) {
            return otherCluster(request.clusterId());
        }
        List<Endpoint> endpoints = new ArrayList<>();
        request.listeners()
                .forEach(listener ->
                        endpoints.add(new Endpoint(listener.name(), listener.host(), listener.port(), PLAINTEXT)));
        Voter voter = new Voter(
                request.voterId(), request.voterDirectoryId(), endpoints, LEAST_KRAFT_VERSION, MOST_KRAFT_VERSION);
        return write(VoterChange.add(leader(), replica.voters(), voter, clock.wallTimeMs()));
    }

    VoterChange remove(RemoveRaftVoterRequest request) {
        if (isOfAnotherCluster(request.clusterId())) {
            return otherCluster(request.clusterId());
        }
        ReplicaKey key = new ReplicaKey(request.voterId(), request.voterDirectoryId());
        return write(VoterChange.remove(leader(), replica.voters(), key));
    }

    VoterChange update(UpdateRaftVoterRequest request, int leaderEpoch) {
        if (isOfAnotherCluster(request.clusterId())) {
            return otherCluster(request.clusterId());
        }
        if (request.currentLeaderEpoch() != leaderEpoch) {
            ErrorCode error = request.currentLeaderEpoch() < leaderEpoch
                    ? ErrorCode.FENCED_LEADER_EPOCH
                    : ErrorCode.UNKNOWN_LEADER_EPOCH;
            return new VoterChange.Refused(error, "The leader's epoch is " + leaderEpoch);
        }
        List<Endpoint> endpoints = new ArrayList<>();
        request.listeners()
                .forEach(listener ->
                        endpoints.add(new Endpoint(listener.name(), listener.host(), listener.port(), PLAINTEXT)));
        Voter voter = new Voter(
                request.voterId(),
                request.voterDirectoryId(),
                endpoints,
                request.kRaftVersionFeature().minSupportedVersion(),
                request.kRaftVersionFeature().maxSupportedVersion());
        return write(VoterChange.update(leader(), replica.voters(), voter));
    }

    /** @param controllers how the controllers are reached */
    VoterChange upgrade(Collection<ControllerRegistration> controllers) {
        List<Voter> reached = new ArrayList<>();
        for (ControllerRegistration controller : controllers) {
            Voter configured = replica.voters().voters().voter(controller.id());
            if (configured != null) {
                reached.add(new Voter(
                        controller.id(),
                        configured.directoryId(),
                        controller.endpoints(),
                        LEAST_KRAFT_VERSION,
                        MOST_KRAFT_VERSION));
            }
        }
        Leader leader = leader();
        VoterChange change = VoterChange.toKraftVersion1(leader, replica.voters(), VoterSet.of(reached));
        if (change instanceof VoterChange.Accepted) {
            try {
                replica.log().appendKraftVersion(leader.leaderEpoch(), MOST_KRAFT_VERSION);
            } catch (IOException e) {
                throw unwritten(e);
            }
        }
        return write(change);
    }

    private VoterChange write(VoterChange change) {
        if (change instanceof VoterChange.Accepted accepted) {
            try {
                replica.log().appendVoters(leader().leaderEpoch(), accepted.voters());
            } catch (IOException e) {
                throw unwritten(e);
            }
            replica.perform(List.of());
            onAppended.run();
        }
        return change;
    }

    private UncheckedIOException unwritten(IOException cause) {
        return new UncheckedIOException(
                "Controller " + settings.nodeId() + " could not write the voters to its metadata log", cause);
    }

    /** A leader without a vote leads only until its removal is committed. */
    void resignIfRemoved() {
        if (replica.raft().role() instanceof Leader && !replica.raft().isVoter()) {
            replica.resign(() -> {});
        }
    }

    private Leader leader() {
        if (replica.raft().role() instanceof Leader leader) {
            return leader;
        }
        throw new IllegalStateException("Node " + settings.nodeId() + " does not lead the quorum");
    }

    private boolean isOfAnotherCluster(@Nullable String clusterId) {
        return clusterId != null && !clusterId.equals(settings.clusterId());
    }

    private VoterChange otherCluster(@Nullable String clusterId) {
        return new VoterChange.Refused(
                ErrorCode.INCONSISTENT_CLUSTER_ID,
                "This is cluster [" + settings.clusterId() + "], asked was cluster [" + clusterId + "]");
    }
}
