/**
 * Fetch sessions (KIP-227): a reader names its partitions once, then only what changes; the broker answers only what
 * changed. {@link io.tidemark.broker.fetch.FetchSessions} keeps a bounded number of them and makes of each request a
 * {@link io.tidemark.broker.fetch.FetchContext}, which says what to read and turns what was read into the response.
 *
 * <p>Facts: epoch 0 opens a session, -1 closes it or does without one, and each request in between has the next epoch,
 * with 1 after the largest; anything else is refused without a change. A session uses topic names or topic ids, never
 * both. A partition with records moves to the end of its session's order, so that none starves. Thread rule:
 * everything runs on the node's loop; the time is a parameter.
 */
@NullMarked
package io.tidemark.broker.fetch;

import org.jspecify.annotations.NullMarked;
