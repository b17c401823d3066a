package io.tidemark.scale;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.clients.ClientConfig;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Twenty tests, each of which starts three brokers, writes with acks=all and reads again; nobody commits offsets. */
abstract class TwentyOrders {
    /** One for each test. */
    @Retention(RetentionPolicy.RUNTIME)
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    @interface OwnCluster {}

    private static void isKept(
            String order, Cluster cluster, Producer<String, String> producer, Consumer<String, String> consumer)
            throws Exception {
        producer.send(new ProducerRecord<>("orders", order)).get();

        consumer.assign(List.of(new TopicPartition("orders", 0)));
        consumer.seekToBeginning(consumer.assignment());
        ConsumerRecords<String, String> read = ConsumerRecords.empty();
        while (read.isEmpty()) {
            read = consumer.poll(Duration.ofSeconds(1));
        }
        assertThat(read).extracting(ConsumerRecord::value).containsExactly(order);
        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    @OwnCluster
    void order01(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-01", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order02(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-02", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order03(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-03", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order04(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-04", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order05(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-05", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order06(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-06", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order07(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-07", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order08(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-08", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order09(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-09", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order10(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-10", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order11(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-11", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order12(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-12", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order13(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-13", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order14(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-14", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order15(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-15", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order16(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-16", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order17(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-17", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order18(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-18", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order19(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-19", cluster, producer, consumer);
    }

    @Test
    @OwnCluster
    void order20(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig("enable.auto.commit=false") Consumer<String, String> consumer)
            throws Exception {
        isKept("order-20", cluster, producer, consumer);
    }
}
