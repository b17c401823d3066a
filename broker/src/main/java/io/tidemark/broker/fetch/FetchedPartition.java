package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.message.FetchResponse;

/**
 * What was read of one partition.
 *
 * @param item what was asked
 * @param data the answer, with its partition number
 */
public record FetchedPartition(FetchItem item, FetchResponse.PartitionData data) {}
