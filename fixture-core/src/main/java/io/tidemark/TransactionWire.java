package io.tidemark;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FindCoordinatorRequest;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Asks the coordinators of transactional ids and the leaders of partitions, through the brokers' own routers, until they
 * can answer, as a client does that sends again.
 */
final class TransactionWire {
    private static final byte TRANSACTION_KEY = 1;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Cluster cluster;

    TransactionWire(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Who answered, and what. */
    record Answer<R>(int brokerId, R response) {}

    /** As the controller has it, which a broker may not have heard yet. */
    int coordinator(String transactionalId) {
        String task = "find the coordinator of " + transactionalId;
        long deadline = deadline();
        while (true) {
            int coordinator = coordinatorNow(transactionalId);
            if (coordinator >= 0) {
                return coordinator;
            }
            pause(deadline, task, ErrorCode.COORDINATOR_NOT_AVAILABLE);
        }
    }

    /** Negative where nobody coordinates the id just now. */
    private int coordinatorNow(String transactionalId) {
        int coordinator = CoordinatorLook.coordinator(cluster, TransactionTimeline.TOPIC, transactionalId);
        if (coordinator < 0) {
            // Whoever is asked for a coordinator first has the topic created.
            CoordinatorLook.ask(
                    anyBroker(),
                    new FindCoordinatorRequest()
                            .setKeyType(TRANSACTION_KEY)
                            .setCoordinatorKeys(List.of(transactionalId)),
                    FindCoordinatorResponse.class,
                    timeoutMs());
        }
        return coordinator;
    }

    private ClusterNode anyBroker() {
        return cluster.brokers().stream()
                .filter(broker -> broker.state() == NodeState.RUNNING)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "No broker of " + cluster + " runs; restart one first: " + cluster.brokers()));
    }

    /** Asks the coordinator of an id, whoever that is at each attempt, until its error is none that passes by itself. */
    <R extends ApiMessage> Answer<R> ofCoordinator(
            String transactionalId, ApiMessage request, Class<R> type, Function<R, ErrorCode> error, String what) {
        return until(
                () -> coordinatorNow(transactionalId),
                () -> request,
                type,
                error,
                TransactionWire::passes,
                what + " transactional id " + transactionalId);
    }

    /** Asks the leader of a partition, whoever that is at each attempt, until its error is none that a client retries. */
    <R extends ApiMessage> Answer<R> ofLeader(
            PartitionHandle partition,
            Supplier<ApiMessage> request,
            Class<R> type,
            Function<R, ErrorCode> error,
            String task) {
        return until(
                () -> partition.snapshot().leader().orElse(-1), request, type, error, ErrorCode::isRetriable, task);
    }

    /** @param broker negative where there is nobody to ask just now */
    private <R extends ApiMessage> Answer<R> until(
            IntSupplier broker,
            Supplier<ApiMessage> request,
            Class<R> type,
            Function<R, ErrorCode> error,
            Predicate<ErrorCode> passes,
            String task) {
        long deadline = deadline();
        while (true) {
            int asked = broker.getAsInt();
            ErrorCode outcome = ErrorCode.BROKER_NOT_AVAILABLE;
            if (asked >= 0) {
                R response = CoordinatorLook.ask(cluster.broker(asked), request.get(), type, timeoutMs());
                if (response != null) {
                    outcome = error.apply(response);
                    if (!passes.test(outcome)) {
                        return new Answer<>(asked, response);
                    }
                }
            }
            pause(deadline, task, outcome);
        }
    }

    private void pause(long deadline, String task, ErrorCode outcome) {
        if (System.nanoTime() - deadline > 0) {
            throw new ClusterException(
                    "Could not " + task + " within " + timeoutMs() + " ms: the last answer was " + outcome);
        }
        LockSupport.parkNanos(POLL_NANOS);
    }

    private static boolean passes(ErrorCode error) {
        return switch (error) {
            case COORDINATOR_LOAD_IN_PROGRESS, COORDINATOR_NOT_AVAILABLE, NOT_COORDINATOR, CONCURRENT_TRANSACTIONS ->
                true;
            default -> false;
        };
    }

    private long deadline() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs());
    }

    private long timeoutMs() {
        return cluster.startTimeout().toMillis();
    }
}
