package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest.CreatePartitionsAssignment;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest.CreatePartitionsTopic;
import io.tidemark.broker.protocol.message.CreatePartitionsResponse;
import io.tidemark.broker.protocol.message.CreatePartitionsResponse.CreatePartitionsTopicResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decides on CreatePartitions. */
final class PartitionCreation {
    private final ReplicaPlacer placer;

    PartitionCreation(ReplicaPlacer placer) {
        this.placer = placer;
    }

    ControllerResult<CreatePartitionsResponse> create(CreatePartitionsRequest request, MetadataImage image) {
        CreatePartitionsResponse response = new CreatePartitionsResponse();
        List<ApiMessage> records = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            CreatePartitionsTopicResult result = new CreatePartitionsTopicResult().setName(topic.name());
            response.results().add(result);
            try {
                if (!seen.add(topic.name())) {
                    throw new Rejection(
                            ErrorCode.INVALID_REQUEST, "Topic [" + topic.name() + "] is more than once in the request");
                }
                List<ApiMessage> created = decide(topic, image);
                if (!request.validateOnly()) {
                    records.addAll(created);
                }
            } catch (Rejection rejection) {
                result.setErrorCode(rejection.error().code()).setErrorMessage(rejection.reason());
            }
        }
        return new ControllerResult<>(records, response);
    }

    private List<ApiMessage> decide(CreatePartitionsTopic asked, MetadataImage image) {
        TopicImage topic = image.topics().topic(asked.name());
        if (topic == null) {
            throw new Rejection(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "Topic [" + asked.name() + "] does not exist");
        }
        int before = topic.partitions().size();
        if (asked.count() <= before) {
            throw new Rejection(
                    ErrorCode.INVALID_PARTITIONS,
                    "Topic [" + asked.name() + "] has " + before + " partitions; expected a count above that, not ["
                            + asked.count() + "], since partitions are never taken away");
        }
        int added = asked.count() - before;
        int replicationFactor =
                topic.partitions().values().iterator().next().replicas().size();
        List<CreatePartitionsAssignment> given = asked.assignments();
        List<List<Integer>> assignments = new ArrayList<>();
        if (given == null) {
            assignments = placer.place(image.cluster(), added, replicationFactor);
        } else {
            if (given.size() != added) {
                throw new Rejection(
                        ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                        given.size() + " assignments are given for " + added + " new partitions of topic ["
                                + asked.name() + "]");
            }
            for (CreatePartitionsAssignment assignment : given) {
                int partition = before + assignments.size();
                Assignments.requireValid(partition, assignment.brokerIds(), replicationFactor, image.cluster());
                assignments.add(assignment.brokerIds());
            }
        }
        List<ApiMessage> records = new ArrayList<>();
        for (int i = 0; i < added; i++) {
            records.add(
                    TopicCreation.partitionRecord(topic.id(), before + i, assignments.get(i), image, given != null));
        }
        return records;
    }
}
