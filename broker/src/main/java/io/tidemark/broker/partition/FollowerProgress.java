package io.tidemark.broker.partition;

/**
 * What a follower's fetch tells its leader.
 *
 * @param brokerId who fetches
 * @param brokerEpoch its broker epoch, or {@link ReplicaBrokers#UNKNOWN_BROKER_EPOCH} from a version without one
 * @param fetchOffset where it fetches from, which is its log end offset
 * @param logStartOffset the start of its log
 */
public record FollowerProgress(int brokerId, long brokerEpoch, long fetchOffset, long logStartOffset) {}
