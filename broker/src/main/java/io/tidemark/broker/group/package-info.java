/**
 * Consumer groups and their offsets: {@link io.tidemark.broker.group.GroupCoordinator} is the shard of one partition of
 * {@code __consumer_offsets}. Membership of classic groups is decided by {@code JoinRules}, {@code SyncRules},
 * {@code LeaveRules} and {@code Rebalances} over {@link io.tidemark.broker.group.ClassicGroup}; offsets by
 * {@code OffsetRules} over {@code OffsetStore}.
 *
 * <p>Facts: the records are Kafka's own. A group's round of joining and syncing, its timers and its pending members are
 * soft: they are in no record and end with the leadership. Assignments become the group's only once their record is in
 * the log. Offsets that are not committed yet are kept apart from those that are.
 *
 * <p>Pure: no I/O, threads, locks, clock or unseeded randomness; time comes as {@code nowMs}, answers leave as effects.
 * Thread rule: a shard is used by one loop only.
 */
@NullMarked
package io.tidemark.broker.group;

import org.jspecify.annotations.NullMarked;
