package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest.ReassignablePartition;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest.ReassignableTopic;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse.ReassignablePartitionResponse;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse.ReassignableTopicResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse.OngoingPartitionReassignment;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse.OngoingTopicReassignment;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Begins, cancels and tells of reassignments (KIP-455). What ends one is a change of the ISR, wherever it comes from:
 * {@link PartitionChangeBuilder} sees to that. Each partition of a request stands or falls alone.
 */
final class PartitionReassignments {
    private final EffectiveConfigs configs;

    PartitionReassignments(EffectiveConfigs configs) {
        this.configs = configs;
    }

    ControllerResult<AlterPartitionReassignmentsResponse> alter(
            AlterPartitionReassignmentsRequest request, MetadataImage image) {
        AlterPartitionReassignmentsResponse response = new AlterPartitionReassignmentsResponse()
                .setErrorMessage(null)
                .setAllowReplicationFactorChange(request.allowReplicationFactorChange());
        List<ApiMessage> records = new ArrayList<>();
        for (ReassignableTopic topic : request.topics()) {
            ReassignableTopicResponse answered = new ReassignableTopicResponse().setName(topic.name());
            response.responses().add(answered);
            for (ReassignablePartition partition : topic.partitions()) {
                ReassignablePartitionResponse answer = new ReassignablePartitionResponse()
                        .setPartitionIndex(partition.partitionIndex())
                        .setErrorMessage(null);
                answered.partitions().add(answer);
                try {
                    boolean mayResize = request.allowReplicationFactorChange();
                    PartitionChangeRecord record = decide(topic.name(), partition, mayResize, image);
                    if (record != null) {
                        records.add(record);
                    }
                } catch (Rejection rejection) {
                    answer.setErrorCode(rejection.error().code()).setErrorMessage(rejection.reason());
                }
            }
        }
        return new ControllerResult<>(records, response);
    }

    private @Nullable PartitionChangeRecord decide(
            String topicName, ReassignablePartition asked, boolean mayResize, MetadataImage image) {
        TopicImage topic = image.topics().topic(topicName);
        PartitionRegistration partition = topic == null ? null : topic.partition(asked.partitionIndex());
        if (topic == null || partition == null) {
            throw new Rejection(
                    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
                    "Partition " + topicName + "-" + asked.partitionIndex() + " does not exist");
        }
        PartitionChangeBuilder builder = new LeaderChanges(image, configs)
                .builder(topic, asked.partitionIndex(), partition, image.cluster()::isActive);
        List<Integer> target = asked.replicas();
        return target == null
                ? cancel(builder, topic, asked.partitionIndex(), partition, image)
                : begin(builder, asked.partitionIndex(), partition, target, mayResize, image);
    }

    private static @Nullable PartitionChangeRecord begin(
            PartitionChangeBuilder builder,
            int partitionId,
            PartitionRegistration partition,
            List<Integer> target,
            boolean mayResize,
            MetadataImage image) {
        Assignments.requireValid(partitionId, target, target.size(), image.cluster());
        int before = Reassignment.of(partition).target().size();
        if (!mayResize && target.size() != before) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    // Apache Kafka's tool shows this to its user as it is, and its own test reads it.
                    "The replication factor is changed from " + before + " to " + target.size());
        }
        Reassignment wanted = Reassignment.between(partition.replicas(), target);
        // As in Kafka, a wish that adds nobody or removes nobody leaves what an earlier one adds or removes.
        return builder.assignment(new Reassignment(
                        wanted.replicas(),
                        wanted.removing().isEmpty() ? partition.removingReplicas() : wanted.removing(),
                        wanted.adding().isEmpty() ? partition.addingReplicas() : wanted.adding()))
                .build();
    }

    private @Nullable PartitionChangeRecord cancel(
            PartitionChangeBuilder builder,
            TopicImage topic,
            int partitionId,
            PartitionRegistration partition,
            MetadataImage image) {
        Reassignment current = Reassignment.of(partition);
        String name = topic.name() + "-" + partitionId;
        if (!current.isUnderWay()) {
            throw new Rejection(
                    ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "Partition " + name + " is not being reassigned");
        }
        List<Integer> original = current.original();
        if (original.isEmpty()) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "Partition " + name + " cannot go back: all its replicas " + current.replicas() + " are new");
        }
        List<Integer> isr = Reassignment.without(partition.isr(), current.adding());
        boolean isUncleanAllowed = configs.isUncleanElectionEnabled(image, topic.name());
        if (isr.isEmpty() && !isUncleanAllowed) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                    "Partition " + name + " cannot go back to " + original + ": none of them is in the ISR "
                            + partition.isr() + ", so records could be lost, and unclean election is off");
        }
        if (isUncleanAllowed) {
            builder.election(Election.UNCLEAN);
        }
        return builder.isr(isr.isEmpty() ? List.of(original.get(0)) : isr)
                .assignment(new Reassignment(original, List.of(), List.of()))
                .build();
    }

    static ListPartitionReassignmentsResponse list(ListPartitionReassignmentsRequest request, MetadataImage image) {
        ListPartitionReassignmentsResponse response = new ListPartitionReassignmentsResponse().setErrorMessage(null);
        List<ListPartitionReassignmentsTopics> asked = request.topics();
        if (asked == null) {
            image.topics().byName().values().forEach(topic -> add(topic, null, response));
        } else {
            for (ListPartitionReassignmentsTopics topic : asked) {
                TopicImage found = image.topics().topic(topic.name());
                if (found != null) {
                    add(found, topic.partitionIndexes(), response);
                }
            }
        }
        return response;
    }

    private static void add(
            TopicImage topic, @Nullable List<Integer> wanted, ListPartitionReassignmentsResponse response) {
        OngoingTopicReassignment ongoing = new OngoingTopicReassignment().setName(topic.name());
        topic.partitions().forEach((number, partition) -> {
            if (Reassignment.of(partition).isUnderWay() && (wanted == null || wanted.contains(number))) {
                ongoing.partitions()
                        .add(new OngoingPartitionReassignment()
                                .setPartitionIndex(number)
                                .setReplicas(partition.replicas())
                                .setAddingReplicas(partition.addingReplicas())
                                .setRemovingReplicas(partition.removingReplicas()));
            }
        });
        if (!ongoing.partitions().isEmpty()) {
            response.topics().add(ongoing);
        }
    }
}
