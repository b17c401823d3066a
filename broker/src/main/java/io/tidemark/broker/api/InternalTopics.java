package io.tidemark.broker.api;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.quorum.ControllerChannel;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Has the controller create internal topics when they are first needed. One request for a topic at a time. */
public final class InternalTopics {
    private static final NodeLog LOG = NodeLog.of(InternalTopics.class);

    private final ControllerChannel controller;
    private final long timeoutMs;
    private final SortedMap<String, Layout> layouts;
    private final Set<String> underWay = new TreeSet<>();

    /**
     * How a topic is made.
     *
     * @param partitions how many
     * @param replicationFactor how many replicas of each
     * @param configs by name
     */
    public record Layout(int partitions, short replicationFactor, SortedMap<String, String> configs) {
        /** A topic that keeps the last value of each key, as coordinators need it. */
        public static Layout compacted(int partitions, short replicationFactor, int segmentBytes) {
            SortedMap<String, String> configs = new TreeMap<>();
            configs.put("cleanup.policy", "compact");
            configs.put("compression.type", "producer");
            configs.put("segment.bytes", Integer.toString(segmentBytes));
            return new Layout(partitions, replicationFactor, configs);
        }

        /** A compacted topic that rather has no leader than lose what was acknowledged. */
        public static Layout compactedSafely(int partitions, short replicationFactor, int segmentBytes, int minIsr) {
            Layout compacted = compacted(partitions, replicationFactor, segmentBytes);
            SortedMap<String, String> configs = new TreeMap<>(compacted.configs);
            configs.put("compression.type", "uncompressed");
            configs.put("min.insync.replicas", Integer.toString(minIsr));
            configs.put("unclean.leader.election.enable", "false");
            return new Layout(partitions, replicationFactor, configs);
        }
    }

    /**
     * @param layouts of the topics that may be created, by name
     * @param timeoutMs how long the controller is tried for; the next who needs the topic tries again
     */
    public InternalTopics(ControllerChannel controller, Map<String, Layout> layouts, long timeoutMs) {
        this.controller = controller;
        this.layouts = new TreeMap<>(layouts);
        this.timeoutMs = timeoutMs;
    }

    /**
     * Asks for the topic, unless that is under way.
     *
     * @throws IllegalArgumentException for a topic that has no layout
     */
    void create(String topic) {
        Layout layout = layouts.get(topic);
        if (layout == null) {
            throw new IllegalArgumentException("No layout for topic [" + topic + "]; there are " + layouts.keySet());
        }
        if (underWay.add(topic)) {
            controller.send(request(topic, layout), timeoutMs, new Outcome(topic));
        }
    }

    private CreateTopicsRequest request(String topic, Layout layout) {
        CreatableTopic creatable = new CreatableTopic()
                .setName(topic)
                .setNumPartitions(layout.partitions())
                .setReplicationFactor(layout.replicationFactor());
        layout.configs().forEach((name, value) -> creatable
                .configs()
                .add(new CreatableTopicConfig().setName(name).setValue(value)));
        CreateTopicsRequest request = new CreateTopicsRequest().setTimeoutMs((int) timeoutMs);
        request.topics().add(creatable);
        return request;
    }

    private final class Outcome implements Peer.Reply {
        private final String topic;

        Outcome(String topic) {
            this.topic = topic;
        }

        @Override
        public void onResponse(ApiMessage response) {
            underWay.remove(topic);
            ((CreateTopicsResponse) response)
                    .topics().stream()
                            .filter(result -> result.name().equals(topic))
                            .forEach(this::report);
        }

        private void report(CreateTopicsResponse.CreatableTopicResult result) {
            ErrorCode error = ErrorCode.forCode(result.errorCode());
            if (error != ErrorCode.NONE && error != ErrorCode.TOPIC_ALREADY_EXISTS) {
                LOG.warn("Internal topic {} could not be created: {} {}", topic, error, result.errorMessage());
            }
        }

        @Override
        public void onFailure(IOException cause) {
            underWay.remove(topic);
            LOG.debug("No answer from the controller on creating {}", topic, cause);
        }
    }
}
