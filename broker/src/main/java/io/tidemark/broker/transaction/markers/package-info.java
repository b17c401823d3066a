/**
 * Carries the end of transactions to the partitions: {@link io.tidemark.broker.transaction.markers.MarkerSender} sends
 * WriteTxnMarkers to the leader of each, this node's own too, and tries for ever, wherever leadership goes. One request to
 * a leader is under way at a time, with all that waits for it ({@code MarkerQueue}).
 *
 * <p>Facts: a transaction counts as written only when each of its partitions has answered, or is deleted. A coordinator
 * that is told that it is fenced drops the transaction: the one after it has it. Nothing is remembered here: a new
 * coordinator reads from its log what is still to be written.
 *
 * <p>Thread rule: everything runs on the node's loop.
 */
@NullMarked
package io.tidemark.broker.transaction.markers;

import org.jspecify.annotations.NullMarked;
