/**
 * The one shape of every replicated state machine: {@link io.tidemark.broker.coordinator.CoordinatorShard} decides
 * with {@code handle}-like methods that return records and a reply, and changes state only in {@code replay}. A runtime
 * appends the records to the machine's own partition, replays them, and lets the reply go when the high watermark has
 * passed them.
 *
 * <p>Pure: no I/O, threads, locks, clock or randomness. Thread rule: a shard is used by one loop only.
 */
@NullMarked
package io.tidemark.broker.coordinator;

import org.jspecify.annotations.NullMarked;
