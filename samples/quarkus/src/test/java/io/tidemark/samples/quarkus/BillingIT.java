package io.tidemark.samples.quarkus;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tidemark.Cluster;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

/** The cluster comes from a test resource of Quarkus'. */
@QuarkusTest
@QuarkusTestResource(ClusterResource.class)
class BillingIT {
    Cluster cluster;

    @Test
    void ordersAreBilledWhileALeaderDies() throws Exception {
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        producer.send(new ProducerRecord<>("orders", "order-1", "30")).get();
        assertThat(cluster.topic("bills")).eventually().hasValues("bill for 30");

        cluster.broker(cluster.partition("orders", 0).leader()).kill();
        producer.send(new ProducerRecord<>("orders", "order-2", "40")).get();

        assertThat(cluster.topic("bills")).eventually().containsValues("bill for 30", "bill for 40");
    }
}
