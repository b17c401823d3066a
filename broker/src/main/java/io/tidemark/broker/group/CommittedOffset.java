package io.tidemark.broker.group;

import io.tidemark.broker.types.Uuid;

/**
 * How far a group has come in a partition.
 *
 * @param offset the next offset to read
 * @param leaderEpoch the leader epoch of the last record read, -1 where the client does not say
 * @param metadata the client's own words
 * @param commitTimestampMs when it was committed
 * @param expireTimestampMs when it expires, or {@link #NO_EXPIRY} for after the broker's retention
 * @param topicId the topic's id when it was committed, zero where it is not known
 */
record CommittedOffset(
        long offset, int leaderEpoch, String metadata, long commitTimestampMs, long expireTimestampMs, Uuid topicId) {
    static final long NO_EXPIRY = -1;

    /** False if this was committed for an earlier topic of the same name. */
    boolean isFor(Uuid currentTopicId) {
        return topicId.isZero() || currentTopicId.isZero() || topicId.equals(currentTopicId);
    }
}
