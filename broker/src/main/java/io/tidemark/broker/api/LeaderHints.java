package io.tidemark.broker.api;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.TopicPartition;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** For one response: who leads instead, and where it is reached on the listener that the client came by (KIP-951). */
final class LeaderHints {
    private final Supplier<MetadataImage> metadata;
    private final String listener;
    private final SortedMap<Integer, Node> nodes = new TreeMap<>();

    /**
     * @param metadata the newest image, which may be another one when a request that waited is answered
     */
    LeaderHints(Supplier<MetadataImage> metadata, String listener) {
        this.metadata = metadata;
        this.listener = listener;
    }

    /** The leader of a partition, or null where none is known; its address is then among {@link #nodes()}. */
    @Nullable
    Leader leader(TopicPartition partition) {
        MetadataImage image = metadata.get();
        PartitionRegistration registration = image.topics().partition(partition);
        if (registration == null || !registration.hasLeader()) {
            return null;
        }
        BrokerRegistration broker = image.cluster().broker(registration.leader());
        Endpoint endpoint = broker == null ? null : broker.endpoint(listener);
        if (broker != null && endpoint != null) {
            nodes.put(broker.id(), new Node(broker.id(), endpoint.host(), endpoint.port(), broker.rack()));
        }
        return new Leader(registration.leader(), registration.leaderEpoch());
    }

    /** The leaders told of, in order of id. */
    Collection<Node> nodes() {
        return List.copyOf(nodes.values());
    }

    /** A partition's leader and its epoch. */
    record Leader(int leaderId, int leaderEpoch) {}

    /** A broker and where it is. */
    record Node(int nodeId, String host, int port, @Nullable String rack) {}
}
