package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarker;
import io.tidemark.broker.protocol.message.WriteTxnMarkersRequest.WritableTxnMarkerTopic;
import io.tidemark.broker.protocol.message.WriteTxnMarkersResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each way in which a transaction hangs: it holds the last stable offset, can be seen, and can be resolved. */
@Timeout(120)
class HangingTransactionIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private Cluster cluster;
    private PartitionHandle orders;
    private ClusterTransactions transactions;

    @BeforeEach
    void startCluster() {
        cluster = Cluster.builder().brokers(3).topic("orders").start();
        orders = cluster.partition("orders", 0);
        transactions = cluster.transactions();
    }

    @AfterEach
    void closeCluster() {
        cluster.close();
    }

    @Test
    void openTransactionHoldsReadersUntilItsProducerEndsIt() {
        OpenTransaction open = transactions.open("payments", orders, "one", "two");

        assertThat(orders).eventually().hasHighWatermark(2);
        assertThat(orders.lastStableOffset()).isZero();
        assertThat(open.firstOffset()).isZero();
        TransactionSnapshot seen = cluster.transaction("payments").snapshot();
        assertThat(seen.state()).isEqualTo("Ongoing");
        assertThat(seen.partitions()).containsExactly("orders-0");
        assertThat(seen.producerEpoch()).isEqualTo(open.producerEpoch());

        open.commit();

        awaitStable(3);
        awaitState("CompleteCommit");
    }

    @Test
    void transactionOfADeadProducerWaitsForItsTimeout() {
        OpenTransaction dead = transactions.open("payments", orders, Duration.ofMinutes(5), List.of("one"));

        cluster.clock().advance(Duration.ofMinutes(4));
        assertThat(orders.lastStableOffset()).isZero();
        assertThat(cluster.transaction("payments").snapshot().state()).isEqualTo("Ongoing");
        cluster.clock().advance(Duration.ofMinutes(2));

        awaitStable(2);
        awaitState("CompleteAbort");
        assertThatThrownBy(dead::commit).isInstanceOf(ClusterException.class);
    }

    @Test
    void coordinatorThatDoesNotSendItsMarkersHoldsAPreparedTransaction() {
        OpenTransaction open = transactions.open("payments", orders, "one");
        TransactionHandle payments = cluster.transaction("payments");
        try (LinkFault held = transactions.holdMarkers(payments.coordinator())) {
            open.commit();

            assertThat(payments.snapshot().state()).isEqualTo("PrepareCommit");
            await("something is held").atMost(PATIENCE).until(() -> held.strikes() > 0);
            assertThat(orders.lastStableOffset()).isZero();
        }

        awaitStable(2);
        awaitState("CompleteCommit");
    }

    @Test
    void markersThatAreHeldForOneLeaderReachTheOthers() {
        String returns = cluster.createTopic(topic -> topic.replicas(0, 2, 3, 1));
        int leader = orders.leader();
        assertThat(cluster.partition(returns, 0).leader()).isNotEqualTo(leader);
        OpenTransaction inOrders = transactions.open("payments", orders, "one");
        OpenTransaction inReturns = transactions.open("refunds", cluster.partition(returns, 0), "one");
        for (int coordinator = 1; coordinator <= 3; coordinator++) {
            transactions.holdMarkers(coordinator, List.of(leader));
        }

        inReturns.commit();
        inOrders.commit();

        await("the other leader has its marker")
                .atMost(PATIENCE)
                .until(() -> cluster.partition(returns, 0).lastStableOffset() == 2);
        assertThat(cluster.transaction("payments").snapshot().state()).isEqualTo("PrepareCommit");
        assertThat(orders.lastStableOffset()).isZero();
        cluster.links().heal();
        awaitStable(2);
    }

    @Test
    void transactionThatEndsShowsOnlyThePartitionsWhoseMarkerIsMissing() {
        String returns = cluster.createTopic(topic -> topic.replicas(0, 2, 3, 1));
        int leader = orders.leader();
        assertThat(cluster.partition(returns, 0).leader()).isNotEqualTo(leader);
        for (int coordinator = 1; coordinator <= 3; coordinator++) {
            transactions.holdMarkers(coordinator, List.of(leader));
        }
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("transactional.id", "payments"));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>("orders", 0, "key", "one"));
        producer.send(new ProducerRecord<>(returns, 0, "key", "one"));
        producer.flush();
        assertThat(cluster.transaction("payments").snapshot().partitions())
                .containsExactlyInAnyOrder("orders-0", returns + "-0");

        producer.commitTransaction();

        await("one marker is written")
                .atMost(PATIENCE)
                .until(() ->
                        cluster.transaction("payments").snapshot().partitions().equals(List.of("orders-0")));
        assertThat(cluster.transaction("payments").snapshot().state()).isEqualTo("PrepareCommit");
        cluster.links().heal();
        awaitState("CompleteCommit");
        assertThat(cluster.transaction("payments").snapshot().partitions()).isEmpty();
    }

    @Test
    void nextCoordinatorSendsTheMarkersThatTheLastOneKept() {
        OpenTransaction open = transactions.open("payments", orders, "one");
        int coordinator = cluster.transaction("payments").coordinator();
        transactions.holdMarkers(coordinator);
        open.commit();
        assertThat(orders.lastStableOffset()).isZero();

        cluster.broker(coordinator).kill();

        awaitStable(2);
        awaitState("CompleteCommit");
    }

    @Test
    void orphanIsKnownToNoCoordinatorAndEndsWhenAnOperatorAbortsIt() throws Exception {
        OrphanTransaction orphan = transactions.orphan(orders, "one", "two");

        assertThat(orders).eventually().hasHighWatermark(2);
        cluster.clock().advance(Duration.ofHours(1));
        assertThat(orders.lastStableOffset()).isZero();
        Admin admin = cluster.clients().admin();
        assertThat(admin.listTransactions().all().get(10, TimeUnit.SECONDS)).isEmpty();
        ProducerState producer = admin.describeProducers(List.of(ORDERS))
                .partitionResult(ORDERS)
                .get(10, TimeUnit.SECONDS)
                .activeProducers()
                .get(0);
        assertThat(producer.producerId()).isEqualTo(orphan.producerId());
        assertThat(producer.currentTransactionStartOffset()).hasValue(orphan.firstOffset());

        admin.abortTransaction(new AbortTransactionSpec(
                        ORDERS,
                        orphan.producerId(),
                        (short) orphan.producerEpoch(),
                        producer.coordinatorEpoch().orElse(0)))
                .all()
                .get(10, TimeUnit.SECONDS);

        awaitStable(3);
    }

    /** As seen of Apache Kafka 4.4.0: all of them are answered with UNKNOWN_SERVER_ERROR. */
    @Test
    void aMarkerOfNoProducerOrNoEpochIsNotWrittenAndFailsItsRequest() {
        OrphanTransaction orphan = transactions.orphan(orders, "one");
        assertThat(orders).eventually().hasHighWatermark(1);
        WritableTxnMarker unknown = abort(orphan.producerId(), 0, "no-such-topic");
        for (WritableTxnMarker unusable :
                List.of(abort(orphan.producerId(), -1, "orders"), abort(-1, orphan.producerEpoch(), "orders"))) {
            assertThat(write(unusable, unknown))
                    .containsExactly(ErrorCode.UNKNOWN_SERVER_ERROR, ErrorCode.UNKNOWN_SERVER_ERROR);
        }
        assertThat(write(abort(orphan.producerId(), -1, "no-such-topic")))
                .containsExactly(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(orders).hasLogEndOffset(orders.leader(), 1).hasLastStableOffset(0);

        assertThat(write(abort(orphan.producerId(), orphan.producerEpoch(), "orders")))
                .containsExactly(ErrorCode.NONE);
        awaitStable(2);
    }

    private static WritableTxnMarker abort(long producerId, int epoch, String topic) {
        return new WritableTxnMarker()
                .setProducerId(producerId)
                .setProducerEpoch((short) epoch)
                .setTransactionResult(false)
                .setTopics(List.of(new WritableTxnMarkerTopic().setName(topic).setPartitionIndexes(List.of(0))));
    }

    private List<ErrorCode> write(WritableTxnMarker... markers) {
        WriteTxnMarkersResponse response = (WriteTxnMarkersResponse) Outcome.await(
                cluster.broker(orders.leader())
                        .current()
                        .call(new WriteTxnMarkersRequest().setMarkers(List.of(markers))),
                PATIENCE.toMillis(),
                "write markers");
        return response.markers().stream()
                .map(marker -> ErrorCode.forCode(
                        marker.topics().get(0).partitions().get(0).errorCode()))
                .toList();
    }

    private void awaitState(String state) {
        await(state)
                .atMost(PATIENCE)
                .until(() -> cluster.transaction("payments").snapshot().state().equals(state));
    }

    private void awaitStable(long offset) {
        // Between two leaders there is nobody to tell it.
        await("last stable offset " + offset)
                .atMost(PATIENCE)
                .ignoreException(IllegalStateException.class)
                .until(() -> orders.lastStableOffset() == offset);
    }
}
