/**
 * A node as a whole: {@link io.tidemark.broker.Broker} wires every other package into one node of any role,
 * {@link io.tidemark.broker.BrokerConfig} is what it was told, {@link io.tidemark.broker.BrokerEnvironment} what it
 * stands on, {@link io.tidemark.broker.NodeSnapshot} what can be seen of it, and {@link io.tidemark.broker.Main} runs
 * it as a process.
 *
 * <p>Thread rule: {@code Broker}'s methods may be called from any thread; everything behind them runs on the node's
 * one loop.
 */
@NullMarked
package io.tidemark.broker;

import org.jspecify.annotations.NullMarked;
