package io.tidemark.assertions;

import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import java.time.Duration;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on one partition. Each judges the partition as it is at that moment; after {@link #eventually()} each waits
 * until it holds, and gives up early where it never can.
 *
 * <pre>{@code
 * // passes three replicas later
 * assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3).hasHighWatermark(1);
 *
 * // fails at once: broker 7 holds no replica
 * assertThat(cluster.partition("orders", 0)).eventually().hasLeader(7);
 * }</pre>
 */
public final class PartitionAssert extends AbstractAssert<PartitionAssert, PartitionHandle> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final @Nullable Eventually eventually;

    PartitionAssert(PartitionHandle partition) {
        this(partition, null);
    }

    private PartitionAssert(PartitionHandle partition, @Nullable Eventually eventually) {
        super(partition, PartitionAssert.class);
        this.eventually = eventually;
    }

    /** Every assertion after this one waits until it holds, for twenty seconds at most. */
    public PartitionAssert eventually() {
        return eventually(PATIENCE);
    }

    /** Every assertion after this one waits until it holds, each for so long at most. */
    public PartitionAssert eventually(Duration timeout) {
        isNotNull();
        PartitionAssert waiting = new PartitionAssert(actual, new Eventually(timeout));
        waiting.info.description(info.description());
        return waiting;
    }

    /**
     * The broker that leads. With broker 2 as the leader, {@code hasLeader(2)} passes and {@code hasLeader(1)} fails; an
     * eventual one fails early where that broker holds no replica.
     */
    public PartitionAssert hasLeader(int brokerId) {
        return check(Expectation.leader(brokerId));
    }

    /**
     * The leader epoch, which is 0 under the first leader. After one change of the leader {@code hasLeaderEpoch(1)}
     * passes and {@code hasLeaderEpoch(0)} fails; an eventual one fails early where the epoch is past.
     */
    public PartitionAssert hasLeaderEpoch(int leaderEpoch) {
        return check(Expectation.leaderEpoch(leaderEpoch));
    }

    /**
     * The in-sync replicas that the controller has committed, in any order. With 1, 2 and 3 in sync
     * {@code hasIsr(1, 2, 3)} passes and {@code hasIsr(1, 2)} fails; an eventual one fails early where a broker holds no
     * replica.
     */
    public PartitionAssert hasIsr(int... brokerIds) {
        return check(Expectation.isr(brokerIds));
    }

    /**
     * The eligible leader replicas (KIP-966), in any order; no argument for none. Where broker 3 of 1 and 3 was the last
     * to leave an ISR that then had fewer than min.insync.replicas members, {@code hasElr(3)} passes and
     * {@code hasElr()} fails; an eventual one fails early where a broker holds no replica.
     */
    public PartitionAssert hasElr(int... brokerIds) {
        return check(Expectation.elr(brokerIds));
    }

    /** Every replica is in sync. With replicas 1, 2, 3 it passes where the ISR is 1, 2, 3 and fails where it is 1, 2. */
    public PartitionAssert hasFullIsr() {
        return check(Expectation.fullIsr());
    }

    /**
     * One past the last committed record, as the leader has it. After one record on every replica
     * {@code hasHighWatermark(1)} passes and {@code hasHighWatermark(0)} fails; an eventual one fails early where it is
     * past.
     */
    public PartitionAssert hasHighWatermark(long offset) {
        return check(Expectation.highWatermark(offset));
    }

    /**
     * The first offset that the leader still has. While nothing was deleted {@code hasLogStartOffset(0)} passes and
     * {@code hasLogStartOffset(1)} fails; an eventual one fails early where it is past.
     */
    public PartitionAssert hasLogStartOffset(long offset) {
        return check(Expectation.logStartOffset(offset));
    }

    /**
     * One past the last record in the log of one broker, committed or not. With five records on broker 3
     * {@code hasLogEndOffset(3, 5)} passes and {@code hasLogEndOffset(3, 4)} fails; so does either where broker 3 is
     * down. An eventual one fails early where that broker holds no replica.
     */
    public PartitionAssert hasLogEndOffset(int brokerId, long offset) {
        return check(Expectation.logEndOffset(brokerId, offset));
    }

    /**
     * One past the last record that a read_committed consumer may see. Without open transactions it is the high
     * watermark: after one record {@code hasLastStableOffset(1)} passes and {@code hasLastStableOffset(0)} fails; an
     * eventual one fails early where it is past.
     */
    public PartitionAssert hasLastStableOffset(long offset) {
        return check(Expectation.lastStableOffset(offset));
    }

    /** Offline: no broker leads. It passes when the only replica's broker is dead, and fails while one leads. */
    public PartitionAssert hasNoLeader() {
        return check(Expectation.noLeader());
    }

    /** Some replica is out of sync. With replicas 1, 2, 3 it passes where the ISR is 1, 2 and fails where it is full. */
    public PartitionAssert isUnderReplicated() {
        return check(Expectation.underReplicated());
    }

    /**
     * Below the high watermark every replica holds the same records, and as many. Read out of the files, also of brokers
     * that are down. It passes when all have caught up, and fails where one lacks a record or has another one.
     */
    public PartitionAssert hasIdenticalReplicas() {
        isNotNull();
        return check(
                new Subject<>(actual.toString(), "partition", () -> ReplicaLogs.of(actual)), ReplicaLogs.identical());
    }

    private PartitionAssert check(Expectation<PartitionState> expectation) {
        isNotNull();
        return check(new Subject<>(actual.toString(), "partition", actual::snapshotIfPresent), expectation);
    }

    private <S> PartitionAssert check(Subject<S> subject, Expectation<S> expectation) {
        UnmetExpectation unmet = subject.unmet(expectation, eventually);
        if (unmet != null) {
            throw failure("%s", unmet.message());
        }
        return this;
    }
}
