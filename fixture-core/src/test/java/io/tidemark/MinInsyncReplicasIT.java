package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A write with acks=all is checked against min.insync.replicas when it is appended, and again when it is committed. */
@Timeout(120)
class MinInsyncReplicasIT {
    private static final long PATIENCE_S = 60;
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    /** It is in the log, so it is not refused any more; it is not committed either, and no retry writes it twice. */
    @Test
    void aWriteThatWasTakenBeforeTheIsrShrankEndsWellAndOnceWhenTheOthersAreBack() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .config("replica.lag.time.max.ms", "15000")
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            WireQuestions wire = new WireQuestions(cluster, "orders");
            // Its requests time out while the write waits, and it sends it again.
            Producer<String, String> producer = cluster.clients()
                    .producer(
                            String.class,
                            String.class,
                            Map.of("acks", "all", "request.timeout.ms", "1000", "delivery.timeout.ms", "60000"));
            producer.send(new ProducerRecord<>("orders", 0, null, "first")).get(PATIENCE_S, TimeUnit.SECONDS);

            LinkFault second = cluster.links().stallReplication(2);
            LinkFault third = cluster.links().stallReplication(3);
            Future<RecordMetadata> taken = producer.send(new ProducerRecord<>("orders", 0, null, "taken"));
            assertThat(orders).eventually().hasLeader(1).hasLogEndOffset(1, 2);
            cluster.clock().advance(Duration.ofSeconds(16));
            assertThat(orders).eventually().hasIsr(1);

            assertThat(taken.isDone()).isFalse();
            assertThat(orders).hasHighWatermark(1).hasLogEndOffset(1, 2);
            assertThat(ErrorCode.forCode(wire.produce(1, 77, 0).errorCode()))
                    .as("what comes now is refused")
                    .isEqualTo(ErrorCode.NOT_ENOUGH_REPLICAS);
            assertThat(orders).as("and leaves nothing").hasLogEndOffset(1, 2);

            second.heal();
            third.heal();
            assertThat(taken.get(PATIENCE_S, TimeUnit.SECONDS).offset()).isEqualTo(1);
            assertThat(orders).eventually().hasIsr(1, 2, 3).hasHighWatermark(2);
            producer.send(new ProducerRecord<>("orders", 0, null, "last")).get(PATIENCE_S, TimeUnit.SECONDS);
            assertThat(read(cluster, 3)).containsExactly("first", "taken", "last");
        }
    }

    private static List<String> read(Cluster cluster, int count) {
        Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class);
        consumer.assign(List.of(ORDERS));
        consumer.seek(ORDERS, 0);
        List<String> read = new ArrayList<>();
        await(count + " records").until(() -> {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
            records.forEach(record -> read.add(record.value()));
            return consumer.position(ORDERS) >= count;
        });
        return read;
    }
}
