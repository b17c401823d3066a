/**
 * Operations that wait: {@link io.tidemark.broker.purgatory.Purgatory} keeps each
 * {@link io.tidemark.broker.purgatory.DelayedOperation} under the keys whose events may complete it, and with a timer.
 *
 * <p>Facts: an operation completes exactly once, by an event or by its time; then no list and no timer refers to it any
 * more. An event looks only at who waits under its key. Thread rule: everything runs on the node's loop.
 */
@NullMarked
package io.tidemark.broker.purgatory;

import org.jspecify.annotations.NullMarked;
