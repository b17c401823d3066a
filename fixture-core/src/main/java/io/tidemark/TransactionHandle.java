package io.tidemark;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeTransactionsRequest;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One transactional id of a cluster, to look into. Each call asks its coordinator anew. Safe from any thread.
 *
 * <pre>{@code
 * TransactionHandle payments = cluster.transaction("payments");
 * await().until(() -> payments.snapshot().state().equals("CompleteCommit"));
 * }</pre>
 */
public final class TransactionHandle {
    private final TransactionWire wire;
    private final String transactionalId;

    TransactionHandle(Cluster cluster, String transactionalId) {
        this.wire = new TransactionWire(cluster);
        this.transactionalId = transactionalId;
    }

    public String transactionalId() {
        return transactionalId;
    }

    /**
     * The id of the broker that coordinates it.
     *
     * @throws ClusterException if there is none within the start timeout
     */
    public int coordinator() {
        return wire.coordinator(transactionalId);
    }

    /**
     * What its coordinator knows of it.
     *
     * @throws IllegalStateException if its coordinator does not know the id
     */
    public TransactionSnapshot snapshot() {
        return snapshotIfPresent()
                .orElseThrow(() -> new IllegalStateException("The coordinator does not know transactional id ["
                        + transactionalId + "]; a producer initializes it, or it was not used for so long that it has"
                        + " expired"));
    }

    /** As {@link #snapshot()}, and empty where its coordinator does not know the id. */
    public Optional<TransactionSnapshot> snapshotIfPresent() {
        DescribeTransactionsRequest request =
                new DescribeTransactionsRequest().setTransactionalIds(List.of(transactionalId));
        DescribeTransactionsResponse.TransactionState described = wire.untilServed(
                        transactionalId,
                        request,
                        DescribeTransactionsResponse.class,
                        response -> ErrorCode.forCode(
                                response.transactionStates().get(0).errorCode()),
                        "describe")
                .transactionStates()
                .get(0);
        return described.errorCode() == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code()
                ? Optional.empty()
                : Optional.of(snapshot(described));
    }

    private static TransactionSnapshot snapshot(DescribeTransactionsResponse.TransactionState described) {
        return new TransactionSnapshot(
                described.transactionState(),
                described.producerId(),
                described.producerEpoch(),
                Duration.ofMillis(described.transactionTimeoutMs()),
                described.topics().stream()
                        .flatMap(topic -> topic.partitions().stream().map(partition -> topic.topic() + "-" + partition))
                        .sorted()
                        .toList());
    }

    @Override
    public String toString() {
        return "transactional id " + transactionalId;
    }
}
