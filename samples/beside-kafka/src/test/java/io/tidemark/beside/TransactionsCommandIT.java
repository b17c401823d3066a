package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.ClusterException;
import io.tidemark.LinkFault;
import io.tidemark.OpenTransaction;
import io.tidemark.OrphanTransaction;
import io.tidemark.PartitionHandle;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Apache Kafka's own kafka-transactions shows each way in which a transaction hangs, and ends those that it can end. */
@Timeout(120)
class TransactionsCommandIT {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Cluster cluster;
    private PartitionHandle orders;
    private TransactionsTool tool;

    @BeforeEach
    void startCluster() {
        cluster = Cluster.builder().brokers(3).topic("orders").start();
        orders = cluster.partition("orders", 0);
        tool = new TransactionsTool(cluster);
    }

    @AfterEach
    void closeCluster() {
        cluster.close();
    }

    @Test
    void forceTerminatesWhatALiveProducerKeepsOpen() throws Exception {
        OpenTransaction open =
                cluster.transactions().open("payments", orders, Duration.ofMinutes(10), List.of("one", "two"));
        cluster.clock().advance(Duration.ofMinutes(5));
        PartitionHandle other = cluster.partition(cluster.createTopic(topic -> {}), 0);
        cluster.transactions().open("refunds", other, "one").commit();
        awaitState("refunds", "CompleteCommit");

        assertThat(tool.run("list")).hasSize(2);
        String[][] that = {{"--transactional-id-pattern", "pay.*"}, {"--duration-filter", "240000"}};
        for (String[] filter : that) {
            assertThat(tool.run("list", filter[0], filter[1]))
                    .singleElement()
                    .isEqualTo(Map.of(
                            "TransactionalId",
                            "payments",
                            "Coordinator",
                            "" + cluster.transaction("payments").coordinator(),
                            "ProducerId",
                            "" + open.producerId(),
                            "TransactionState",
                            "Ongoing"));
        }
        assertThat(tool.run("list", "--duration-filter", "360000")).isEmpty();
        assertThat(tool.run("list", "--transactional-id-pattern", "pay")).isEmpty();
        Map<String, String> described = describe("payments");
        assertThat(described)
                .containsEntry("ProducerEpoch", "" + open.producerEpoch())
                .containsEntry("TransactionState", "Ongoing")
                .containsEntry("TransactionTimeoutMs", "600000")
                .containsEntry("TopicPartitions", "orders-0");
        assertThat(Long.parseLong(described.get("TransactionDurationMs"))).isBetween(300_000L, 360_000L);
        assertThat(openAt()).isEqualTo("0");
        assertThat(findHanging("--max-transaction-timeout", "1")).isEmpty();

        tool.run("forceTerminateTransaction", "--transactionalId", "payments");

        awaitStable(3);
        // It initializes the id anew, as a next producer would.
        awaitState("payments", "Empty");
        assertThat(openAt()).isEqualTo("None");
        assertThatThrownBy(open::commit).isInstanceOf(ClusterException.class);
    }

    @Test
    void showsThatADeadProducersTransactionEndsAtItsTimeout() throws Exception {
        cluster.transactions().open("payments", orders, Duration.ofMinutes(5), List.of("one"));
        cluster.clock().advance(Duration.ofMinutes(4));
        assertThat(describe("payments")).containsEntry("TransactionState", "Ongoing");
        assertThat(openAt()).isEqualTo("0");
        assertThat(findHanging("--max-transaction-timeout", "1")).isEmpty();

        cluster.clock().advance(Duration.ofMinutes(2));

        awaitStable(2);
        awaitState("payments", "CompleteAbort");
        assertThat(describe("payments")).containsEntry("TopicPartitions", "");
        assertThat(openAt()).isEqualTo("None");
    }

    @Test
    void showsAPreparedTransactionWhoseMarkersAreHeld() throws Exception {
        OpenTransaction open = cluster.transactions().open("payments", orders, "one");
        int coordinator = cluster.transaction("payments").coordinator();
        try (LinkFault held = cluster.transactions().holdMarkers(coordinator)) {
            open.commit();
            cluster.clock().advance(Duration.ofMinutes(30));

            await("something is held").atMost(PATIENCE).until(() -> held.strikes() > 0);
            assertThat(tool.run("list")).singleElement().satisfies(row -> assertThat(row)
                    .containsEntry("TransactionState", "PrepareCommit"));
            assertThat(describe("payments"))
                    .containsEntry("CoordinatorId", "" + coordinator)
                    .containsEntry("TopicPartitions", "orders-0");
            assertThat(openAt()).isEqualTo("0");
            // Its coordinator knows it, and will end it.
            assertThat(findHanging()).isEmpty();
        }

        awaitStable(2);
        awaitState("payments", "CompleteCommit");
        assertThat(openAt()).isEqualTo("None");
    }

    @Test
    void findsAnOrphanAndAbortsIt() throws Exception {
        OrphanTransaction orphan = cluster.transactions().orphan(orders, "one", "two");
        cluster.transactions().open("payments", orders, Duration.ofMinutes(15), List.of("three"));
        awaitStable(0);
        assertThat(tool.run("list", "--transactional-id-pattern", "payments")).hasSize(1);
        cluster.clock().advance(Duration.ofMinutes(14));
        assertThat(findHanging()).isEmpty();

        cluster.clock().advance(Duration.ofMinutes(2));

        // The tool asks the leader first and the coordinator then: what ends in between is taken for an orphan.
        awaitState("payments", "CompleteAbort");
        List<Map<String, String>> found = findHanging();
        assertThat(found).singleElement().satisfies(row -> assertThat(row)
                .containsEntry("Topic", "orders")
                .containsEntry("Partition", "0")
                .containsEntry("ProducerId", "" + orphan.producerId())
                .containsEntry("ProducerEpoch", "" + orphan.producerEpoch())
                .containsEntry("StartOffset", "0")
                .containsEntry("Duration(min)", "16"));
        assertThat(tool.run("find-hanging", "--broker-id", "" + orders.leader()))
                .isEqualTo(found);
        assertThat(tool.run("find-hanging", "--topic", "orders", "--partition", "0"))
                .isEqualTo(found);

        tool.run("abort", "--topic", "orders", "--partition", "0", "--start-offset", "0");

        assertThat(findHanging()).isEmpty();
        awaitStable(5);
    }

    @Test
    void abortsAnOrphanOfGivenProducer() throws Exception {
        OrphanTransaction orphan = cluster.transactions().orphan(orders, "one");

        tool.run(
                "abort",
                "--topic",
                "orders",
                "--partition",
                "0",
                "--producer-id",
                "" + orphan.producerId(),
                "--producer-epoch",
                "" + orphan.producerEpoch(),
                "--coordinator-epoch",
                "0");

        awaitStable(2);
        assertThat(openAt()).isEqualTo("None");
        assertThatThrownBy(() -> tool.run("abort", "--topic", "orders", "--partition", "0", "--start-offset", "0"))
                .hasMessageContaining("failed");
    }

    private Map<String, String> describe(String transactionalId) throws Exception {
        return tool.run("describe", "--transactional-id", transactionalId).get(0);
    }

    private String openAt() throws Exception {
        return tool.run("describe-producers", "--topic", "orders", "--partition", "0")
                .get(0)
                .get("CurrentTransactionStartOffset");
    }

    private List<Map<String, String>> findHanging(String... more) throws Exception {
        String[] all = new String[more.length + 3];
        all[0] = "find-hanging";
        all[1] = "--topic";
        all[2] = "orders";
        System.arraycopy(more, 0, all, 3, more.length);
        return tool.run(all);
    }

    private void awaitState(String transactionalId, String state) {
        await(transactionalId + " is in " + state)
                .atMost(PATIENCE)
                .until(() -> describe(transactionalId).get("TransactionState").equals(state));
    }

    private void awaitStable(long offset) {
        await("last stable offset " + offset).atMost(PATIENCE).until(() -> orders.lastStableOffset() == offset);
    }
}
