package io.tidemark.broker.quorum;

import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.raft.Leader;
import io.tidemark.broker.raft.ReplicaProgress;
import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer to DescribeQuorum. */
final class QuorumDescription {
    private QuorumDescription() {}

    static DescribeQuorumResponse describe(
            DescribeQuorumRequest request,
            @Nullable Leader leader,
            QuorumSettings settings,
            long logEndOffset,
            long wallTimeMs,
            Collection<ControllerRegistration> controllers) {
        DescribeQuorumResponse response = new DescribeQuorumResponse();
        for (DescribeQuorumRequest.TopicData asked : request.topics()) {
            DescribeQuorumResponse.TopicData topic =
                    new DescribeQuorumResponse.TopicData().setTopicName(asked.topicName());
            response.topics().add(topic);
            for (DescribeQuorumRequest.PartitionData askedPartition : asked.partitions()) {
                DescribeQuorumResponse.PartitionData partition =
                        new DescribeQuorumResponse.PartitionData().setPartitionIndex(askedPartition.partitionIndex());
                topic.partitions().add(partition);
                boolean isMetadata =
                        asked.topicName().equals("__cluster_metadata") && askedPartition.partitionIndex() == 0;
                if (!isMetadata) {
                    partition.setErrorCode(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
                } else if (leader == null) {
                    partition.setErrorCode(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
                } else {
                    describe(partition, leader, settings, logEndOffset, wallTimeMs);
                }
            }
        }
        if (leader != null) {
            addNodes(response, leader, controllers);
        }
        return response;
    }

    /** Where each voter is reached: as it registered, else as the voter set has it. */
    private static void addNodes(
            DescribeQuorumResponse response, Leader leader, Collection<ControllerRegistration> controllers) {
        for (Voter voter : leader.voterSet().voters()) {
            List<Endpoint> endpoints = voter.endpoints();
            for (ControllerRegistration controller : controllers) {
                if (controller.id() == voter.nodeId()) {
                    endpoints = controller.endpoints();
                }
            }
            DescribeQuorumResponse.Node node = new DescribeQuorumResponse.Node().setNodeId(voter.nodeId());
            endpoints.forEach(endpoint -> node.listeners()
                    .add(new DescribeQuorumResponse.Listener()
                            .setName(endpoint.listener())
                            .setHost(endpoint.host())
                            .setPort(endpoint.port())));
            response.nodes().add(node);
        }
    }

    private static void describe(
            DescribeQuorumResponse.PartitionData partition,
            Leader leader,
            QuorumSettings settings,
            long logEndOffset,
            long wallTimeMs) {
        partition
                .setLeaderId(settings.nodeId())
                .setLeaderEpoch(leader.leaderEpoch())
                .setHighWatermark(leader.highWatermark());
        for (ReplicaProgress replica : leader.voters(logEndOffset, wallTimeMs)) {
            // As the voter set has it: voters that are given by configuration have no directory there, as in Kafka.
            Voter voter = leader.voterSet().voter(replica.replicaId());
            Uuid directoryId = voter == null ? replica.directoryId() : voter.directoryId();
            partition.currentVoters().add(state(replica, directoryId));
        }
        leader.observers(logEndOffset, wallTimeMs)
                .forEach(replica -> partition.observers().add(state(replica, replica.directoryId())));
    }

    private static DescribeQuorumResponse.ReplicaState state(ReplicaProgress replica, Uuid directoryId) {
        return new DescribeQuorumResponse.ReplicaState()
                .setReplicaId(replica.replicaId())
                .setReplicaDirectoryId(directoryId)
                .setLogEndOffset(replica.logEndOffset())
                .setLastFetchTimestamp(replica.lastFetchTimeMs())
                .setLastCaughtUpTimestamp(replica.lastCaughtUpTimeMs());
    }
}
