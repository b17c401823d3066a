/**
 * One partition as its leader and as a follower see it: which replica has got how far, who is in sync, what is
 * committed, where a follower must cut its log.
 *
 * <p>{@link io.tidemark.broker.partition.LeaderPartition} takes events (an append, a follower's fetch, time passing,
 * the controller's answers) and returns {@link io.tidemark.broker.partition.LeaderEffect}s;
 * {@link io.tidemark.broker.partition.FollowerPartition} does the same for a follower. Neither touches a log.
 *
 * <p>Facts: the high watermark is the least log end offset over the <em>maximal</em> in-sync set, rises only, and only
 * while the committed set has at least {@code min(min.insync.replicas, replica count)} members. A proposed in-sync set
 * and a committed one are different types. At most one proposal is under way.
 *
 * <p>Pure: no I/O, threads, locks, clock or randomness; the time is a parameter, in milliseconds of the node's
 * monotonic clock. Thread rule: an instance is used by one loop only.
 */
@NullMarked
package io.tidemark.broker.partition;

import org.jspecify.annotations.NullMarked;
