package io.tidemark.broker;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.quorum.ControllerNode;
import io.tidemark.broker.quorum.MetadataSource;
import io.tidemark.broker.replication.HostedPartitions;
import org.jspecify.annotations.Nullable;

/** Looks into a node from outside its loop, for tests that run the loop themselves. */
public final class NodeInsight {
    private NodeInsight() {}

    /** The replicas that a broker hosts, or null while it has none. */
    public static @Nullable HostedPartitions partitions(Broker broker) {
        BrokerRole role = broker(broker);
        return role == null ? null : role.partitions();
    }

    /** The metadata that a broker has applied, or null before it is started. */
    public static @Nullable MetadataImage image(Broker broker) {
        BrokerRole role = broker(broker);
        return role == null ? null : role.image();
    }

    /** The epoch of a broker's life, -1 before it is registered. */
    public static long brokerEpoch(Broker broker) {
        BrokerRole role = broker(broker);
        return role == null ? -1 : role.brokerEpoch();
    }

    /** Where a node has its metadata from: its own copy of the log; null before it is started. */
    public static @Nullable MetadataSource metadata(Broker broker) {
        ControllerNode controller = controller(broker);
        if (controller != null) {
            return controller;
        }
        BrokerRole role = broker(broker);
        return role == null ? null : role.metadata();
    }

    /** The controller of a node, or null before it is started or where there is none. */
    public static @Nullable ControllerNode controller(Broker broker) {
        Node node = broker.node();
        ControllerRole role = node == null ? null : node.controller();
        return role == null ? null : role.quorum();
    }

    private static @Nullable BrokerRole broker(Broker broker) {
        Node node = broker.node();
        return node == null ? null : node.broker();
    }
}
