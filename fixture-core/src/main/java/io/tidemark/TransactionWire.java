package io.tidemark;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FindCoordinatorRequest;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks the coordinators of transactional ids, through the brokers' own routers, until they can answer. */
final class TransactionWire {
    private static final byte TRANSACTION_KEY = 1;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Cluster cluster;

    TransactionWire(Cluster cluster) {
        this.cluster = cluster;
    }

    int coordinator(String transactionalId) {
        FindCoordinatorRequest request =
                new FindCoordinatorRequest().setKeyType(TRANSACTION_KEY).setCoordinatorKeys(List.of(transactionalId));
        String task = "find the coordinator of " + transactionalId;
        return until(
                        () -> call(anyBroker(), request, FindCoordinatorResponse.class, task),
                        response ->
                                ErrorCode.forCode(response.coordinators().get(0).errorCode()),
                        task)
                .coordinators()
                .get(0)
                .nodeId();
    }

    private ClusterNode anyBroker() {
        return cluster.brokers().stream()
                .filter(broker -> broker.state() == NodeState.RUNNING)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "No broker of " + cluster + " runs; restart one first: " + cluster.brokers()));
    }

    /** Asks the coordinator of an id, whoever that is at each attempt, until its error is none that passes by itself. */
    <R extends ApiMessage> R untilServed(
            String transactionalId, ApiMessage request, Class<R> type, Function<R, ErrorCode> error, String what) {
        String task = what + " transactional id " + transactionalId;
        return until(() -> call(cluster.broker(coordinator(transactionalId)), request, type, task), error, task);
    }

    <R extends ApiMessage> R call(ClusterNode node, ApiMessage request, Class<R> type, String task) {
        return type.cast(Outcome.await(node.current().call(request), timeoutMs(), task));
    }

    private <R> R until(Supplier<R> ask, Function<R, ErrorCode> error, String task) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs());
        while (true) {
            R response = ask.get();
            ErrorCode outcome = error.apply(response);
            if (!passes(outcome)) {
                return response;
            }
            if (System.nanoTime() > deadline) {
                throw new ClusterException(
                        "Could not " + task + " within " + timeoutMs() + " ms: the last answer was " + outcome);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static boolean passes(ErrorCode error) {
        return switch (error) {
            case COORDINATOR_LOAD_IN_PROGRESS, COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR, CONCURRENT_TRANSACTIONS ->
                true;
            default -> false;
        };
    }

    private long timeoutMs() {
        return cluster.startTimeout().toMillis();
    }
}
