package io.tidemark;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.types.TopicPartition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Transactions that hang on purpose, one way for each way in which they do in the field. While one hangs, the last stable
 * offset of its partition stands still, and readers of committed records wait. Safe from any thread.
 *
 * <pre>{@code
 * OpenTransaction stuck = cluster.transactions().open("payments", cluster.partition("orders", 0), "order-1");
 * // what does the application do while it sees nothing?
 * stuck.abort();
 * }</pre>
 *
 * <ul>
 *   <li>A producer that lives and does not end its transaction: {@link #open}, and later commit or abort.
 *   <li>A producer that died: {@link #open}, and {@code cluster.clock().advance(...)} over its timeout.
 *   <li>A coordinator that has decided and does not tell the partitions: {@link #holdMarkers}, until it is healed.
 *   <li>An orphan, which no coordinator knows: {@link #orphan}, until an operator aborts it.
 * </ul>
 */
public final class ClusterTransactions {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

    /** {@code transaction.abort.timed.out.transaction.cleanup.interval.ms}, where nothing else was said. */
    private static final Duration LOOKS_EVERY = Duration.ofSeconds(10);

    /** Far above what any controller gives out in a test. */
    private static final long FIRST_ORPHAN_PRODUCER_ID = 1L << 40;

    private final Cluster cluster;
    private final AtomicLong nextOrphanProducerId;

    ClusterTransactions(Cluster cluster) {
        this.cluster = cluster;
        this.nextOrphanProducerId = new AtomicLong(FIRST_ORPHAN_PRODUCER_ID);
    }

    /** As {@link #open(String, PartitionHandle, Duration, List)}, with Kafka's timeout of one minute. */
    public OpenTransaction open(String transactionalId, PartitionHandle partition, String... values) {
        return open(transactionalId, partition, DEFAULT_TIMEOUT, List.of(values));
    }

    /**
     * Opens a transaction with records in it, and leaves it open. A producer that had the id before is fenced.
     *
     * @param timeout after so long the coordinator aborts it; at most {@code transaction.max.timeout.ms}
     * @param values at least one; the records have no key
     * @throws ClusterException if the cluster does not take it
     */
    public OpenTransaction open(
            String transactionalId, PartitionHandle partition, Duration timeout, List<String> values) {
        requireValues(values);
        OpenTransaction opened = OpenTransaction.begin(cluster, transactionalId, partition, timeout, values);
        cluster.deeds()
                .add(
                        "transactions",
                        "opened " + transactionalId + " in " + partition.topic() + "-" + partition.partition()
                                + " at offset " + opened.firstOffset());
        return opened;
    }

    /**
     * The coordinator on a broker tells no partition how transactions have ended any more. What it decides stays
     * decided, and is told when the fault is healed or another coordinator takes over.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public LinkFault holdMarkers(int coordinatorId) {
        return cluster.links().holdMarkers(coordinatorId, List.of());
    }

    /**
     * As {@link #holdMarkers(int)}, for the partitions that some brokers lead.
     *
     * @throws IllegalArgumentException if there is no such broker
     */
    public LinkFault holdMarkers(int coordinatorId, List<Integer> leaderIds) {
        return cluster.links().holdMarkers(coordinatorId, leaderIds);
    }

    /**
     * Puts records of a transaction into a partition that no coordinator knows, as a request did that came late, before
     * brokers verified transactions (KIP-890).
     *
     * @param values at least one; the records have no key
     * @throws UnsupportedOperationException if the backend cannot do that
     */
    public OrphanTransaction orphan(PartitionHandle partition, String... values) {
        requireValues(List.of(values));
        long producerId = nextOrphanProducerId.getAndIncrement();
        short producerEpoch = 0;
        ClusterNode leader = cluster.broker(partition.leader());
        long firstOffset = leader.appendUnasked(
                new TopicPartition(partition.topic(), partition.partition()),
                OpenTransaction.batch(producerId, producerEpoch, cluster, List.of(values))
                        .build());
        cluster.deeds()
                .add(
                        "transactions",
                        "orphan in " + partition.topic() + "-" + partition.partition() + " at offset " + firstOffset);
        return new OrphanTransaction(partition.topic(), partition.partition(), producerId, producerEpoch, firstOffset);
    }

    /**
     * Fences the producer that has a transactional id, as a second one with the same id does: its transaction is aborted,
     * and it hears that at its next request.
     *
     * @throws ClusterException if the coordinator does not do it
     */
    public void fence(String transactionalId) {
        TransactionSnapshot before = cluster.transaction(transactionalId).snapshot();
        InitProducerIdResponse response = new TransactionWire(cluster)
                .ofCoordinator(
                        transactionalId,
                        new InitProducerIdRequest()
                                .setTransactionalId(transactionalId)
                                .setTransactionTimeoutMs((int) before.timeout().toMillis()),
                        InitProducerIdResponse.class,
                        answer -> ErrorCode.forCode(answer.errorCode()),
                        "fence")
                .response();
        if (response.errorCode() != ErrorCode.NONE.code()) {
            throw new ClusterException("Could not fence transactional id " + transactionalId + ": "
                    + ErrorCode.forCode(response.errorCode()));
        }
        cluster.deeds()
                .add(
                        "transactional id " + transactionalId,
                        "fenced on purpose, epoch " + before.producerEpoch() + " to " + response.producerEpoch());
    }

    /**
     * Has an open transaction run into its timeout: the clock of every node is pushed over it, and its coordinator aborts
     * it. All else that is due by then happens too.
     *
     * @throws IllegalStateException if it is not open
     */
    public void expire(String transactionalId) {
        TransactionSnapshot before = cluster.transaction(transactionalId).snapshot();
        if (!before.state().equals("Ongoing")) {
            throw new IllegalStateException("Transactional id [" + transactionalId
                    + "] has no open transaction that could expire: it is [" + before.state() + "]");
        }
        cluster.deeds().add("transactional id " + transactionalId, "expired on purpose");
        cluster.clock().advance(before.timeout().plus(LOOKS_EVERY).plusSeconds(1));
        Readiness.awaitNothing(
                () -> {
                    String state =
                            cluster.transaction(transactionalId).snapshot().state();
                    return state.equals("Ongoing") ? List.of("it is " + state) : List.of();
                },
                "The coordinator of " + transactionalId + " does not abort its transaction",
                cluster.startTimeout().toMillis());
    }

    /**
     * Has another broker coordinate a transactional id. On return it has read its state, and answers.
     *
     * @return the new coordinator
     */
    public int moveCoordinator(String transactionalId) {
        int partitions = cluster.topic(TransactionTimeline.TOPIC).partitions().size();
        int coordinator = cluster.leadership()
                .move(TransactionTimeline.TOPIC, CoordinatorPartition.of(transactionalId, partitions));
        cluster.deeds()
                .add("transactional id " + transactionalId, "coordinated by broker " + coordinator + " on purpose");
        return coordinator;
    }

    private static void requireValues(List<String> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException(
                    "A transaction without records holds nobody up: give it at least one value");
        }
    }

    @Override
    public String toString() {
        return "transactions of " + cluster;
    }
}
