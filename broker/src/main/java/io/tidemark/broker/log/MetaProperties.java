package io.tidemark.broker.log;

import io.tidemark.broker.types.Uuid;

/**
 * Whose log directory this is: {@code meta.properties}, version 1.
 *
 * @param clusterId the cluster's id, as text
 * @param nodeId the node
 * @param directoryId the id of this folder (KIP-858)
 */
public record MetaProperties(String clusterId, int nodeId, Uuid directoryId) {}
