/**
 * What applications sent and polled, and what is wrong with it, in the terms of Jepsen's workload for Kafka.
 *
 * <p>Facts: {@link io.tidemark.chaos.history.HistoryRecorder} notes what goes through producers and consumers;
 * {@link io.tidemark.chaos.history.History} is what it noted; {@link io.tidemark.chaos.history.HistoryChecker} is a pure
 * function from a history to a {@link io.tidemark.chaos.history.HistoryVerdict}. Every value is written once, so that it
 * tells its write from all others. A write that nobody told of is indeterminate and never an anomaly. Steps are numbered in
 * one order over all threads: a call when it begins, a poll when it has returned. Thread rule: the recorder is safe from
 * any thread; all else is immutable.
 */
@NullMarked
package io.tidemark.chaos.history;

import org.jspecify.annotations.NullMarked;
