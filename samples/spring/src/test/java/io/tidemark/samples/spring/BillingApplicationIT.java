package io.tidemark.samples.spring;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The cluster is there before Spring asks for its address, as a dynamic property, and outlives what the test does. */
@SpringBootTest(
        properties = {
            "spring.kafka.consumer.auto-offset-reset=earliest",
            "spring.kafka.consumer.isolation-level=read_committed",
            "spring.kafka.producer.transaction-id-prefix=billing-"
        })
@DirtiesContext // so that the application ends before its cluster does
class BillingApplicationIT {
    @KafkaCluster(
            brokers = 3,
            topics = {@Topic(name = "orders"), @Topic(name = "bills")})
    static Cluster cluster;

    @DynamicPropertySource
    static void kafka(DynamicPropertyRegistry properties) {
        properties.add("spring.kafka.bootstrap-servers", () -> cluster.bootstrapServers());
    }

    @Test
    void eachOrderIsBilledOnceWhileALeaderDies(Chaos chaos, Producer<String, String> producer) throws Exception {
        producer.send(new ProducerRecord<>("orders", "order-1", "30")).get();
        assertThat(cluster.group("billing")).eventually().hasCommitted("orders", 0, 1);

        chaos.kill(cluster.partition("orders", 0).leader());
        producer.send(new ProducerRecord<>("orders", "order-2", "40")).get();

        assertThat(cluster.topic("bills")).eventually().readCommitted().hasValues("bill for 30", "bill for 40");
        assertThat(cluster.group("billing")).eventually().hasNoLag();
    }
}
