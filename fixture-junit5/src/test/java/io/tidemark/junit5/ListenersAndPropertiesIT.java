package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How an application gets the address: by which listener, and under which name. */
class ListenersAndPropertiesIT {
    @Test
    void listenersAreDeclaredAndTheirAddressesInjected() {
        InnerRun.of(WithListeners.class).passed(1);
    }

    @KafkaCluster(brokers = 2, listeners = "EXTERNAL")
    static class WithListeners {
        @BootstrapServers(listener = "EXTERNAL", property = "kafka.address")
        private Properties settings;

        @Test
        void externalAndDefault(
                Cluster cluster,
                @BootstrapServers String address,
                @BootstrapServers(listener = "external") String external,
                @BootstrapServers(listener = "EXTERNAL", property = "bootstrap.servers") Map<String, Object> map)
                throws Exception {
            assertThat(address).isEqualTo(cluster.bootstrapServers());
            assertThat(external).isEqualTo(cluster.bootstrapServers("EXTERNAL")).isNotEqualTo(address);
            assertThat(settings).isEqualTo(Map.of("kafka.address", external));
            try (Admin admin = Admin.create(map)) {
                assertThat(admin.describeCluster().clusterId().get()).isEqualTo(cluster.clusterId());
            }
        }
    }

    @Test
    void wrongListenersNameTheRemedy() {
        assertThat(InnerRun.of(SecureListener.class).failure())
                .hasMessage("@KafkaCluster on class SecureListener: Listener [EXTERNAL:SSL] is more than a name: its"
                        + " address is the fixture's own to give, and its security protocol is PLAINTEXT; write the name"
                        + " alone, for example [EXTERNAL]");
        assertThat(InnerRun.of(UnknownListener.class).failure())
                .hasMessage("Cannot inject parameter [String address] of UnknownListener.neverRuns: The broker 1 has no"
                        + " listener [EXTERN]; it has [EXTERNAL, PLAINTEXT]. Ask for more with listeners(\"EXTERN\") when"
                        + " the cluster is built");
    }

    @KafkaCluster(listeners = "EXTERNAL:SSL")
    static class SecureListener {
        @Test
        void neverRuns() {}
    }

    @KafkaCluster(listeners = "EXTERNAL")
    static class UnknownListener {
        @Test
        void neverRuns(@BootstrapServers(listener = "EXTERN") String address) {
            assertThat(address).isNull();
        }
    }

    @Test
    void aNameThatATextCannotKeepIsRefused() {
        assertThat(InnerRun.of(NameForAText.class).failure())
                .hasMessage(
                        "Cannot inject parameter [String address] of NameForAText.neverRuns: @BootstrapServers names"
                                + " the property [kafka.address], and a String has no names in it; make it a Map<String, String>,"
                                + " or put systemProperty() on @KafkaCluster where it is a system property");
        assertThat(InnerRun.of(EmptyName.class).failure())
                .hasMessage("Cannot inject parameter [Map settings] of EmptyName.neverRuns: @BootstrapServers has a"
                        + " property() of []; name the one that the application reads, for example [kafka.address]");
        assertThat(InnerRun.of(MapOfNumbers.class).failure())
                .hasMessage(
                        "Cannot inject parameter [Map settings] of MapOfNumbers.neverRuns: @BootstrapServers goes with"
                                + " a String, a Map<String, String> or Properties, and its type is"
                                + " [java.util.Map<java.lang.String, java.lang.Integer>]");
    }

    @KafkaCluster
    static class NameForAText {
        @Test
        void neverRuns(@BootstrapServers(property = "kafka.address") String address) {
            assertThat(address).isNull();
        }
    }

    @KafkaCluster
    static class EmptyName {
        @Test
        void neverRuns(@BootstrapServers(property = "") Map<String, String> settings) {
            assertThat(settings).isNull();
        }
    }

    @KafkaCluster
    static class MapOfNumbers {
        @Test
        void neverRuns(@BootstrapServers Map<String, Integer> settings) {
            assertThat(settings).isNull();
        }
    }

    @Test
    void aSystemPropertyOfAnExtensionHoldsTheAddressToo() {
        InnerRun.of(CodedProperty.class).passed(1);
        assertThat(System.getProperty("coded.address")).isNull();
    }

    static class CodedProperty {
        @RegisterExtension
        static final ClusterExtension KAFKA =
                ClusterExtension.of(cluster -> cluster.listeners("EXTERNAL")).systemProperty("coded.address");

        @Test
        void holdsIt(Cluster cluster) {
            assertThat(System.getProperty("coded.address")).isEqualTo(cluster.bootstrapServers());
        }
    }

    @Test
    void aShareConsumerIsToldThatNobodyServesIt() {
        assertThat(InnerRun.of(Shares.class).failure())
                .hasMessageStartingWith(
                        "Cannot inject parameter [ShareConsumer consumer] of Shares.neverRuns: the brokers"
                                + " of Cluster ")
                .hasMessageContaining("serve no share groups (KIP-932")
                .hasMessageEndingWith("use a Consumer with a group.id for now");
        assertThat(InnerRun.of(SharesInAField.class).failure())
                .hasMessageStartingWith("Cannot inject field [consumer] of SharesInAField: the brokers of Cluster ");
    }

    @KafkaCluster
    static class Shares {
        @Test
        void neverRuns(ShareConsumer<String, String> consumer) {
            assertThat(consumer).isNull();
        }
    }

    @KafkaCluster
    static class SharesInAField {
        private ShareConsumer<String, String> consumer;

        @Test
        void neverRuns() {
            assertThat(consumer).isNull();
        }
    }
}
