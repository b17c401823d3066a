package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest.DeleteTopicState;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse.DeletableTopicResult;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides on DeleteTopics, by name or by id. */
final class TopicDeletion {
    private final ControllerSettings settings;

    TopicDeletion(ControllerSettings settings) {
        this.settings = settings;
    }

    ControllerResult<DeleteTopicsResponse> delete(DeleteTopicsRequest request, MetadataImage image) {
        List<DeleteTopicState> asked = new ArrayList<>(request.topics());
        request.topicNames().forEach(name -> asked.add(new DeleteTopicState().setName(name)));
        DeleteTopicsResponse response = new DeleteTopicsResponse();
        List<ApiMessage> records = new ArrayList<>();
        Set<Uuid> deleted = new LinkedHashSet<>();
        for (DeleteTopicState topic : asked) {
            DeletableTopicResult result =
                    new DeletableTopicResult().setName(topic.name()).setTopicId(topic.topicId());
            response.responses().add(result);
            try {
                TopicImage found = find(topic, image);
                result.setName(found.name()).setTopicId(found.id());
                if (!deleted.add(found.id())) {
                    throw new Rejection(
                            ErrorCode.INVALID_REQUEST, "Topic [" + found.name() + "] is more than once in the request");
                }
                records.add(new RemoveTopicRecord().setTopicId(found.id()));
            } catch (Rejection rejection) {
                result.setErrorCode(rejection.error().code()).setErrorMessage(rejection.reason());
            }
        }
        return new ControllerResult<>(records, response);
    }

    private TopicImage find(DeleteTopicState topic, MetadataImage image) {
        String name = topic.name();
        if (!settings.topicDeletionEnabled()) {
            throw new Rejection(
                    ErrorCode.TOPIC_DELETION_DISABLED, "Topics cannot be deleted: delete.topic.enable is [false]");
        }
        if (name != null && !topic.topicId().isZero()) {
            throw new Rejection(
                    ErrorCode.INVALID_REQUEST,
                    "Topic [" + name + "] is named together with the id " + topic.topicId() + "; give one of them");
        }
        if (name == null && topic.topicId().isZero()) {
            throw new Rejection(ErrorCode.INVALID_REQUEST, "A topic to delete has neither a name nor an id");
        }
        return name != null ? byName(name, image.topics().topic(name)) : byId(topic.topicId(), image);
    }

    private static TopicImage byName(String name, @Nullable TopicImage found) {
        if (found == null) {
            throw new Rejection(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "Topic [" + name + "] does not exist");
        }
        return found;
    }

    private static TopicImage byId(Uuid id, MetadataImage image) {
        TopicImage found = image.topics().topic(id);
        if (found == null) {
            throw new Rejection(ErrorCode.UNKNOWN_TOPIC_ID, "No topic has the id " + id);
        }
        return found;
    }
}
