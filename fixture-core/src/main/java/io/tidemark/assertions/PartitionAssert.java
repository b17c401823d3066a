package io.tidemark.assertions;

import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
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
public final class PartitionAssert extends WaitingAssert<PartitionAssert, PartitionHandle> {
    private static final String LED = "partition, or no leader of it in office";
    private static final String ASKED = LED + ", or not every coordinator of transactions";

    PartitionAssert(PartitionHandle partition, @Nullable Eventually eventually) {
        super(partition, PartitionAssert.class, eventually);
    }

    @Override
    PartitionAssert waiting(@Nullable Eventually patience) {
        return new PartitionAssert(actual, patience);
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

    /** No broker leads. It passes when the only replica's broker is dead, and fails while one leads. */
    public PartitionAssert hasNoLeader() {
        return check(Expectation.noLeader());
    }

    /** Kafka's word for {@link #hasNoLeader()}: with all replicas' brokers dead it passes, while one leads it fails. */
    public PartitionAssert isOffline() {
        return hasNoLeader();
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
                Subject.of(actual, LED, () -> ReplicaLogs.of(actual), ReplicaLogs::state), ReplicaLogs.identical());
    }

    /**
     * The ids of the producers that the leader knows of, in any order; no argument for none. Where one idempotent
     * producer with the id 7 has written {@code hasProducers(7)} passes and {@code hasProducers()} fails.
     */
    public PartitionAssert hasProducers(long... producerIds) {
        return checkProducers(PartitionProducers.ids(producerIds));
    }

    /**
     * The epoch under which a producer id has last written. After the first transaction
     * {@code hasProducerEpoch(7, 0)} passes and {@code hasProducerEpoch(7, 1)} fails; an eventual one fails early where
     * it is past.
     */
    public PartitionAssert hasProducerEpoch(long producerId, int producerEpoch) {
        return checkProducers(PartitionProducers.producerEpoch(producerId, producerEpoch));
    }

    /**
     * The sequence number of a producer's last record, which is 0 for its first. After three records
     * {@code hasLastSequence(7, 2)} passes and {@code hasLastSequence(7, 3)} fails.
     */
    public PartitionAssert hasLastSequence(long producerId, int sequence) {
        return checkProducers(PartitionProducers.lastSequence(producerId, sequence));
    }

    /**
     * How many transactions are open in it. With one that is neither committed nor aborted {@code hasOpenTransactions(1)}
     * passes and {@code hasOpenTransactions(0)} fails.
     */
    public PartitionAssert hasOpenTransactions(int count) {
        return checkProducers(PartitionProducers.openTransactions("open transactions", count));
    }

    /** As {@link #hasOpenTransactions hasOpenTransactions(0)}: every transaction in it has its marker. */
    public PartitionAssert hasNoOpenTransactions() {
        return hasOpenTransactions(0);
    }

    /**
     * A producer has a transaction open whose first record here is at an offset. With the first transaction open
     * {@code hasOpenTransaction(7, 0)} passes and {@code hasOpenTransaction(7, 1)} fails; an eventual one fails early
     * where the open one begins behind it.
     */
    public PartitionAssert hasOpenTransaction(long producerId, long startOffset) {
        return checkProducers(PartitionProducers.openTransaction(producerId, startOffset));
    }

    /**
     * How many open transactions no coordinator knows of, so that nobody ends them (KIP-664). After
     * {@code transactions().orphan(...)} {@code hasOrphanTransactions(1)} passes and {@code hasOrphanTransactions(0)}
     * fails.
     */
    public PartitionAssert hasOrphanTransactions(int count) {
        isNotNull();
        return check(
                Subject.of(actual, ASKED, () -> PartitionProducers.orphansOf(actual), PartitionProducers::state),
                PartitionProducers.openTransactions("transactions that no coordinator knows", count));
    }

    private PartitionAssert checkProducers(Expectation<PartitionProducers> expectation) {
        isNotNull();
        return check(
                Subject.of(actual, LED, () -> PartitionProducers.of(actual), PartitionProducers::state), expectation);
    }

    private PartitionAssert check(Expectation<PartitionState> expectation) {
        isNotNull();
        return check(Subject.of(actual, "partition", actual::snapshotIfPresent, state -> state), expectation);
    }
}
