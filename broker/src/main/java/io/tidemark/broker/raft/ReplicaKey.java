package io.tidemark.broker.raft;

import io.tidemark.broker.types.Uuid;

/**
 * A copy of the metadata log: a node, and the directory that it keeps it in. A node whose disk was replaced comes back
 * as another replica (KIP-853).
 *
 * @param nodeId the node
 * @param directoryId its directory, zero where that is not known
 */
public record ReplicaKey(int nodeId, Uuid directoryId) {}
