/**
 * Faults in a plan: a script by hand or drawn by a seed, that can be printed, pasted back and played again.
 *
 * <p>Facts: a {@link io.tidemark.chaos.schedule.Schedule} is immutable and its text is all of it. It is played in the
 * caller's thread, one step after the other; a step that is late is done late, never left out. At the end everything is
 * healed, and the cluster has to be whole again within a time. What is drawn is within what must be survived, unless more is
 * asked for: {@link io.tidemark.chaos.schedule.Harm} says what that is. Thread rule: builders belong to one thread.
 */
@NullMarked
package io.tidemark.chaos.schedule;

import org.jspecify.annotations.NullMarked;
