package io.tidemark;

import io.tidemark.backend.BackendNode;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Creates topics through a node's own router, so that no client is needed. */
final class TopicCreation {
    private TopicCreation() {}

    /** Done when the controller has committed the topics; the brokers hear of them a little later. */
    static void create(BackendNode node, List<TopicSpec> topics, int brokers, long timeoutMs) {
        CreateTopicsRequest request =
                new CreateTopicsRequest().setTimeoutMs((int) Math.min(timeoutMs, Integer.MAX_VALUE));
        for (TopicSpec topic : topics) {
            CreateTopicsRequest.CreatableTopic wanted = new CreateTopicsRequest.CreatableTopic()
                    .setName(Objects.requireNonNull(topic.name()))
                    .setNumPartitions(topic.partitions())
                    .setReplicationFactor((short) topic.replicationFactorAmong(brokers));
            topic.config().forEach((name, value) -> wanted.configs()
                    .add(new CreateTopicsRequest.CreatableTopicConfig()
                            .setName(name)
                            .setValue(value)));
            request.topics().add(wanted);
        }
        CreateTopicsResponse response = (CreateTopicsResponse) answer(node, request, timeoutMs);
        for (CreateTopicsResponse.CreatableTopicResult result : response.topics()) {
            if (result.errorCode() != ErrorCode.NONE.code()) {
                throw new ClusterException("Topic [" + result.name() + "] was refused with "
                        + ErrorCode.forCode(result.errorCode())
                        + (result.errorMessage() == null ? "" : ": " + result.errorMessage()));
            }
        }
    }

    private static Object answer(BackendNode node, CreateTopicsRequest request, long timeoutMs) {
        try {
            return node.call(request).get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new ClusterException("Could not create topics: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new ClusterException(
                    "Could not create topics: the controller did not answer within " + timeoutMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while creating topics", e);
        }
    }
}
