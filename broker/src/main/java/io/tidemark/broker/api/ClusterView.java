package io.tidemark.broker.api;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The metadata as a client sees it that came in on a listener: brokers by that listener's endpoints, and of the fenced
 * ones none.
 *
 * @param image the committed metadata
 * @param listener the listener's name
 */
record ClusterView(MetadataImage image, String listener) {
    /** A live broker and where it is reached. */
    record Node(BrokerRegistration broker, Endpoint endpoint) {}

    /** Live brokers that have the listener, in id order. */
    List<Node> nodes() {
        List<Node> nodes = new ArrayList<>();
        for (BrokerRegistration broker : image.cluster().brokers().values()) {
            Endpoint endpoint = broker.endpoint(listener);
            if (!broker.fenced() && endpoint != null) {
                nodes.add(new Node(broker, endpoint));
            }
        }
        return nodes;
    }

    /** Clients want to be told of a controller that they can reach; any live broker passes on what is meant for it. */
    int anyNodeId(RandomGenerator random) {
        List<Node> nodes = nodes();
        return nodes.isEmpty()
                ? -1
                : nodes.get(random.nextInt(nodes.size())).broker().id();
    }

    /** Where the partition's leader is, or null where the client cannot reach one. */
    @Nullable
    Endpoint leaderEndpoint(PartitionRegistration partition) {
        BrokerRegistration leader = image.cluster().broker(partition.leader());
        return leader == null ? null : leader.endpoint(listener);
    }

    /** The error of a partition whose leader cannot be reached. */
    ErrorCode leaderProblem(PartitionRegistration partition, boolean knowsListenerNotFound) {
        return image.cluster().broker(partition.leader()) != null && knowsListenerNotFound
                ? ErrorCode.LISTENER_NOT_FOUND
                : ErrorCode.LEADER_NOT_AVAILABLE;
    }

    /** The replicas that do not serve now, or not on this listener. */
    List<Integer> offlineReplicas(PartitionRegistration partition) {
        List<Integer> offline = new ArrayList<>();
        for (int replica : partition.replicas()) {
            if (!isOnline(replica)) {
                offline.add(replica);
            }
        }
        return offline;
    }

    boolean isOnline(int brokerId) {
        BrokerRegistration broker = image.cluster().broker(brokerId);
        return broker != null && !broker.fenced() && broker.endpoint(listener) != null;
    }
}
