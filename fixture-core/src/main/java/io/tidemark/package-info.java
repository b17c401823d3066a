/**
 * A Kafka cluster under test. {@link io.tidemark.Cluster} starts it, holds it and closes it;
 * {@link io.tidemark.PartitionHandle} looks into a partition; {@link io.tidemark.ClusterNode} is one node.
 *
 * <p>Facts: {@code start()} returns when every broker is registered, unfenced and caught up and every declared topic has
 * its leaders and its full ISR; {@code close()} leaves no thread, port, descriptor, mapped file or folder; ports are
 * bound once and kept over kills and restarts; nothing is static and mutable, so clusters live side by side. Nothing
 * here needs kafka-clients except {@link io.tidemark.clients}. Thread rule: handles are safe from any thread, builders
 * belong to one.
 */
@NullMarked
package io.tidemark;

import org.jspecify.annotations.NullMarked;
