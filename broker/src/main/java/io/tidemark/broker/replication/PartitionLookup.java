package io.tidemark.broker.replication;

import io.tidemark.broker.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * What became of the search for a replica.
 *
 * @param partition the replica, or null
 * @param error NONE with a replica, else what to answer
 */
public record PartitionLookup(@Nullable HostedPartition partition, ErrorCode error) {}
