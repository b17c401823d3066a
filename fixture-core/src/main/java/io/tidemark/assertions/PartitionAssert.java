package io.tidemark.assertions;

import io.tidemark.PartitionHandle;
import io.tidemark.assertions.Eventually.Look;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
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

    private PartitionAssert check(Expectation expectation) {
        isNotNull();
        UnmetExpectation unmet = eventually == null ? now(expectation) : eventually.await(actual, expectation);
        if (unmet != null) {
            throw failure("%s", unmet.message());
        }
        return this;
    }

    private @Nullable UnmetExpectation now(Expectation expectation) {
        Look look = Look.at(actual, expectation);
        Verdict verdict = look.verdict();
        if (verdict instanceof Met) {
            return null;
        }
        String seen = verdict instanceof Never never
                ? never.actual() + " (" + never.reason() + ")"
                : ((NotYet) verdict).actual();
        return new UnmetExpectation(actual.toString(), expectation, seen, null, look.state());
    }
}
