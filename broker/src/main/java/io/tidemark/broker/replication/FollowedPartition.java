package io.tidemark.broker.replication;

import io.tidemark.broker.fetch.FetchItem;
import java.util.OptionalInt;

/** A partition in the hands of a fetcher. */
final class FollowedPartition {
    private final HostedPartition partition;
    private final int leaderEpoch;
    private final Backoff backoff;
    private long notBeforeMs = Long.MIN_VALUE;
    private boolean isOutOfRange;
    private boolean isBehind = true;

    FollowedPartition(HostedPartition partition, int leaderEpoch, long maxBackoffMs) {
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.backoff = new Backoff(maxBackoffMs);
    }

    HostedPartition partition() {
        return partition;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    /** What to ask for next: from the log's end, saying of which epoch its last record is. */
    FetchItem item(int maxBytes) {
        OptionalInt latest = partition.log().latestEpoch();
        return new FetchItem(
                partition.id().topicId(),
                partition.id().topic(),
                partition.id().partition(),
                leaderEpoch,
                partition.logEndOffset(),
                latest.orElse(-1),
                partition.logStartOffset(),
                maxBytes,
                partition.highWatermark());
    }

    void onSuccess() {
        backoff.reset();
        notBeforeMs = Long.MIN_VALUE;
        isOutOfRange = false;
    }

    /** What the leader told last: whether this replica has less than what is committed. */
    void isBehind(boolean behind) {
        isBehind = behind;
    }

    boolean isBehind() {
        return isBehind;
    }

    void hurry() {
        backoff.reset();
        notBeforeMs = Long.MIN_VALUE;
    }

    void onError(long nowMs) {
        notBeforeMs = nowMs + backoff.next();
    }

    /** The leader does not have the offset: its bounds are to be asked for before the next fetch. */
    void onOutOfRange() {
        isOutOfRange = true;
    }

    boolean isOutOfRange() {
        return isOutOfRange;
    }

    boolean isReady(long nowMs) {
        return notBeforeMs <= nowMs;
    }

    long notBeforeMs() {
        return notBeforeMs;
    }
}
