/**
 * Kafka's wire protocol: the messages (generated at build time from Kafka's own specs into the packages below this
 * one), the API keys and error codes, and the reader and writer that they share.
 *
 * <p>Facts: one Kafka version is pinned; every version of every message is there; nothing is read past the bytes that
 * are left, and nothing is allocated for a length before that length was checked against them. Thread rule: a message,
 * a reader and a writer each belong to one thread at a time.
 */
@NullMarked
package io.tidemark.broker.protocol;

import org.jspecify.annotations.NullMarked;
