/**
 * Runs coordinator shards on the partitions of their topic: {@link io.tidemark.broker.coordinator.runtime.CoordinatorRuntime}
 * loads a shard when this node becomes the leader of its partition, appends what the shard decides as one batch fenced
 * by the leader epoch, replays it, lets the answer go when the high watermark has passed it, and drops the shard when
 * leadership is lost.
 *
 * <p>Facts: a shard's logged state is never ahead of the local log; an answer never tells of records that a failover
 * could take back; loading answers COORDINATOR_LOAD_IN_PROGRESS, and a lost partition NOT_COORDINATOR.
 *
 * <p>Thread rule: everything runs on the node's loop.
 */
@NullMarked
package io.tidemark.broker.coordinator.runtime;

import org.jspecify.annotations.NullMarked;
