package io.tidemark.assertions;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionAssertIT {
    private Cluster cluster;
    private PartitionHandle orders;

    @BeforeAll
    void start() throws Exception {
        cluster = Cluster.builder().brokers(2).topic("orders").seed(11).start();
        orders = cluster.partition("orders", 0);
        cluster.clients()
                .producer(String.class, String.class)
                .send(new ProducerRecord<>("orders", "key", "value"))
                .get();
        assertThat(orders)
                .eventually()
                .hasHighWatermark(1)
                .hasLogEndOffset(1, 1)
                .hasLogEndOffset(2, 1);
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void passesAtOnceWhereItHolds() {
        assertThat(orders)
                .hasLeader(orders.leader())
                .hasLeaderEpoch(0)
                .hasIsr(2, 1)
                .hasFullIsr()
                .hasHighWatermark(1)
                .hasLogStartOffset(0)
                .hasLogEndOffset(1, 1);
    }

    @Test
    void failsAtOnceWithoutEventually() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(orders).hasHighWatermark(2))
                .withMessageStartingWith("\nExpecting high watermark of orders-0 to be:\n  2\nbut it was:\n  1\n")
                .withMessageContaining("ISR [1, 2]")
                .withMessageContaining("seed 11");
    }

    @Test
    void givesUpEarlyWhereItCanNeverHold() {
        long begin = System.nanoTime();

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(orders).eventually().hasHighWatermark(0))
                .withMessageContaining("and it never will be: a high watermark never goes back.");

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void givesUpWhenTheTimeIsUp() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() ->
                        assertThat(orders).eventually(Duration.ofMillis(100)).hasHighWatermark(9))
                .withMessageContaining("after 100 ms.");
    }

    @Test
    void keepsTheDescription() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(orders)
                        .as("what was written")
                        .eventually(Duration.ofMillis(100))
                        .hasHighWatermark(9))
                .withMessageStartingWith("[what was written] ");
    }

    @Test
    void waitsForATopicThatIsNotThereYet() {
        PartitionHandle later = cluster.partition("later", 0);

        Thread creator = new Thread(() -> cluster.createTopic("later", settings -> {}));
        creator.start();

        assertThat(later).eventually().hasIsr(1, 2);
    }
}
