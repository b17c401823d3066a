/**
 * The controller as a pure state machine over {@link io.tidemark.broker.metadata.MetadataImage}: commands go in,
 * metadata records and a reply come out; only replaying the records changes the image.
 *
 * <p>Facts: every decision about topics, brokers, leaders, ISR and ELR is made here and nowhere else; a reply is given
 * only once its records are committed. What is not replicated (when each broker was last heard of) is kept in
 * {@code BrokerSessions} and starts anew with a new leader. Pure: no I/O, threads, locks, clock or unseeded
 * randomness. Thread rule: one loop.
 */
@NullMarked
package io.tidemark.broker.controller;

import org.jspecify.annotations.NullMarked;
