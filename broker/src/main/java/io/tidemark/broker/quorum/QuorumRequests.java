package io.tidemark.broker.quorum;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BeginQuorumEpochRequest;
import io.tidemark.broker.protocol.message.BeginQuorumEpochResponse;
import io.tidemark.broker.protocol.message.EndQuorumEpochRequest;
import io.tidemark.broker.protocol.message.EndQuorumEpochResponse;
import io.tidemark.broker.protocol.message.VoteRequest;
import io.tidemark.broker.protocol.message.VoteResponse;
import io.tidemark.broker.raft.RaftReply;
import io.tidemark.broker.raft.RaftRequest;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Serves what the other voters ask, once it is clear that they mean this cluster and this replica. */
final class QuorumRequests {
    private final QuorumSettings settings;
    private final QuorumReplica replica;
    private final QuorumAddresses addresses;
    private final IntFunction<@Nullable Endpoint> endpoints;

    /**
     * @param addresses hears from whoever leads where that is
     * @param endpoints where a controller is reached, as far as that is known
     */
    QuorumRequests(
            QuorumSettings settings,
            QuorumReplica replica,
            QuorumAddresses addresses,
            IntFunction<@Nullable Endpoint> endpoints) {
        this.addresses = addresses;
        this.settings = settings;
        this.replica = replica;
        this.endpoints = endpoints;
    }

    void vote(VoteRequest message, Consumer<VoteResponse> respond) {
        RaftRequest.Vote vote = QuorumMessages.vote(message);
        ErrorCode refusal = refusal(message.clusterId(), vote);
        if (refusal != ErrorCode.NONE || vote == null) {
            respond.accept(new VoteResponse().setErrorCode(refusal.code()));
            return;
        }
        Uuid directoryId = message.topics().get(0).partitions().get(0).voterDirectoryId();
        serve(
                vote,
                message.voterId(),
                directoryId,
                reply -> respond.accept(QuorumMessages.voteResponse(reply, endpoints.apply(reply.leaderId()))));
    }

    void begin(BeginQuorumEpochRequest message, Consumer<BeginQuorumEpochResponse> respond) {
        RaftRequest.BeginQuorumEpoch begin = QuorumMessages.begin(message);
        ErrorCode refusal = refusal(message.clusterId(), begin);
        if (refusal != ErrorCode.NONE || begin == null) {
            respond.accept(new BeginQuorumEpochResponse().setErrorCode(refusal.code()));
            return;
        }
        if (begin.leaderEpoch() >= replica.raft().role().leaderEpoch()
                && !message.leaderEndpoints().isEmpty()) {
            // Before it is followed, for then it is fetched from at once.
            BeginQuorumEpochRequest.LeaderEndpoint first =
                    message.leaderEndpoints().get(0);
            addresses.learn(new QuorumVoter(begin.leaderId(), first.host(), first.port()));
        }
        Uuid directoryId = message.topics().get(0).partitions().get(0).voterDirectoryId();
        serve(
                begin,
                message.voterId(),
                directoryId,
                reply -> respond.accept(QuorumMessages.beginResponse(reply, endpoints.apply(reply.leaderId()))));
    }

    void end(EndQuorumEpochRequest message, short version, Consumer<EndQuorumEpochResponse> respond) {
        RaftRequest.EndQuorumEpoch end = QuorumMessages.end(message, version);
        ErrorCode refusal = refusal(message.clusterId(), end);
        if (refusal != ErrorCode.NONE || end == null) {
            respond.accept(new EndQuorumEpochResponse().setErrorCode(refusal.code()));
            return;
        }
        replica.serve(
                end, reply -> respond.accept(QuorumMessages.endResponse(reply, endpoints.apply(reply.leaderId()))));
    }

    private ErrorCode refusal(@Nullable String clusterId, @Nullable RaftRequest request) {
        if (clusterId != null && !clusterId.equals(settings.clusterId())) {
            return ErrorCode.INCONSISTENT_CLUSTER_ID;
        }
        return request == null ? ErrorCode.INVALID_REQUEST : ErrorCode.NONE;
    }

    /** A voter is asked by its id and directory, where the asking node knows them: it may have been replaced. */
    private void serve(RaftRequest request, int voterId, Uuid directoryId, Consumer<RaftReply> respond) {
        boolean isMeant = (voterId < 0 || voterId == settings.nodeId())
                && (directoryId.equals(Uuid.ZERO) || directoryId.equals(settings.directoryId()));
        if (isMeant) {
            replica.serve(request, respond);
        } else {
            int leaderEpoch = replica.raft().role().leaderEpoch();
            respond.accept(
                    new RaftReply(ErrorCode.INVALID_VOTER_KEY, replica.raft().leaderId(), leaderEpoch, false));
        }
    }
}
