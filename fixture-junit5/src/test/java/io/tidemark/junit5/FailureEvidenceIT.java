package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a failed test leaves. */
class FailureEvidenceIT {
    @TempDir
    private Path folder;

    @Test
    void aFailedTestLeavesAPageAndTellsItsPath() throws Exception {
        Throwable failure = InnerRun.withEvidenceIn(folder, Failing.class).failure();

        assertThat(failure).hasMessageContaining("Expecting ISR of orders-0");
        Path page = folder.resolve("Failing.fails").resolve("cluster.html");
        assertThat(failure.getSuppressed())
                .singleElement()
                .asString()
                .contains(
                        "(seed 77)",
                        "orders-0: leader 2",
                        "What happened last:",
                        "FAULT broker 1: killed",
                        "LEADER orders-0: leader 2, leader epoch 1, ISR [2]",
                        "More in " + page.toUri());
        assertThat(Files.readString(page))
                .contains("Failing.fails", "Expecting ISR of orders-0", "broker 1 killed", "<svg", "out of sync")
                .doesNotContain("http-equiv", "<script", "src=");
        assertThat(Files.readString(page.resolveSibling("cluster.txt")))
                .contains("TOPIC orders: created", "0 (epoch 0) order-3=<30> & more", "BROKER broker 1: fenced");
    }

    @KafkaCluster(seed = 77, brokers = 2, topics = @Topic(name = "orders"))
    static class Failing {
        @Test
        void fails(Cluster cluster, Producer<String, String> producer) throws Exception {
            producer.send(new ProducerRecord<>("orders", "order-3", "<30> & more"))
                    .get();
            cluster.broker(1).kill();
            assertThat(cluster.partition("orders", 0)).eventually().hasLeader(2);
            assertThat(cluster.partition("orders", 0))
                    .eventually(Duration.ofMillis(50))
                    .hasIsr(1, 2);
        }
    }

    @Test
    void aTestThatPassesLeavesNothing() throws IOException {
        InnerRun.withEvidenceIn(folder, Passing.class).passed(1);

        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    @KafkaCluster
    static class Passing {
        @Test
        void passes(Cluster cluster) {
            assertThat(cluster.isClosed()).isFalse();
        }
    }

    @Test
    void itCanBeTurnedOff() {
        Throwable failure = InnerRun.withEvidenceIn(Path.of("off"), Quick.class).failure();

        assertThat(failure.getSuppressed())
                .singleElement()
                .asString()
                .contains("What happened last:")
                .doesNotContain("More in");
    }

    @KafkaCluster
    static class Quick {
        @Test
        void fails(Cluster cluster) {
            assertThat(cluster.isClosed()).isTrue();
        }
    }
}
