package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Brokers with more than one way in. */
@Timeout(60)
class ListenersIT {
    @Test
    void clientsAreToldTheAddressesOfTheListenerThatTheyCameInBy() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(2)
                .combined(true)
                .listeners("external", "PROXY")
                .topic("orders")
                .start()) {
            for (String listener : List.of("PLAINTEXT", "EXTERNAL", "proxy")) {
                String address = cluster.bootstrapServers(listener);
                Admin admin = cluster.clients().admin(Map.of("bootstrap.servers", address));
                List<String> told = admin.describeCluster().nodes().get().stream()
                        .map(node -> node.host() + ":" + node.port())
                        .toList();

                assertThat(told).containsExactlyInAnyOrder(address.split(",", -1));
            }
            assertThat(cluster.bootstrapServers("PLAINTEXT")).isEqualTo(cluster.bootstrapServers());
            assertThat(Arrays.asList(cluster.bootstrapServers("EXTERNAL").split(",", -1)))
                    .doesNotContainAnyElementsOf(
                            Arrays.asList(cluster.bootstrapServers().split(",", -1)));
            assertThat(cluster.broker(2).address("EXTERNAL"))
                    .isEqualTo(cluster.bootstrapServers("EXTERNAL").split(",", -1)[1]);
        }
    }

    @Test
    void aRestartedBrokerHasTheSameAddresses() throws Exception {
        try (Cluster cluster =
                Cluster.builder().listeners("EXTERNAL").topic("orders").start()) {
            String address = cluster.bootstrapServers("EXTERNAL");
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("bootstrap.servers", address));
            producer.send(new ProducerRecord<>("orders", "before")).get();

            cluster.broker(1).kill();
            cluster.broker(1).restart();

            assertThat(cluster.bootstrapServers("EXTERNAL")).isEqualTo(address);
            producer.send(new ProducerRecord<>("orders", "after")).get();
            assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(2);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> cluster.bootstrapServers("EXTERN"))
                    .withMessage(
                            "The broker 1 has no listener [EXTERN]; it has [EXTERNAL, PLAINTEXT]. Ask for more with"
                                    + " listeners(\"EXTERN\") when the cluster is built");
        }
    }

    @Test
    void aNewClusterHasTheFeaturesThatItWasAskedFor() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .config("cluster.features", "transaction.version=2,group.version=0")
                .feature("transaction.version", 1)
                .start()) {
            var features = cluster.clients()
                    .admin()
                    .describeFeatures()
                    .featureMetadata()
                    .get()
                    .finalizedFeatures();
            assertThat(features.get("transaction.version").maxVersionLevel()).isEqualTo((short) 1);
            assertThat(features).doesNotContainKey("group.version");
            // ApiVersions, and one that no Kafka has.
            assertThat(cluster.serves(18)).isTrue();
            assertThat(cluster.serves(9_999)).isFalse();
        }
    }
}
