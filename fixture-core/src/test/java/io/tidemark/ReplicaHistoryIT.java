package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.TimelineEvent.Kind;
import io.tidemark.journal.ReplicaHistory;
import io.tidemark.journal.ReplicaHistory.Moment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a cluster of real nodes remembers of itself. */
class ReplicaHistoryIT {
    private final Cluster cluster = Cluster.builder()
            .brokers(3)
            .topic("orders", topic -> topic.replicas(0, 1, 2, 3))
            .start();

    private final Producer<String, String> producer =
            cluster.clients().producer(String.class, String.class, Map.of("acks", "1", "client.id", "shop"));

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void showsLogEndHighWatermarkAndLastStableOffsetOverTime() throws Exception {
        send("a");
        assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(1);
        LinkFault stalled = cluster.links().stallReplication(3);
        send("b");
        assertThat(cluster.partition("orders", 0)).eventually().hasLogEndOffset(2, 2);
        awaitLastOf(1, moment -> moment.leads() && moment.logEndOffset() == 2);
        assertThat(lastOf(1).highWatermark()).as("while broker 3 gets nothing").isEqualTo(1);
        assertThat(lastOf(3).logEndOffset()).as("of broker 3").isEqualTo(1);

        stalled.heal();
        OpenTransaction open = cluster.transactions().open("import", cluster.partition("orders", 0), "c");
        assertThat(cluster.partition("orders", 0))
                .eventually()
                .hasHighWatermark(3)
                .hasLastStableOffset(2);
        awaitLastOf(1, moment -> moment.highWatermark() == 3 && moment.lastStableOffset() == 2);
        open.commit();
        assertThat(cluster.partition("orders", 0)).eventually().hasLastStableOffset(4);
        awaitLastOf(1, moment -> moment.lastStableOffset() == 4);

        assertThat(cluster.timeline())
                .extracting(TimelineEvent::toString)
                .contains(
                        "FAULT links: stallReplication(3)",
                        "FAULT transactions: opened import in orders-0 at offset 2",
                        "TRANSACTION import: Ongoing with orders-0",
                        "CONNECTION broker 1: shop connects")
                .anyMatch(line -> line.startsWith("FAULT links: healed stallReplication(3), struck "))
                .noneMatch(line -> line.contains("node-"));
    }

    @Test
    void tellsWhatTheNodesLogAndWhoIsLost() throws Exception {
        send("a");
        cluster.broker(1).kill();
        assertThat(cluster.partition("orders", 0)).eventually().hasLeader(2);
        send("b");

        assertThat(cluster.timeline())
                .filteredOn(event -> event.kind() == Kind.LOG)
                .extracting(TimelineEvent::toString)
                .anyMatch(line -> line.startsWith("LOG controller 1001: INFO ControllerNode: Controller 1001 fences"));
        assertThat(cluster.timeline())
                .extracting(TimelineEvent::toString)
                .contains("CONNECTION broker 2: shop connects");
        awaitLastOf(2, Moment::leads);
    }

    @Test
    void forgetsItAtAReset() throws Exception {
        send("a");
        cluster.reset();

        awaitLastOf(1, moment -> moment.logEndOffset() == 0);
        assertThat(cluster.replicaHistories())
                .flatExtracting(ReplicaHistory::moments)
                .extracting(Moment::logEndOffset)
                .containsOnly(0L);
    }

    private void send(String value) throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>("orders", 0, "key", value)).get();
    }

    /** A node tells of it after the turn in which it happened. */
    private void awaitLastOf(int brokerId, Predicate<Moment> condition) {
        Awaitility.await("the history of broker " + brokerId)
                .until(() -> moments(brokerId), moments -> !moments.isEmpty() && condition.test(last(moments)));
    }

    private Moment lastOf(int brokerId) {
        return last(moments(brokerId));
    }

    private static Moment last(List<Moment> moments) {
        return moments.get(moments.size() - 1);
    }

    private List<Moment> moments(int brokerId) {
        return cluster.replicaHistories().stream()
                .filter(history -> history.brokerId() == brokerId)
                .flatMap(history -> history.moments().stream())
                .toList();
    }
}
