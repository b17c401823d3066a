package io.tidemark.samples.micronaut;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;

import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.test.support.TestPropertyProvider;
import io.tidemark.Cluster;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code @KafkaCluster} stands above {@code @MicronautTest}, so that the cluster is there when Micronaut asks. */
@KafkaCluster(
        brokers = 3,
        topics = {@Topic(name = "orders"), @Topic(name = "bills")})
@MicronautTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BillingIT implements TestPropertyProvider {
    private Cluster cluster;

    /** Not as a parameter: Micronaut would resolve that too. */
    private Producer<String, String> producer;

    @Override
    public Map<String, String> getProperties() {
        return Map.of("kafka.bootstrap.servers", cluster.bootstrapServers());
    }

    @Test
    void ordersAreBilledWhileALeaderDies() throws Exception {
        producer.send(new ProducerRecord<>("orders", "order-1", "30")).get();
        assertThat(cluster.topic("bills")).eventually().hasValues("bill for 30");

        cluster.broker(cluster.partition("orders", 0).leader()).kill();
        producer.send(new ProducerRecord<>("orders", "order-2", "40")).get();

        assertThat(cluster.topic("bills")).eventually().containsValues("bill for 30", "bill for 40");
    }
}
