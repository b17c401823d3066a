/**
 * The consensus of the metadata quorum as a pure state machine: roles, votes, the leader's view of its voters and
 * observers, the high watermark.
 *
 * <p>Facts: one leader per epoch; vote and epoch are durable before they are told to anyone; the high watermark moves
 * only once a record of the leader's own epoch is durable on a majority; a leader that no majority fetches from gives
 * up. Pure: no I/O, threads, locks or clock; randomness is seeded. Thread rule: one loop.
 */
@NullMarked
package io.tidemark.broker.raft;

import org.jspecify.annotations.NullMarked;
