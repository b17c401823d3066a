package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster starts with what another one has left. */
class SavedClusterIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final Map<String, String> BILLING = Map.of("group.id", "billing", "enable.auto.commit", "false");

    @TempDir
    private Path temp;

    @Test
    void aRunningClusterIsSavedAndGoesOn() throws Exception {
        Path saved = temp.resolve("saved");
        try (Cluster cluster = Cluster.builder().brokers(3).topic("orders").start()) {
            prepare(cluster);

            cluster.saveTo(saved);

            send(cluster, "third");
            assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(3);
            for (int round = 0; round < 2; round++) {
                try (Cluster another = Cluster.builder()
                        .brokers(3)
                        .topic("orders")
                        .topic("more")
                        .from(saved)
                        .start()) {
                    assertPrepared(another);
                    assertThat(another.topics()).containsExactly("more", "orders");
                    assertThat(another.clusterId()).isEqualTo(cluster.clusterId());
                    send(another, "another third");
                    assertThat(another.partition("orders", 0)).eventually().hasHighWatermark(3);
                    assertThatIllegalStateException()
                            .isThrownBy(another::reset)
                            .withMessageContaining("has started with the data of [" + saved + "]");
                }
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.saveTo(saved))
                    .withMessage("Cannot save the cluster to [" + saved
                            + "]: there is something in it; name an empty folder");
        }
    }

    @Test
    void theFolderOfAClosedClusterDoes() throws Exception {
        UnaryOperator<Cluster.Builder> layout =
                builder -> builder.brokers(2).controllers(1).combined(true);
        Path kept;
        try (Cluster cluster = layout.apply(Cluster.builder())
                .directory(temp)
                .keepFiles(true)
                .topic("orders")
                .start()) {
            prepare(cluster);
            kept = cluster.directory();
        }

        try (Cluster another = layout.apply(Cluster.builder()).from(kept).start()) {
            assertPrepared(another);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cluster.builder().brokers(1).from(kept).start())
                .withMessage(
                        "Folder [" + kept + "] has the data of the nodes [broker-1, broker-2], and the cluster asks"
                                + " for [broker-1, controller-1001]: say brokers(), controllers() and combined() as they were");
    }

    @Test
    void aFolderWithoutDataIsRefused() throws Exception {
        Path empty = Files.createDirectory(temp.resolve("empty"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Cluster.builder().from(empty).start())
                .withMessageStartingWith(
                        "Folder [" + empty + "] has no node's data folder with a meta.properties in it");
    }

    private static void prepare(Cluster cluster) throws Exception {
        send(cluster, "first");
        send(cluster, "second");
        Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class, BILLING);
        consumer.assign(List.of(ORDERS));
        consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(1)), Duration.ofSeconds(20));
    }

    private static void assertPrepared(Cluster cluster) {
        assertThat(cluster.partition("orders", 0)).hasFullIsr().eventually().hasHighWatermark(2);
        Map<TopicPartition, OffsetAndMetadata> committed = cluster.clients()
                .consumer(String.class, String.class, BILLING)
                .committed(Set.of(ORDERS), Duration.ofSeconds(20));
        assertThat(committed.get(ORDERS).offset()).isEqualTo(1);
    }

    private static void send(Cluster cluster, String value) throws Exception {
        cluster.clients()
                .producer(String.class, String.class)
                .send(new ProducerRecord<>("orders", 0, "key", value))
                .get(20, TimeUnit.SECONDS);
    }
}
