/**
 * Whether a pipeline that reads one topic and writes another does so exactly once, whatever befalls it.
 *
 * <p>Facts: {@link io.tidemark.chaos.exactlyonce.ExactlyOnce} sends numbered records, runs the application's pipeline, waits
 * until it has done its work, and reads the output at both isolation levels, the logs of all brokers and the group's commits.
 * {@link io.tidemark.chaos.exactlyonce.ExactlyOnceVerdict} is a pure function of what was read then, and gives the evidence
 * for all that it finds. Some of the input is written in transactions that are aborted: it must not come out. Thread rule: a
 * run belongs to one thread; a verdict is immutable.
 */
@NullMarked
package io.tidemark.chaos.exactlyonce;

import org.jspecify.annotations.NullMarked;
