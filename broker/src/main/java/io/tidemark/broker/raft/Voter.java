package io.tidemark.broker.raft;

import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.util.List;

/**
 * A voter of the metadata quorum.
 *
 * @param nodeId the node
 * @param directoryId its directory; zero for a voter that is given by configuration, which is known by its id alone
 * @param endpoints its controller listeners, the one that others use first
 * @param minKraftVersion the lowest kraft.version that it speaks
 * @param maxKraftVersion the highest
 */
public record Voter(
        int nodeId, Uuid directoryId, List<Endpoint> endpoints, short minKraftVersion, short maxKraftVersion) {
    public Voter {
        endpoints = List.copyOf(endpoints);
    }

    public ReplicaKey key() {
        return new ReplicaKey(nodeId, directoryId);
    }

    public boolean is(ReplicaKey replica) {
        return nodeId == replica.nodeId()
                && (directoryId.equals(Uuid.ZERO) || directoryId.equals(replica.directoryId()));
    }
}
