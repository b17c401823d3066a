package io.tidemark.broker.api;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.controller.TopicNames;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.tidemark.broker.quorum.ControllerChannel;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Asks the controller for topics that somebody wants and that are not there: those of clients, where
 * {@code auto.create.topics.enable} says so, and the internal ones of the coordinators. Nobody waits for the outcome;
 * who wanted the topic asks again and finds it. One request for a topic is under way at a time.
 */
public final class TopicAutoCreation {
    private static final NodeLog LOG = NodeLog.of(TopicAutoCreation.class);

    private final ConfigValues values;
    private final ControllerChannel channel;
    private final Set<String> underWay = new LinkedHashSet<>();

    public TopicAutoCreation(ConfigValues values, ControllerChannel channel) {
        this.values = values;
        this.channel = channel;
    }

    boolean isEnabled() {
        return values.booleanValue(BrokerConfigs.AUTO_CREATE_TOPICS_ENABLE);
    }

    /** Starts to create the topics that are not under way already. Names are good ones. */
    public void create(Collection<String> names) {
        CreateTopicsRequest request = new CreateTopicsRequest();
        for (String name : names) {
            if (underWay.add(name)) {
                request.topics().add(topic(name));
            }
        }
        if (request.topics().isEmpty()) {
            return;
        }
        int timeoutMs = values.intValue(BrokerConfigs.REQUEST_TIMEOUT_MS);
        channel.send(request.setTimeoutMs(timeoutMs), timeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                done(request);
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("Topics {} could not be created: {}", names, cause.getMessage());
                done(request);
            }
        });
    }

    private void done(CreateTopicsRequest request) {
        request.topics().forEach(topic -> underWay.remove(topic.name()));
    }

    private CreatableTopic topic(String name) {
        CreatableTopic topic = new CreatableTopic().setName(name);
        return switch (name) {
            case TopicNames.CONSUMER_OFFSETS ->
                internal(
                        topic,
                        BrokerConfigs.OFFSETS_TOPIC_NUM_PARTITIONS,
                        BrokerConfigs.OFFSETS_TOPIC_REPLICATION_FACTOR,
                        BrokerConfigs.OFFSETS_TOPIC_SEGMENT_BYTES);
            case TopicNames.TRANSACTION_STATE ->
                with(
                        internal(
                                topic,
                                BrokerConfigs.TRANSACTION_STATE_LOG_NUM_PARTITIONS,
                                BrokerConfigs.TRANSACTION_STATE_LOG_REPLICATION_FACTOR,
                                BrokerConfigs.TRANSACTION_STATE_LOG_SEGMENT_BYTES),
                        "min.insync.replicas",
                        text(BrokerConfigs.TRANSACTION_STATE_LOG_MIN_ISR));
            default -> topic.setNumPartitions(-1).setReplicationFactor((short) -1);
        };
    }

    private CreatableTopic internal(CreatableTopic topic, String partitions, String replicationFactor, String segment) {
        topic.setNumPartitions(values.intValue(partitions))
                .setReplicationFactor((short) values.intValue(replicationFactor));
        with(topic, "cleanup.policy", "compact");
        with(topic, "compression.type", "producer");
        return with(topic, "segment.bytes", text(segment));
    }

    private String text(String name) {
        return Long.toString(values.longValue(name));
    }

    private static CreatableTopic with(CreatableTopic topic, String name, String value) {
        topic.configs().add(new CreatableTopicConfig().setName(name).setValue(value));
        return topic;
    }
}
