/**
 * What can be configured, under Kafka's own names and with Kafka's defaults:
 * {@link io.tidemark.broker.config.BrokerConfigs} for a node, {@link io.tidemark.broker.config.TopicConfigs} for a
 * topic. A {@link io.tidemark.broker.config.ConfigDefinition} knows its keys and turns text into
 * {@link io.tidemark.broker.config.ConfigValues}, which are typed and checked.
 *
 * <p>Facts: a value that breaks its key's rule is an {@link io.tidemark.broker.config.InvalidConfigException} which
 * brackets the value and says what would do; names that nobody knows are reported, and it is the caller's choice
 * whether that is a warning (as Kafka has it) or an error.
 *
 * <p>Pure: no I/O, threads, locks, clock or randomness. Everything here is immutable and safe from any thread.
 */
@NullMarked
package io.tidemark.broker.config;

import org.jspecify.annotations.NullMarked;
