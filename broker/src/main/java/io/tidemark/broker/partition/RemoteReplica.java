package io.tidemark.broker.partition;

/**
 * A follower as its leader knows it from its fetches.
 *
 * @param brokerId the follower's broker
 * @param logEndOffset where it last fetched from, or {@link #UNKNOWN_OFFSET} before its first fetch in this epoch
 * @param logStartOffset the start of its log, or {@link #UNKNOWN_OFFSET}
 * @param lastCaughtUpMs the last time at which it had all that the leader had, or {@link #NEVER}
 * @param lastFetchMs when it last fetched, or {@link #NEVER}
 * @param leaderEndOffsetAtLastFetch the leader's log end offset at that time
 * @param brokerEpoch the broker epoch with which it fetched, or {@link ReplicaBrokers#UNKNOWN_BROKER_EPOCH}
 */
public record RemoteReplica(
        int brokerId,
        long logEndOffset,
        long logStartOffset,
        long lastCaughtUpMs,
        long lastFetchMs,
        long leaderEndOffsetAtLastFetch,
        long brokerEpoch) {
    /** In place of an offset that no fetch has told yet; below every real offset. */
    public static final long UNKNOWN_OFFSET = -1;

    /** In place of a time for what has not happened. */
    public static final long NEVER = Long.MIN_VALUE;

    /** A replica of which nothing is known; a member of the in-sync set gets the benefit of the doubt for its lag. */
    static RemoteReplica unknown(int brokerId, boolean inIsr, long nowMs) {
        return new RemoteReplica(
                brokerId,
                UNKNOWN_OFFSET,
                UNKNOWN_OFFSET,
                inIsr ? nowMs : NEVER,
                NEVER,
                UNKNOWN_OFFSET,
                ReplicaBrokers.UNKNOWN_BROKER_EPOCH);
    }

    /**
     * A follower is caught up at the time of a fetch from the leader's end, or, since a busy leader's end runs ahead
     * of every fetch, at the time of its previous fetch if it has now reached what was the end then.
     */
    RemoteReplica onFetch(FollowerProgress progress, long leaderEndOffset, long nowMs) {
        long caughtUpMs = lastCaughtUpMs;
        if (progress.fetchOffset() >= leaderEndOffset) {
            caughtUpMs = Math.max(caughtUpMs, nowMs);
        } else if (lastFetchMs != NEVER && progress.fetchOffset() >= leaderEndOffsetAtLastFetch) {
            caughtUpMs = Math.max(caughtUpMs, lastFetchMs);
        }
        return new RemoteReplica(
                brokerId,
                progress.fetchOffset(),
                progress.logStartOffset(),
                caughtUpMs,
                nowMs,
                leaderEndOffset,
                progress.brokerEpoch());
    }

    /** So much of its silence was not its own; it was not caught up in the future by that. */
    RemoteReplica forgiven(long silenceMs, long nowMs) {
        return silenceMs == 0 || lastCaughtUpMs == NEVER
                ? this
                : new RemoteReplica(
                        brokerId,
                        logEndOffset,
                        logStartOffset,
                        Math.min(lastCaughtUpMs + silenceMs, nowMs),
                        lastFetchMs,
                        leaderEndOffsetAtLastFetch,
                        brokerEpoch);
    }

    boolean isCaughtUp(long leaderEndOffset, long nowMs, long replicaLagTimeMaxMs) {
        return logEndOffset == leaderEndOffset
                || (lastCaughtUpMs != NEVER && nowMs - lastCaughtUpMs <= replicaLagTimeMaxMs);
    }
}
