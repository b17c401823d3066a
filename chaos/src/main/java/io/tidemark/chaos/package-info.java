/**
 * Faults for a cluster under test. {@link io.tidemark.chaos.Chaos} kills, stops, restarts, pauses and resumes nodes, cuts
 * their power and hurts their disks, and makes good what it did when it is closed; {@link io.tidemark.chaos.schedule} does
 * it by a plan. {@link io.tidemark.chaos.history} judges what the applications sent and saw meanwhile,
 * {@link io.tidemark.chaos.exactlyonce} what a pipeline made of its input.
 *
 * <p>Facts: a fault is done when its method returns; one that cannot be done fails at once and names itself, for chaos
 * that does nothing in silence makes a test worthless. Thread rule: safe from any thread.
 */
@NullMarked
package io.tidemark.chaos;

import org.jspecify.annotations.NullMarked;
