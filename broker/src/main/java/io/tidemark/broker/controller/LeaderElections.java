package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.ElectLeadersResponse;
import io.tidemark.broker.protocol.message.ElectLeadersResponse.PartitionResult;
import io.tidemark.broker.protocol.message.ElectLeadersResponse.ReplicaElectionResult;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import java.util.ArrayList;
import java.util.List;

/** Decides on ElectLeaders: gives partitions back to their preferred leaders, or away to whoever is alive. */
final class LeaderElections {
    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;

    private final EffectiveConfigs configs;

    LeaderElections(EffectiveConfigs configs) {
        this.configs = configs;
    }

    ControllerResult<ElectLeadersResponse> elect(ElectLeadersRequest request, MetadataImage image) {
        ElectLeadersResponse response = new ElectLeadersResponse();
        if (request.electionType() != PREFERRED && request.electionType() != UNCLEAN) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.INVALID_REQUEST.code()));
        }
        Election election = request.electionType() == PREFERRED ? Election.PREFERRED : Election.UNCLEAN;
        List<ApiMessage> records = new ArrayList<>();
        List<ElectLeadersRequest.TopicPartitions> asked = request.topicPartitions();
        if (asked == null) {
            electAll(election, image, response, records);
            return new ControllerResult<>(records, response);
        }
        for (ElectLeadersRequest.TopicPartitions topic : asked) {
            ReplicaElectionResult result = new ReplicaElectionResult().setTopic(topic.topic());
            response.replicaElectionResults().add(result);
            for (int partition : topic.partitions()) {
                result.partitionResult().add(elect(topic.topic(), partition, election, image, records));
            }
        }
        return new ControllerResult<>(records, response);
    }

    /** One partition back to its preferred leader, where that may lead. */
    void electPreferred(String topicName, int partitionId, MetadataImage image, List<ApiMessage> records) {
        elect(topicName, partitionId, Election.PREFERRED, image, records);
    }

    /** Of all partitions, only those that an election could be for are told of. */
    private void electAll(
            Election election, MetadataImage image, ElectLeadersResponse response, List<ApiMessage> records) {
        for (TopicImage topic : image.topics().byName().values()) {
            ReplicaElectionResult result = new ReplicaElectionResult().setTopic(topic.name());
            for (int partition : topic.partitions().keySet()) {
                PartitionResult outcome = elect(topic.name(), partition, election, image, records);
                if (outcome.errorCode() != ErrorCode.ELECTION_NOT_NEEDED.code()) {
                    result.partitionResult().add(outcome);
                }
            }
            if (!result.partitionResult().isEmpty()) {
                response.replicaElectionResults().add(result);
            }
        }
    }

    private PartitionResult elect(
            String topicName, int partitionId, Election election, MetadataImage image, List<ApiMessage> records) {
        PartitionResult result = new PartitionResult().setPartitionId(partitionId);
        try {
            TopicImage topic = image.topics().topic(topicName);
            PartitionRegistration partition = topic == null ? null : topic.partition(partitionId);
            if (topic == null || partition == null) {
                throw new Rejection(
                        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                        "Partition " + topicName + "-" + partitionId + " does not exist");
            }
            records.add(elect(topic, partitionId, partition, election, image));
        } catch (Rejection rejection) {
            result.setErrorCode(rejection.error().code()).setErrorMessage(rejection.reason());
        }
        return result;
    }

    private PartitionChangeRecord elect(
            TopicImage topic,
            int partitionId,
            PartitionRegistration partition,
            Election election,
            MetadataImage image) {
        int preferred = partition.replicas().get(0);
        boolean isPreferred = election == Election.PREFERRED;
        if (isPreferred ? partition.leader() == preferred : partition.hasLeader()) {
            throw new Rejection(
                    ErrorCode.ELECTION_NOT_NEEDED,
                    "Partition " + topic.name() + "-" + partitionId + " is led by broker " + partition.leader()
                            + " already");
        }
        PartitionChangeRecord record = new LeaderChanges(image, configs)
                .builder(topic, partitionId, partition, image.cluster()::isActive)
                .election(election)
                .build();
        boolean isDone = record != null && (isPreferred ? record.leader() == preferred : record.leader() >= 0);
        if (record == null || !isDone) {
            throw new Rejection(
                    isPreferred ? ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE : ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
                    "Partition " + topic.name() + "-" + partitionId + " of replicas " + partition.replicas()
                            + " cannot be led by "
                            + (isPreferred
                                    ? "broker " + preferred + ", which is not in its ISR " + partition.isr()
                                    : "any of them: none is alive"));
        }
        return record;
    }
}
