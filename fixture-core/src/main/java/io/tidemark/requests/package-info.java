/**
 * Faults of requests, on any API of Kafka's protocol, at the door of the node that is sent them: a
 * {@link io.tidemark.requests.RequestRule} says which requests and when, a {@link io.tidemark.requests.RequestFault} is
 * what was declared, with the count of what it struck.
 *
 * <p>Facts: nothing of a node behind its door knows of a fault; a request is struck by the faults that cover it in the
 * order in which they were declared; without a fault a request is not even looked into. Thread rule: safe from any thread.
 */
@NullMarked
package io.tidemark.requests;

import org.jspecify.annotations.NullMarked;
