package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tidemark.Cluster;
import io.tidemark.OrphanTransaction;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.Chaos;
import io.tidemark.clients.ClientConfig;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * A transaction hangs that no coordinator knows of, as bugs of old brokers left them (KIP-664). Readers of what is committed
 * stand still before it, and no timeout ends it. It is found, and ended as an operator does with {@code kafka-transactions}.
 */
@KafkaCluster(brokers = 3, topics = @Topic(name = "payments"))
class HungTransactionIsResolvedIT {
    private static final TopicPartition PAYMENTS = new TopicPartition("payments", 0);

    @Test
    void readersGoOnWhenItIsAborted(
            Cluster cluster,
            Chaos chaos,
            Admin admin,
            Producer<String, String> producer,
            @ClientConfig("isolation.level=read_committed") Consumer<String, String> reader)
            throws Exception {
        Story story = new Story("A hung transaction is found, shown and resolved");
        PartitionHandle payments = cluster.partition("payments", 0);
        OrphanTransaction hung = chaos.orphanTransaction(payments, "half of a payment");
        producer.send(new ProducerRecord<>("payments", "payment-1")).get();
        story.tell("Half of a payment is written and never ended; another one comes after it.", payments);

        // Shown: what everybody has is not what a reader of committed records may see.
        assertThat(payments).eventually().hasHighWatermark(2);
        assertThat(payments).hasLastStableOffset(hung.firstOffset());
        reader.assign(List.of(PAYMENTS));
        reader.seekToBeginning(List.of(PAYMENTS));
        assertThat(reader.poll(Duration.ofMillis(200)).count()).isZero();
        assertThat(cluster.topic("payments")).readCommitted().hasValues();
        cluster.clock().advance(Duration.ofDays(1));
        assertThat(payments).hasLastStableOffset(hung.firstOffset());
        story.tell("Readers of committed records see neither, also a day later: no timeout is responsible.");

        // Found: by an assertion that every suite can end with, and by what an operator asks for.
        assertThat(payments).hasOrphanTransactions(1);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(payments).hasNoOpenTransactions())
                .withMessageContaining("producer " + hung.producerId());
        assertThat(admin.listTransactions().all().get(10, TimeUnit.SECONDS)).isEmpty();
        ProducerState found = admin
                .describeProducers(List.of(PAYMENTS))
                .partitionResult(PAYMENTS)
                .get(10, TimeUnit.SECONDS)
                .activeProducers()
                .stream()
                .filter(each -> each.currentTransactionStartOffset().isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(found.producerId()).isEqualTo(hung.producerId());
        story.tell("No coordinator lists it; the partition says that producer " + found.producerId()
                + " has had a transaction open since offset "
                + found.currentTransactionStartOffset().getAsLong() + ".");

        // Resolved: the partition gets the marker that no coordinator sends.
        admin.abortTransaction(new AbortTransactionSpec(
                        PAYMENTS,
                        found.producerId(),
                        (short) found.producerEpoch(),
                        found.coordinatorEpoch().orElse(0)))
                .all()
                .get(10, TimeUnit.SECONDS);
        assertThat(payments)
                .eventually()
                .hasLastStableOffset(3)
                .hasNoOpenTransactions()
                .hasIdenticalReplicas();
        assertThat(readOne(reader).value()).isEqualTo("payment-1");
        assertThat(cluster.topic("payments")).readCommitted().hasValues("payment-1");
        story.tell("It is aborted, and the reader goes on.", payments).end();
    }

    private static ConsumerRecord<String, String> readOne(Consumer<String, String> consumer) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < deadline) {
            for (ConsumerRecord<String, String> read : consumer.poll(Duration.ofMillis(100))) {
                return read;
            }
        }
        throw new AssertionError("Nothing could be read within 20 seconds");
    }
}
