package io.tidemark.broker.quorum;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.BeginQuorumEpochRequest;
import io.tidemark.broker.protocol.message.BeginQuorumEpochResponse;
import io.tidemark.broker.protocol.message.EndQuorumEpochRequest;
import io.tidemark.broker.protocol.message.EndQuorumEpochResponse;
import io.tidemark.broker.protocol.message.VoteRequest;
import io.tidemark.broker.protocol.message.VoteResponse;
import io.tidemark.broker.raft.RaftReply;
import io.tidemark.broker.raft.RaftRequest;
import io.tidemark.broker.raft.ReplicaKey;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What voters say to one another, in the messages of Kafka's protocol: each is about the one metadata partition. */
final class QuorumMessages {
    static final String METADATA_TOPIC = "__cluster_metadata";

    private QuorumMessages() {}

    /** @param selfEndpoints where a leader tells others that it is reached */
    static ApiMessage request(RaftRequest request, Voter to, String clusterId, List<Endpoint> selfEndpoints) {
        if (request instanceof RaftRequest.Vote vote) {
            return vote(vote, to, clusterId);
        }
        if (request instanceof RaftRequest.BeginQuorumEpoch begin) {
            return begin(begin, to, clusterId, selfEndpoints);
        }
        return end((RaftRequest.EndQuorumEpoch) request, clusterId, selfEndpoints);
    }

    private static VoteRequest vote(RaftRequest.Vote vote, Voter to, String clusterId) {
        VoteRequest.TopicData topic = new VoteRequest.TopicData().setTopicName(METADATA_TOPIC);
        topic.partitions()
                .add(new VoteRequest.PartitionData()
                        .setPartitionIndex(0)
                        .setReplicaEpoch(vote.leaderEpoch())
                        .setReplicaId(vote.candidate().nodeId())
                        .setReplicaDirectoryId(vote.candidate().directoryId())
                        .setVoterDirectoryId(to.directoryId())
                        .setLastOffsetEpoch(vote.lastEpoch())
                        .setLastOffset(vote.logEndOffset())
                        .setPreVote(vote.isPreVote()));
        VoteRequest message = new VoteRequest().setClusterId(clusterId).setVoterId(to.nodeId());
        message.topics().add(topic);
        return message;
    }

    private static BeginQuorumEpochRequest begin(
            RaftRequest.BeginQuorumEpoch begin, Voter to, String clusterId, List<Endpoint> selfEndpoints) {
        BeginQuorumEpochRequest.TopicData topic = new BeginQuorumEpochRequest.TopicData().setTopicName(METADATA_TOPIC);
        topic.partitions()
                .add(new BeginQuorumEpochRequest.PartitionData()
                        .setPartitionIndex(0)
                        .setVoterDirectoryId(to.directoryId())
                        .setLeaderId(begin.leaderId())
                        .setLeaderEpoch(begin.leaderEpoch()));
        BeginQuorumEpochRequest message =
                new BeginQuorumEpochRequest().setClusterId(clusterId).setVoterId(to.nodeId());
        message.topics().add(topic);
        selfEndpoints.forEach(endpoint -> message.leaderEndpoints()
                .add(new BeginQuorumEpochRequest.LeaderEndpoint()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())));
        return message;
    }

    private static EndQuorumEpochRequest end(
            RaftRequest.EndQuorumEpoch end, String clusterId, List<Endpoint> selfEndpoints) {
        EndQuorumEpochRequest.PartitionData partition = new EndQuorumEpochRequest.PartitionData()
                .setPartitionIndex(0)
                .setLeaderId(end.leaderId())
                .setLeaderEpoch(end.leaderEpoch());
        for (ReplicaKey successor : end.successors()) {
            partition.preferredSuccessors().add(successor.nodeId());
            partition
                    .preferredCandidates()
                    .add(new EndQuorumEpochRequest.ReplicaInfo()
                            .setCandidateId(successor.nodeId())
                            .setCandidateDirectoryId(successor.directoryId()));
        }
        EndQuorumEpochRequest.TopicData topic = new EndQuorumEpochRequest.TopicData().setTopicName(METADATA_TOPIC);
        topic.partitions().add(partition);
        EndQuorumEpochRequest message = new EndQuorumEpochRequest().setClusterId(clusterId);
        message.topics().add(topic);
        selfEndpoints.forEach(endpoint -> message.leaderEndpoints()
                .add(new EndQuorumEpochRequest.LeaderEndpoint()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())));
        return message;
    }

    /** What a voter answered, null where it is not able to answer now. */
    static @Nullable RaftReply reply(ApiMessage response) {
        if (response instanceof VoteResponse vote && isOne(vote.topics().size())) {
            for (VoteResponse.PartitionData partition : vote.topics().get(0).partitions()) {
                return reply(
                        partition.errorCode(), partition.leaderId(), partition.leaderEpoch(), partition.voteGranted());
            }
        }
        if (response instanceof BeginQuorumEpochResponse begin
                && isOne(begin.topics().size())) {
            for (BeginQuorumEpochResponse.PartitionData partition :
                    begin.topics().get(0).partitions()) {
                return reply(partition.errorCode(), partition.leaderId(), partition.leaderEpoch(), false);
            }
        }
        if (response instanceof EndQuorumEpochResponse end && isOne(end.topics().size())) {
            for (EndQuorumEpochResponse.PartitionData partition :
                    end.topics().get(0).partitions()) {
                return reply(partition.errorCode(), partition.leaderId(), partition.leaderEpoch(), false);
            }
        }
        return null;
    }

    private static boolean isOne(int count) {
        return count == 1;
    }

    private static RaftReply reply(short errorCode, int leaderId, int leaderEpoch, boolean isVoteGranted) {
        return new RaftReply(ErrorCode.forCode(errorCode), leaderId, leaderEpoch, isVoteGranted);
    }

    /** The vote asked for, null where the request is not about the metadata partition alone. */
    static RaftRequest.@Nullable Vote vote(VoteRequest message) {
        if (message.topics().size() != 1
                || !message.topics().get(0).topicName().equals(METADATA_TOPIC)
                || message.topics().get(0).partitions().size() != 1) {
            return null;
        }
        VoteRequest.PartitionData partition =
                message.topics().get(0).partitions().get(0);
        return partition.partitionIndex() != 0
                ? null
                : new RaftRequest.Vote(
                        partition.replicaEpoch(),
                        new ReplicaKey(partition.replicaId(), partition.replicaDirectoryId()),
                        partition.lastOffsetEpoch(),
                        partition.lastOffset(),
                        partition.preVote());
    }

    static RaftRequest.@Nullable BeginQuorumEpoch begin(BeginQuorumEpochRequest message) {
        if (message.topics().size() != 1
                || !message.topics().get(0).topicName().equals(METADATA_TOPIC)
                || message.topics().get(0).partitions().size() != 1) {
            return null;
        }
        BeginQuorumEpochRequest.PartitionData partition =
                message.topics().get(0).partitions().get(0);
        return partition.partitionIndex() != 0
                ? null
                : new RaftRequest.BeginQuorumEpoch(partition.leaderEpoch(), partition.leaderId());
    }

    static RaftRequest.@Nullable EndQuorumEpoch end(EndQuorumEpochRequest message, short version) {
        if (message.topics().size() != 1
                || !message.topics().get(0).topicName().equals(METADATA_TOPIC)
                || message.topics().get(0).partitions().size() != 1) {
            return null;
        }
        EndQuorumEpochRequest.PartitionData partition =
                message.topics().get(0).partitions().get(0);
        if (partition.partitionIndex() != 0) {
            return null;
        }
        List<ReplicaKey> successors = new ArrayList<>();
        if (version == 0) {
            partition.preferredSuccessors().forEach(id -> successors.add(new ReplicaKey(id, Uuid.ZERO)));
        } else {
            partition
                    .preferredCandidates()
                    .forEach(candidate ->
                            successors.add(new ReplicaKey(candidate.candidateId(), candidate.candidateDirectoryId())));
        }
        return new RaftRequest.EndQuorumEpoch(partition.leaderEpoch(), partition.leaderId(), successors);
    }

    static VoteResponse voteResponse(RaftReply reply, @Nullable Endpoint leader) {
        VoteResponse.TopicData topic = new VoteResponse.TopicData().setTopicName(METADATA_TOPIC);
        topic.partitions()
                .add(new VoteResponse.PartitionData()
                        .setPartitionIndex(0)
                        .setErrorCode(reply.error().code())
                        .setLeaderId(reply.leaderId())
                        .setLeaderEpoch(reply.leaderEpoch())
                        .setVoteGranted(reply.isVoteGranted()));
        VoteResponse response = new VoteResponse();
        response.topics().add(topic);
        if (leader != null) {
            response.nodeEndpoints()
                    .add(new VoteResponse.NodeEndpoint()
                            .setNodeId(reply.leaderId())
                            .setHost(leader.host())
                            .setPort(leader.port()));
        }
        return response;
    }

    static BeginQuorumEpochResponse beginResponse(RaftReply reply, @Nullable Endpoint leader) {
        BeginQuorumEpochResponse.TopicData topic =
                new BeginQuorumEpochResponse.TopicData().setTopicName(METADATA_TOPIC);
        topic.partitions()
                .add(new BeginQuorumEpochResponse.PartitionData()
                        .setPartitionIndex(0)
                        .setErrorCode(reply.error().code())
                        .setLeaderId(reply.leaderId())
                        .setLeaderEpoch(reply.leaderEpoch()));
        BeginQuorumEpochResponse response = new BeginQuorumEpochResponse();
        response.topics().add(topic);
        if (leader != null) {
            response.nodeEndpoints()
                    .add(new BeginQuorumEpochResponse.NodeEndpoint()
                            .setNodeId(reply.leaderId())
                            .setHost(leader.host())
                            .setPort(leader.port()));
        }
        return response;
    }

    static EndQuorumEpochResponse endResponse(RaftReply reply, @Nullable Endpoint leader) {
        EndQuorumEpochResponse.TopicData topic = new EndQuorumEpochResponse.TopicData().setTopicName(METADATA_TOPIC);
        topic.partitions()
                .add(new EndQuorumEpochResponse.PartitionData()
                        .setPartitionIndex(0)
                        .setErrorCode(reply.error().code())
                        .setLeaderId(reply.leaderId())
                        .setLeaderEpoch(reply.leaderEpoch()));
        EndQuorumEpochResponse response = new EndQuorumEpochResponse();
        response.topics().add(topic);
        if (leader != null) {
            response.nodeEndpoints()
                    .add(new EndQuorumEpochResponse.NodeEndpoint()
                            .setNodeId(reply.leaderId())
                            .setHost(leader.host())
                            .setPort(leader.port()));
        }
        return response;
    }
}
