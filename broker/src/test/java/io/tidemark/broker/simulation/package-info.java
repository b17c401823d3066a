/**
 * Whole clusters in one thread, in virtual time, from a seed: real nodes on simulated doors.
 *
 * <p>{@link io.tidemark.broker.simulation.World} is the one queue. {@link io.tidemark.broker.simulation.Machine} is what
 * a node stands on: a clock that may be off, a disk that remembers what was forced, and its place in
 * {@link io.tidemark.broker.simulation.Wires}, the one network. Nothing above the doors is replaced.
 *
 * <p>{@link io.tidemark.broker.simulation.Simulation} is one run: a seed draws its {@code Options}, clients work while
 * {@code Trouble} hurts; then all is healed, and everything has to come right in time. What must hold is in
 * {@code Oracle}. The same seed is the same run, event for event, in every JVM.
 *
 * <p>A quarter of the seeds have transactions as well: {@code TransactionWorkload} has their clients, and
 * {@code TransactionOracle} says what must hold of them.
 *
 * <p>{@code Mutations} tests the tester: each takes one rule out of the broker, and the simulation has to notice.
 *
 * <p>Thread rule: one thread, and nothing here starts another.
 */
@NullMarked
package io.tidemark.broker.simulation;

import org.jspecify.annotations.NullMarked;
