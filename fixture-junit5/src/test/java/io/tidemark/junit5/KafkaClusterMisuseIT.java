package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.clients.ClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
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
                        + " io.tidemark.Cluster, or ask for what belongs to a cluster with @FromCluster");
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
                        + " String, a Map<String, String> or Properties, and its type is [int]");
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
                        "Several clusters are equally near: [@KafkaCluster on field [first] of TwoFields named [first],"
                                + " @KafkaCluster on field [second] of TwoFields named [second]]; keep one, or say which"
                                + " is meant with @FromCluster(\"name\")");
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
    void aNameThatNoClusterHasIsRefused() {
        assertThat(InnerRun.of(UnknownName.class).failure())
                .hasMessage(
                        "Cannot inject parameter [Cluster cluster] of UnknownName.neverRuns: no cluster in reach has"
                                + " the name [asai]; there are [asia, europe]");
    }

    @KafkaCluster(name = "europe")
    @KafkaCluster(name = "asia")
    static class UnknownName {
        @Test
        void neverRuns(@FromCluster("asai") Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    @Test
    void twoClustersOfOnePlaceNeedNames() {
        assertThat(InnerRun.of(TwoWithoutNames.class).failure())
                .hasMessage("@KafkaCluster on class TwoWithoutNames: two of them are without a name; give each its own"
                        + " name()");
    }

    @KafkaCluster
    @KafkaCluster(brokers = 2)
    static class TwoWithoutNames {
        @Test
        void neverRuns() {}
    }

    @Test
    void twoClustersOfOneNameAreRefused() {
        assertThat(InnerRun.of(TwiceTheName.class).failure())
                .hasMessage("The name [kafka] is given twice, by @KafkaCluster on class TwiceTheName and by"
                        + " @KafkaCluster on field [kafka] of TwiceTheName; give each cluster its own");
    }

    @KafkaCluster(name = "kafka")
    static class TwiceTheName {
        @KafkaCluster
        private static Cluster kafka;

        @Test
        void neverRuns() {
            assertThat(kafka).isNull();
        }
    }

    @Test
    void aLifecycleMethodHasNoClusterOfItsOwn() {
        assertThat(InnerRun.of(OnLifecycle.class).failure())
                .hasMessage("@KafkaCluster on method before: it is no test but [@BeforeEach]; put @KafkaCluster on the"
                        + " class or on the tests");
    }

    @KafkaCluster
    static class OnLifecycle {
        @BeforeEach
        @KafkaCluster
        void before() {}

        @Test
        void neverRuns() {}
    }

    @Test
    void aParameterOfAnotherTypeIsRefused() {
        assertThat(InnerRun.of(WrongParameter.class).failure())
                .hasMessage("@KafkaCluster on parameter [String cluster] of WrongParameter.neverRuns: its type is"
                        + " [java.lang.String]; make it io.tidemark.Cluster, or ask for what belongs to a cluster with"
                        + " @FromCluster");
    }

    static class WrongParameter {
        @Test
        void neverRuns(@KafkaCluster String cluster) {
            assertThat(cluster).isNull();
        }
    }

    @Test
    void whatNothingProvidesIsRefused() {
        assertThat(InnerRun.of(NothingProvides.class).failure())
                .hasMessageStartingWith("Cannot inject field [text] of NothingProvides: nothing provides a"
                        + " [java.lang.String]; ask for a Cluster");
    }

    @KafkaCluster
    static class NothingProvides {
        @FromCluster
        private String text;

        @Test
        void neverRuns() {
            assertThat(text).isNull();
        }
    }

    @Test
    void settingsGoWithClients() {
        assertThat(InnerRun.of(SettingsOfNoClient.class).failure())
                .hasMessageStartingWith("Cannot inject parameter [Cluster cluster] of SettingsOfNoClient.neverRuns:"
                        + " @ClientConfig goes with a Producer, a Consumer or an Admin");
    }

    @KafkaCluster
    static class SettingsOfNoClient {
        @Test
        void neverRuns(@ClientConfig("linger.ms=5") Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    @Test
    void settingsOfClientsArePairs() {
        assertThat(InnerRun.of(NoPairOfAClient.class).failure())
                .hasMessageEndingWith("@ClientConfig has [linger.ms], which is not a pair: write [name=value], for"
                        + " example [linger.ms=5]");
    }

    @KafkaCluster
    static class NoPairOfAClient {
        @Test
        void neverRuns(@ClientConfig("linger.ms") Producer<String, String> producer) {
            assertThat(producer).isNull();
        }
    }

    @Test
    void aTopicGoesIntoAStringOrAHandle() {
        assertThat(InnerRun.of(TopicOfANumber.class).failure())
                .hasMessage("Cannot inject parameter [int topic] of TopicOfANumber.neverRuns: @Topic goes with a String"
                        + " or a TopicHandle, and its type is [int]");
    }

    @KafkaCluster
    static class TopicOfANumber {
        @Test
        void neverRuns(@Topic int topic) {
            assertThat(topic).isZero();
        }
    }

    @Test
    void replicasOnABrokerThatIsNotThereAreRefused() {
        assertThat(InnerRun.of(ReplicasNowhere.class).failure())
                .hasMessage("@KafkaCluster on class ReplicasNowhere: Topic [orders] cannot have replicas [1, 3] of"
                        + " partition 1: name different brokers out of [1, 2], the preferred leader first, and leave"
                        + " no partition out");
    }

    @KafkaCluster(
            brokers = 2,
            topics =
                    @Topic(
                            name = "orders",
                            replicas = {"1,2", "1,3"}))
    static class ReplicasNowhere {
        @Test
        void neverRuns() {}
    }

    @Test
    void replicasThatAreNoNumbersAreShown() {
        assertThat(InnerRun.of(ReplicasOfWords.class).failure())
                .hasMessage("@KafkaCluster on class ReplicasOfWords: Replicas [one] are not broker ids: write them with"
                        + " commas, for example [1,2]");
    }

    @KafkaCluster(topics = @Topic(name = "orders", replicas = "one"))
    static class ReplicasOfWords {
        @Test
        void neverRuns() {}
    }

    @Test
    void aSystemPropertyHoldsOneAddress() {
        assertThat(InnerRun.of(PropertyTwice.class).failure())
                .hasMessage(
                        "@KafkaCluster on class PropertyTwice: the system property [misuse.address] holds the address"
                                + " of another cluster, of @KafkaCluster on class PropertyTwice named [europe]; give each its own"
                                + " systemProperty(), or run them one after the other with"
                                + " @ResourceLock(Resources.SYSTEM_PROPERTIES)");
        assertThat(System.getProperty("misuse.address")).isNull();
    }

    @KafkaCluster(name = "europe", systemProperty = "misuse.address")
    @KafkaCluster(name = "asia", systemProperty = "misuse.address")
    static class PropertyTwice {
        @Test
        void neverRuns() {}
    }
}
