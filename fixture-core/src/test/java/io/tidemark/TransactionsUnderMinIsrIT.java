package io.tidemark;

import static org.awaitility.Awaitility.await;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction coordinator whose log has too few in-sync replicas says so at once, and works when it has enough. */
@Timeout(120)
class TransactionsUnderMinIsrIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LIMIT_MS = 20_000;

    @Test
    void coordinatorWithoutItsReplicasIsNotAvailableAtOnce() {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .config("request.timeout.ms", "600000")
                .config("broker.session.timeout.ms", "3000")
                .start()) {
            TransactionWire wire = new TransactionWire(cluster);
            int coordinator = wire.coordinator("payments");
            await("it serves").atMost(PATIENCE).until(() -> init(cluster, coordinator) == ErrorCode.NONE);
            List<ClusterNode> others = cluster.brokers().stream()
                    .filter(broker -> broker.id() != coordinator)
                    .toList();

            others.forEach(ClusterNode::kill);
            await("it stands alone").atMost(PATIENCE).until(() -> isAlone(cluster, coordinator));
            // The controller knows it first; the coordinator hears of it with the metadata.
            await("it says so")
                    .atMost(PATIENCE)
                    .until(() -> init(cluster, coordinator) == ErrorCode.COORDINATOR_NOT_AVAILABLE);

            others.forEach(ClusterNode::restart);
            await("it serves again").atMost(PATIENCE).until(() -> init(cluster, coordinator) == ErrorCode.NONE);
        }
    }

    private static boolean isAlone(Cluster cluster, int coordinator) {
        return IntStream.range(0, 5).allMatch(partition -> cluster.partition("__transaction_state", partition)
                .isr()
                .equals(List.of(coordinator)));
    }

    private static ErrorCode init(Cluster cluster, int brokerId) {
        InitProducerIdRequest request =
                new InitProducerIdRequest().setTransactionalId("payments").setTransactionTimeoutMs(60_000);
        return ErrorCode.forCode(((InitProducerIdResponse) Outcome.await(
                        cluster.broker(brokerId).current().call(request), LIMIT_MS, "ask broker " + brokerId))
                .errorCode());
    }
}
