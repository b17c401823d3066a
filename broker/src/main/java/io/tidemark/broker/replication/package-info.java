/**
 * The partitions that this broker hosts. {@link io.tidemark.broker.replication.HostedPartitions} follows the metadata:
 * it opens and deletes logs, makes this broker the leader or a follower of each partition, and performs what the pure
 * {@code partition} package decides: appends, truncations, in-sync set proposals, waking who waits.
 *
 * <p>Facts: one fetcher per leader broker, over one link, with a fetch session; one request to the controller for
 * in-sync sets under way at a time; who waits for a partition's events is woken after the events of one loop turn,
 * together. Thread rule: everything runs on the node's loop.
 */
@NullMarked
package io.tidemark.broker.replication;

import org.jspecify.annotations.NullMarked;
