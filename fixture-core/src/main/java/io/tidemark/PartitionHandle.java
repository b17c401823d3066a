package io.tidemark;

import io.tidemark.broker.types.TopicPartition;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One partition of a cluster, to look into. Each call asks the brokers anew; {@link #snapshot()} gives one consistent
 * answer to several questions. Safe from any thread.
 *
 * <pre>{@code
 * PartitionHandle orders = cluster.partition("orders", 0);
 * chaos.kill(orders.leader());
 * assertThat(orders).eventually().hasLeaderEpoch(1).hasIsr(2, 3);
 * }</pre>
 */
public final class PartitionHandle {
    private final Cluster cluster;
    private final String topic;
    private final int partition;

    PartitionHandle(Cluster cluster, String topic, int partition) {
        this.cluster = cluster;
        this.topic = topic;
        this.partition = partition;
    }

    /** The cluster that it belongs to. */
    public Cluster cluster() {
        return cluster;
    }

    public String topic() {
        return topic;
    }

    public int partition() {
        return partition;
    }

    /**
     * The id of the broker that leads.
     *
     * @throws IllegalStateException if no broker does
     */
    public int leader() {
        PartitionState state = snapshot();
        return state.leader()
                .orElseThrow(() -> new IllegalStateException("No broker leads " + this
                        + " now; wait for one with assertThat(partition).eventually().hasLeader(id).\n" + state));
    }

    /** Rises by one with each new leader; 0 under the first. */
    public int leaderEpoch() {
        return snapshot().leaderEpoch();
    }

    /** The in-sync replicas that the controller has committed, in ascending order. */
    public List<Integer> isr() {
        return snapshot().isr();
    }

    /**
     * The eligible leader replicas (KIP-966), in ascending order: out of the ISR, and still with every committed record,
     * so that one of them may lead when the ISR is gone. Empty while the ISR has min.insync.replicas members.
     */
    public List<Integer> elr() {
        return snapshot().elr();
    }

    /**
     * One past the last committed record, as the leader has it.
     *
     * @throws IllegalStateException if no leader has taken office
     */
    public long highWatermark() {
        PartitionState state = snapshot();
        return present(state.highWatermark(), "high watermark", state);
    }

    /**
     * One past the last record that a read_committed consumer may see.
     *
     * @throws IllegalStateException if no leader has taken office
     */
    public long lastStableOffset() {
        PartitionState state = snapshot();
        return present(state.lastStableOffset(), "last stable offset", state);
    }

    /**
     * The first offset that the leader still has.
     *
     * @throws IllegalStateException if no leader has taken office
     */
    public long logStartOffset() {
        PartitionState state = snapshot();
        return present(state.logStartOffset(), "log start offset", state);
    }

    /**
     * One past the last record in the log of one broker.
     *
     * @throws IllegalArgumentException if the broker holds no replica
     * @throws IllegalStateException if the broker does not run, or has not taken up the partition yet
     */
    public long logEndOffset(int brokerId) {
        PartitionState state = snapshot();
        if (state.replica(brokerId) == null) {
            throw new IllegalArgumentException(
                    "Broker [" + brokerId + "] holds no replica of " + this + "; ask one of " + state.replicaIds());
        }
        return state.logEndOffset(brokerId)
                .orElseThrow(() -> new IllegalStateException("The log end offset of " + this + " on broker " + brokerId
                        + " cannot be seen: " + state.replica(brokerId) + ". Only running brokers can be asked.\n"
                        + state));
    }

    /**
     * The records in the log of one broker, committed or not, read out of its files: also those of a broker that is down
     * or cut off. Empty where it holds no replica. Transaction markers are left out.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public List<ReplicaRecord> recordsOn(int brokerId) {
        return ReplicaFiles.records(cluster.broker(brokerId).logDirectory().resolve(topic + "-" + partition));
    }

    /**
     * The records below the high watermark in the leader's log, read out of its files.
     *
     * @throws IllegalStateException if no leader has taken office
     */
    public List<ReplicaRecord> committedRecords() {
        PartitionState state = snapshot();
        long highWatermark = present(state.highWatermark(), "high watermark", state);
        return recordsOn(state.leader().orElseThrow()).stream()
                .filter(record -> record.offset() < highWatermark)
                .toList();
    }

    /**
     * The records that a consumer of an isolation level is given, read out of the leader's files.
     *
     * @throws IllegalStateException if no leader has taken office
     */
    public List<ReplicaRecord> records(IsolationLevel isolation) {
        if (isolation == IsolationLevel.READ_UNCOMMITTED) {
            return committedRecords();
        }
        PartitionState state = snapshot();
        long lastStableOffset = present(state.lastStableOffset(), "last stable offset", state);
        ClusterNode leader = cluster.broker(state.leader().orElseThrow());
        return ReplicaFiles.readCommitted(leader.logDirectory().resolve(toString()), lastStableOffset);
    }

    /**
     * The idempotent and transactional producers that the leader knows of, with their open transactions.
     *
     * @throws IllegalStateException if no leader can be asked
     */
    public List<ProducerState> producers() {
        return producersIfLed()
                .orElseThrow(() -> new IllegalStateException("No leader of " + this
                        + " tells its producers now; wait for one with assertThat(partition).eventually().\n"
                        + snapshot()));
    }

    /** As {@link #producers()}, and empty while no leader can be asked. */
    public Optional<List<ProducerState>> producersIfLed() {
        OptionalInt leader = leaderInOffice();
        return leader.isEmpty()
                ? Optional.empty()
                : TransactionInspection.producers(cluster.broker(leader.getAsInt()), this);
    }

    /**
     * The open transactions that no coordinator knows of, so that nobody will ever end them, as {@code kafka-transactions
     * find-hanging} has them (KIP-664). Empty while the leader or a coordinator cannot be asked.
     */
    public Optional<List<ProducerState>> orphanTransactionsIfKnown() {
        OptionalInt leader = leaderInOffice();
        return leader.isEmpty() ? Optional.empty() : TransactionInspection.hanging(cluster, this, leader.getAsInt());
    }

    private OptionalInt leaderInOffice() {
        return snapshotIfPresent()
                .filter(state -> state.highWatermark().isPresent())
                .map(PartitionState::leader)
                .orElse(OptionalInt.empty());
    }

    /**
     * The partition's segments on one broker's disk.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public ReplicaSegments segments(int brokerId) {
        return new ReplicaSegments(cluster.broker(brokerId), this);
    }

    /**
     * Waits until exactly these replicas are in sync.
     *
     * @throws ClusterException if they are not when the time is up; the message shows the partition
     */
    public void awaitIsr(Duration timeout, int... brokerIds) {
        List<Integer> wanted = Arrays.stream(brokerIds).sorted().boxed().toList();
        Readiness.awaitNothing(
                () -> snapshotIfPresent()
                        .map(state -> state.isr().equals(wanted) ? List.<String>of() : List.of("it is " + state))
                        .orElse(List.of("the partition itself")),
                "The ISR of " + this + " is not " + wanted,
                timeout.toMillis());
    }

    /**
     * The page cache of the partition's segments on one broker.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public ReplicaPageCache pageCache(int brokerId) {
        return new ReplicaPageCache(cluster.broker(brokerId), new TopicPartition(topic, partition));
    }

    /**
     * The partition now. The controller's part and each replica's part are each consistent in themselves; the replicas
     * are asked one after the other.
     *
     * @throws IllegalArgumentException if there is no such topic or partition
     * @throws IllegalStateException if no node can be asked
     */
    public PartitionState snapshot() {
        return cluster.view().partition(topic, partition);
    }

    /** As {@link #snapshot()}, and empty while there is no such topic or partition. */
    public Optional<PartitionState> snapshotIfPresent() {
        return Optional.ofNullable(cluster.view().partitionOrNull(topic, partition));
    }

    private long present(OptionalLong value, String what, PartitionState state) {
        return value.orElseThrow(() -> new IllegalStateException("The " + what + " of " + this
                + " is the leader's to tell, and no leader has taken office; wait for one with"
                + " assertThat(partition).eventually().\n" + state));
    }

    /** The topic and the number as in Kafka's own messages, for example {@code orders-0}. */
    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
