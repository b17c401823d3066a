package io.tidemark;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeTransactionsRequest;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import java.util.List;
import java.util.Optional;

/**
 * One transactional id of a cluster, to look into. Each call asks its coordinator anew. Safe from any thread.
 *
 * <pre>{@code
 * TransactionHandle payments = cluster.transaction("payments");
 * assertThat(payments).eventually().hasState("CompleteCommit");
 * }</pre>
 */
public final class TransactionHandle {
    private final Cluster cluster;
    private final TransactionWire wire;
    private final String transactionalId;

    TransactionHandle(Cluster cluster, String transactionalId) {
        this.cluster = cluster;
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
     * What its coordinator knows of it. One that is just on its way is waited for.
     *
     * @throws IllegalStateException if its coordinator does not know the id
     */
    public TransactionSnapshot snapshot() {
        DescribeTransactionsRequest request =
                new DescribeTransactionsRequest().setTransactionalIds(List.of(transactionalId));
        TransactionWire.Answer<DescribeTransactionsResponse> answer = wire.ofCoordinator(
                transactionalId,
                request,
                DescribeTransactionsResponse.class,
                response ->
                        ErrorCode.forCode(response.transactionStates().get(0).errorCode()),
                "describe");
        DescribeTransactionsResponse.TransactionState described =
                answer.response().transactionStates().get(0);
        if (described.errorCode() == ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code()) {
            throw new IllegalStateException("The coordinator does not know transactional id [" + transactionalId
                    + "]; a producer initializes it, or it was not used for so long that it has expired");
        }
        return TransactionInspection.snapshot(answer.brokerId(), described);
    }

    /**
     * As {@link #snapshot()}, with no waiting for a coordinator that is on its way: empty while no running broker
     * coordinates the id and knows it.
     */
    public Optional<TransactionSnapshot> snapshotIfPresent() {
        return TransactionInspection.of(cluster, transactionalId);
    }

    /** The cluster that it belongs to. */
    public Cluster cluster() {
        return cluster;
    }

    @Override
    public String toString() {
        return "transactional id " + transactionalId;
    }
}
