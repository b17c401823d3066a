package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Kafka keeps records for seven days where nothing else is said. An application that was away for eight finds that they are
 * gone, and goes on with what came since; what is kept for ever is still there. It all takes about a second.
 */
@KafkaCluster(topics = {@Topic(name = "clicks"), @Topic(name = "contracts", config = "retention.ms=-1")})
class RetentionAfterEightDaysIT {
    @Test
    void whatIsOlderThanAWeekIsGone(
            Cluster cluster, Producer<String, String> producer, Consumer<String, String> consumer) throws Exception {
        Story story = new Story("Eight days in a second");
        PartitionHandle clicks = cluster.partition("clicks", 0);
        PartitionHandle contracts = cluster.partition("contracts", 0);
        for (int i = 0; i < 3; i++) {
            producer.send(new ProducerRecord<>("clicks", "click-" + i)).get();
            producer.send(new ProducerRecord<>("contracts", "contract-" + i)).get();
        }
        consumer.assign(List.of(new TopicPartition("clicks", 0)));
        assertThat(consumer.position(new TopicPartition("clicks", 0))).isZero();
        story.tell("Three clicks and three contracts are written; a reader of clicks is at offset 0.");

        cluster.clock().advance(Duration.ofDays(6));
        assertThat(clicks).hasLogStartOffset(0);
        story.tell("Six days later all of them are there.");

        cluster.clock().advance(Duration.ofDays(2));
        assertThat(clicks).eventually().hasLogStartOffset(3);
        assertThat(clicks.segments(1)).hasBaseOffsets(3);
        story.tell("Two days after that the clicks are gone, and the files that they were in.");

        producer.send(new ProducerRecord<>("clicks", "click-3")).get();
        assertThat(firstRead(consumer)).isEqualTo("click-3");
        story.tell("The reader finds its offset gone, and begins anew with the click that came since.");

        assertThat(contracts).hasLogStartOffset(0);
        assertThat(cluster.topic("contracts")).hasValues("contract-0", "contract-1", "contract-2");
        story.tell("The contracts are there.").end();
    }

    private static String firstRead(Consumer<String, String> consumer) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (System.nanoTime() < deadline) {
            for (var read : consumer.poll(Duration.ofMillis(100))) {
                return read.value();
            }
        }
        throw new AssertionError("Nothing could be read within 20 seconds");
    }
}
