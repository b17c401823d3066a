/**
 * Two of the four doors: {@link io.tidemark.broker.time.Clock}, which tells the time, and
 * {@link io.tidemark.broker.time.Loop}, which runs code on a node's one thread, now, later, or (for what may block
 * long) beside it. Nothing else in the broker asks the system for the time, starts a thread or sleeps.
 *
 * <p>Thread rule: a {@code Clock} may be read from any thread; a {@code Loop} says at each method who may call it.
 */
@NullMarked
package io.tidemark.broker.time;

import org.jspecify.annotations.NullMarked;
