package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a user is told who gets it wrong. */
class KafkaClusterMisuseIT {
    @Test
    void wrongSettingsNameTheirPlace() {
        assertThat(InnerRun.of(NoBrokers.class).failure())
                .hasMessage("@KafkaCluster on class NoBrokers: A cluster cannot have [0] brokers: ask for 1 to 100");
    }

    @KafkaCluster(brokers = 0)
    static class NoBrokers {
        @Test
        void neverRuns() {}
    }

    @Test
    void aConfigThatIsNoPairIsShown() {
        assertThat(InnerRun.of(NoPair.class).failure())
                .hasMessage("@KafkaCluster on method neverRuns: Config [min.insync.replicas] is not a pair: write"
                        + " [name=value], for example [min.insync.replicas=2]");
    }

    static class NoPair {
        @Test
        @KafkaCluster(config = "min.insync.replicas")
        void neverRuns() {}
    }

    @Test
    void aMistypedTopicConfigIsShown() {
        assertThat(InnerRun.of(Mistyped.class).failure())
                .hasMessage(
                        "@KafkaCluster on class Mistyped: Config [min.isync.replicas] of topic [orders] is not a topic"
                                + " config of Apache Kafka; did you mean [min.insync.replicas]?");
    }

    @KafkaCluster(topics = @Topic(name = "orders", config = "min.isync.replicas=2"))
    static class Mistyped {
        @Test
        void neverRuns() {}
    }

    @Test
    void aFieldOfAnotherTypeIsRefused() {
        assertThat(InnerRun.of(WrongField.class).failure())
                .hasMessage("@KafkaCluster on field [cluster] of WrongField: its type is [java.lang.String]; make it"
                        + " io.tidemark.Cluster");
    }

    static class WrongField {
        @KafkaCluster
        private String cluster = "";

        @Test
        void neverRuns() {
            assertThat(cluster).isEmpty();
        }
    }

    @Test
    void aFinalFieldIsRefused() {
        assertThat(InnerRun.of(FinalField.class).failure())
                .hasMessageStartingWith("@KafkaCluster on field [cluster] of FinalField: it is [final]");
    }

    static class FinalField {
        @KafkaCluster
        private static final Cluster cluster = null;

        @Test
        void neverRuns() {
            assertThat(cluster).isNull();
        }
    }

    @Test
    void aRawProducerIsRefused() {
        assertThat(InnerRun.of(RawProducer.class).failure())
                .hasMessageStartingWith(
                        "Cannot inject parameter [Producer producer] of RawProducer.neverRuns: the raw type"
                                + " [Producer] does not say how keys and values are serialized; write for example"
                                + " Producer<String, String>");
    }

    @KafkaCluster
    static class RawProducer {
        @Test
        @SuppressWarnings("rawtypes")
        void neverRuns(Producer producer) {
            assertThat(producer).isNull();
        }
    }

    @Test
    void aTypeWithoutASerializerIsRefused() {
        assertThat(InnerRun.of(NoSerializer.class).failure())
                .hasMessageStartingWith(
                        "Cannot inject parameter [Consumer consumer] of NoSerializer.neverRuns: No serializer"
                                + " is known for [java.lang.Thread]");
    }

    @KafkaCluster
    static class NoSerializer {
        @Test
        void neverRuns(Consumer<String, Thread> consumer) {
            assertThat(consumer).isNull();
        }
    }

    @Test
    void anAddressGoesIntoAString() {
        assertThat(InnerRun.of(NoString.class).failure())
                .hasMessage("Cannot inject parameter [int address] of NoString.neverRuns: @BootstrapServers goes with a"
                        + " String, and its type is [int]");
    }

    @KafkaCluster
    static class NoString {
        @Test
        void neverRuns(@BootstrapServers int address) {
            assertThat(address).isZero();
        }
    }

    @Test
    void twoClustersEquallyNearAreAmbiguous() {
        assertThat(InnerRun.of(TwoFields.class).failure())
                .hasMessage(
                        "Several clusters are equally near: [field [first] of TwoFields, field [second] of TwoFields];"
                                + " keep one, or use the fields instead of parameters");
    }

    static class TwoFields {
        @KafkaCluster
        private static Cluster first;

        @KafkaCluster
        private static Cluster second;

        @Test
        void neverRuns(Cluster cluster) {
            assertThat(cluster).isNotSameAs(first).isNotSameAs(second);
        }
    }

    @Test
    void outsideOfATestThereIsNoClusterOfAMethod() {
        assertThat(InnerRun.of(TooEarly.class).failure())
                .hasMessageStartingWith("No cluster is in reach: put @KafkaCluster on the test class");
    }

    static class TooEarly {
        @KafkaCluster
        private Cluster own;

        @BeforeAll
        static void beforeAll(Cluster cluster) {
            assertThat(cluster).isNull();
        }

        @Test
        void neverRuns() {
            assertThat(own).isNotNull();
        }
    }

    @Test
    void aFailedTestShowsTheCluster() {
        Throwable failure = InnerRun.of(Failing.class).failure();

        assertThat(failure).hasMessage("the application is wrong");
        assertThat(failure.getSuppressed()).singleElement().asString().contains("(seed 77)", "orders-0: leader 1");
    }

    @KafkaCluster(seed = 77, topics = @Topic(name = "orders"))
    static class Failing {
        @Test
        void fails() {
            throw new AssertionError("the application is wrong");
        }
    }
}
