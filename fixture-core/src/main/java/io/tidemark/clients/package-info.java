/**
 * kafka-clients for a cluster under test: the only package here that needs kafka-clients on the class path, any version
 * from 2.8 on. Nothing else refers to a type of kafka-clients, so that a cluster runs without it.
 *
 * <p>Facts: every client is closed with its {@link io.tidemark.clients.Clients}, and that with its cluster, within a
 * bounded time even when no broker is left. Thread rule: {@code Clients} is safe from any thread; a consumer, as always,
 * belongs to one.
 */
@NullMarked
package io.tidemark.clients;

import org.jspecify.annotations.NullMarked;
