package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;

/**
 * What the controller was told.
 *
 * @param nodeId this controller's node id
 * @param clusterId the cluster's id
 * @param values the node's configs
 */
public record ControllerSettings(int nodeId, String clusterId, ConfigValues values) {
    int defaultPartitions() {
        return values.intValue(BrokerConfigs.NUM_PARTITIONS);
    }

    short defaultReplicationFactor() {
        return (short) values.intValue(BrokerConfigs.DEFAULT_REPLICATION_FACTOR);
    }

    boolean topicDeletionEnabled() {
        return values.booleanValue(BrokerConfigs.DELETE_TOPIC_ENABLE);
    }

    public long brokerSessionTimeoutMs() {
        return values.longValue(BrokerConfigs.BROKER_SESSION_TIMEOUT_MS);
    }
}
