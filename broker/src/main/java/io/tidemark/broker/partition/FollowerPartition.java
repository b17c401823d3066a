package io.tidemark.broker.partition;

import java.util.function.IntFunction;

/**
 * One partition in the hands of a follower, for one leader epoch: where to cut the log after the leader has seen that
 * the two diverge, and how far what was fetched is committed.
 *
 * <p>Order matters: a response with a diverging epoch truncates and does not raise the watermark, so the watermark
 * never covers a record that the leader does not have (KAFKA-14704).
 */
public final class FollowerPartition {
    private final int leaderId;
    private final int leaderEpoch;
    private long highWatermark;

    /**
     * @param leaderId the leader's broker, or {@link io.tidemark.broker.metadata.PartitionRegistration#NO_LEADER}
     * @param leaderEpoch the leader epoch that every fetch names
     * @param highWatermark what this replica knows to be committed
     */
    public FollowerPartition(int leaderId, int leaderEpoch, long highWatermark) {
        this.leaderId = leaderId;
        this.leaderEpoch = leaderEpoch;
        this.highWatermark = highWatermark;
    }

    /**
     * The leader's answer to a fetch whose last fetched epoch does not fit its own history (KIP-279, KIP-595). Where
     * the leader's epoch is unknown here too, the cut is a step: the next fetch names an older epoch, and so on until
     * both know the same one.
     *
     * @param leaders the leader's largest epoch at or below the one that the fetch named, and its end
     * @param localEpochEnd this log's answer to the same question
     * @param logEndOffset this log's end
     */
    public FollowerEffect onDivergingEpoch(
            LeaderEpochEnd leaders, IntFunction<LeaderEpochEnd> localEpochEnd, long logEndOffset) {
        long offset = truncationOffset(leaders, localEpochEnd, logEndOffset);
        highWatermark = Math.min(highWatermark, offset);
        // Even at the log's own end: an epoch in which this replica led and wrote nothing is to go, else every later
        // fetch would name it and be told of the same divergence.
        return new FollowerEffect.Truncate(offset);
    }

    private long truncationOffset(
            LeaderEpochEnd leaders, IntFunction<LeaderEpochEnd> localEpochEnd, long logEndOffset) {
        if (leaders.endOffset() < 0) {
            // Nothing in common is known: what is committed is the best that both must have.
            return highWatermark;
        }
        if (leaders.leaderEpoch() < 0) {
            return Math.min(leaders.endOffset(), logEndOffset);
        }
        LeaderEpochEnd local = localEpochEnd.apply(leaders.leaderEpoch());
        if (!local.isDefined()) {
            return Math.min(leaders.endOffset(), logEndOffset);
        }
        if (local.leaderEpoch() == leaders.leaderEpoch()) {
            return Math.min(Math.min(local.endOffset(), leaders.endOffset()), logEndOffset);
        }
        return Math.min(local.endOffset(), logEndOffset);
    }

    /**
     * The leader does not have the offset that was fetched.
     *
     * @param leaderStartOffset the start of the leader's log
     * @param leaderEndOffset its end
     * @param logEndOffset this log's end
     */
    public FollowerEffect onOffsetOutOfRange(long leaderStartOffset, long leaderEndOffset, long logEndOffset) {
        if (leaderEndOffset < logEndOffset) {
            highWatermark = Math.min(highWatermark, leaderEndOffset);
            return new FollowerEffect.Truncate(leaderEndOffset);
        }
        if (leaderStartOffset > logEndOffset) {
            // The start counts as committed, else a leader made of this replica would show offsets below its log.
            highWatermark = leaderStartOffset;
            return new FollowerEffect.StartAnew(leaderStartOffset);
        }
        return new FollowerEffect.FetchOn();
    }

    /** The log was cut and ends here, perhaps below what was asked for: a log is cut between batches. */
    public void onTruncated(long logEndOffset) {
        highWatermark = Math.min(highWatermark, logEndOffset);
    }

    /**
     * What the leader sent is in the log. The watermark follows the leader's, never past the own end. It does not go
     * back where the leader's is lower, as after an election: what was committed stays so.
     *
     * @return true where the watermark has moved
     */
    public boolean onFetched(long leaderHighWatermark, long logStartOffset, long logEndOffset) {
        long bounded = Math.min(leaderHighWatermark, logEndOffset);
        long next = Math.max(Math.max(highWatermark, bounded), logStartOffset);
        boolean isMoved = next != highWatermark;
        highWatermark = next;
        return isMoved;
    }

    public int leaderId() {
        return leaderId;
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    public long highWatermark() {
        return highWatermark;
    }
}
