/**
 * The driver of the metadata quorum on one node: persists what {@code raft} decides (with the force beside the loop),
 * sends its messages, applies committed records to the controller and to the node's metadata image, and keeps a broker
 * registered, heartbeating and unfenced.
 *
 * <p>Facts: nothing is answered before its records are durable and below the high watermark; a broker keeps its own
 * copy of {@code __cluster_metadata} and replays below the leader's high watermark only. Thread rule: everything runs
 * on the node's loop, except the force itself.
 */
@NullMarked
package io.tidemark.broker.quorum;

import org.jspecify.annotations.NullMarked;
