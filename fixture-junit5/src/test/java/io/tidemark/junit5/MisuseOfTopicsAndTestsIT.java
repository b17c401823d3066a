package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.TopicHandle;
import io.tidemark.clients.ClientConfig;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a user is told who gets topics, names, places or the settings of a whole cluster wrong. */
class MisuseOfTopicsAndTestsIT {
    @Test
    void wrongTopicsAreNamed() {
        assertThat(InnerRun.of(TwiceTheTopic.class).failure())
                .hasMessage(
                        "@KafkaCluster on class TwiceTheTopic: Topic [orders] is declared twice: drop one, or give it"
                                + " another name");
        assertThat(InnerRun.of(IllegalName.class).failure())
                .hasMessage("@KafkaCluster on class IllegalName: Topic name [or ders] is not legal: use 1 to 249"
                        + " characters of a-z, A-Z, 0-9, dot, underscore and dash");
        assertThat(InnerRun.of(NoPartitions.class).failure())
                .hasMessage(
                        "@KafkaCluster on class NoPartitions: Topic [orders] cannot have [0] partitions: ask for 1 or"
                                + " more");
        assertThat(InnerRun.of(TooManyReplicas.class).failure())
                .hasMessage("@KafkaCluster on class TooManyReplicas: Topic [orders] cannot have a replication factor of"
                        + " [3] in a cluster of 2 brokers: start at least 3 brokers or lower the replication factor");
        assertThat(InnerRun.of(ReplicasAndACount.class).failure())
                .hasMessageStartingWith(
                        "@KafkaCluster on class ReplicasAndACount: Topic [orders] has its replicas named for"
                                + " 1 partition and asks for [3] partitions too: say one of both");
    }

    @KafkaCluster(topics = {@Topic(name = "orders"), @Topic(name = "orders")})
    static class TwiceTheTopic {
        @Test
        void neverRuns() {}
    }

    @KafkaCluster(topics = @Topic(name = "or ders"))
    static class IllegalName {
        @Test
        void neverRuns() {}
    }

    @KafkaCluster(topics = @Topic(name = "orders", partitions = 0))
    static class NoPartitions {
        @Test
        void neverRuns() {}
    }

    @KafkaCluster(brokers = 2, topics = @Topic(name = "orders", replicationFactor = 3))
    static class TooManyReplicas {
        @Test
        void neverRuns() {}
    }

    @KafkaCluster(topics = @Topic(name = "orders", partitions = 3, replicas = "1"))
    static class ReplicasAndACount {
        @Test
        void neverRuns() {}
    }

    @Test
    void anInjectedTopicThatCannotBeNamesItsParameter() {
        assertThat(InnerRun.of(InjectedTopic.class).failure())
                .hasMessage("Cannot inject parameter [TopicHandle topic] of InjectedTopic.neverRuns: Config"
                        + " [retention.mss] of topic [orders] is not a topic config of Apache Kafka; did you mean"
                        + " [retention.ms]?");
    }

    @KafkaCluster
    static class InjectedTopic {
        @Test
        void neverRuns(@Topic(name = "orders", config = "retention.mss=1") TopicHandle topic) {
            assertThat(topic).isNull();
        }
    }

    @Test
    void wrongSettingsOfAClusterNameTheirPlace() {
        assertThat(InnerRun.of(NoController.class).failure())
                .hasMessage(
                        "@KafkaCluster on class NoController: A cluster cannot have [0] controllers: ask for 1 to 9,"
                                + " best an odd number");
        assertThat(InnerRun.of(TooFewBrokers.class).failure())
                .hasMessage("@KafkaCluster on field [cluster] of TooFewBrokers: A combined cluster cannot have [3]"
                        + " controllers on [1] brokers: ask for more brokers, or leave combined() out");
        assertThat(InnerRun.of(NoTime.class).failure())
                .hasMessage("@KafkaCluster on parameter [Cluster cluster] of NoTime.neverRuns: A cluster cannot start"
                        + " within [PT0S]: give it some seconds");
        assertThat(InnerRun.of(OurOwnConfig.class).failure())
                .hasMessage(
                        "@KafkaCluster on class OurOwnConfig: Config [node.id] is the fixture's own to set; say what"
                                + " you need with brokers(), controllers(), combined(), listeners() or directory()");
        assertThat(InnerRun.of(CodedWrong.class).failure())
                .hasMessage(
                        "ClusterExtension in field [KAFKA] of CodedWrong: A cluster cannot have [0] brokers: ask for 1"
                                + " to 100");
    }

    @KafkaCluster(controllers = 0)
    static class NoController {
        @Test
        void neverRuns() {}
    }

    static class TooFewBrokers {
        @KafkaCluster(controllers = 3, combined = true)
        private Cluster cluster;

        @Test
        void neverRuns() {
            assertThat(cluster).isNull();
        }
    }

    static class NoTime {
        @Test
        void neverRuns(@KafkaCluster(startTimeoutSeconds = 0) Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    @KafkaCluster(config = "node.id=7")
    static class OurOwnConfig {
        @Test
        void neverRuns() {}
    }

    static class CodedWrong {
        @RegisterExtension
        static final ClusterExtension KAFKA = ClusterExtension.of(cluster -> cluster.brokers(0));

        @Test
        void neverRuns() {}
    }

    @Test
    void everyLifecycleMethodIsRefusedAndWhatIsNoTestToo() {
        assertThat(InnerRun.of(OnBeforeAll.class).failure())
                .hasMessage("@KafkaCluster on method before: it is no test but [@BeforeAll]; put @KafkaCluster on the"
                        + " class or on the tests");
        assertThat(InnerRun.of(OnAfterAll.class).failure())
                .hasMessage(
                        "@KafkaCluster on method after: it is no test but [@AfterAll]; put @KafkaCluster on the class"
                                + " or on the tests");
        assertThat(InnerRun.of(OnNoTest.class).failure())
                .hasMessage("@KafkaCluster on method forgotten: it is no test; make it one with @Test, or put"
                        + " @KafkaCluster on the class or on the tests");
    }

    @KafkaCluster
    static class OnBeforeAll {
        @BeforeAll
        @KafkaCluster
        static void before() {}

        @Test
        void neverRuns() {}
    }

    @KafkaCluster
    static class OnAfterAll {
        @AfterAll
        @KafkaCluster
        static void after() {}

        @Test
        void neverRuns() {}
    }

    @KafkaCluster
    static class OnNoTest {
        @KafkaCluster
        void forgotten() {}

        @Test
        void neverRuns() {}
    }

    @Test
    void wrongParametersAndFieldsAreNamed() {
        assertThat(InnerRun.of(TwiceOnAParameter.class).failure())
                .hasMessage(
                        "@KafkaCluster on parameter [Cluster cluster] of TwiceOnAParameter.neverRuns: there are [2] of"
                                + " them, and a parameter holds one cluster; drop the others");
        assertThat(InnerRun.of(TwiceOnAField.class).failure())
                .hasMessage(
                        "@KafkaCluster on field [cluster] of TwiceOnAField: there are [2] of them, and a field holds"
                                + " one cluster; drop the others");
        assertThat(InnerRun.of(FinalAndAsked.class).failure())
                .hasMessage("@Topic on field [topic] of FinalAndAsked: it is [final] and cannot be filled; drop the"
                        + " modifier");
        assertThat(InnerRun.of(NoCluster.class).failure())
                .hasMessageStartingWith("No cluster is in reach: put @KafkaCluster on the test class");
        assertThat(InnerRun.of(NoNames.class).failure())
                .hasMessage(
                        "Cannot inject parameter [Admin admin] of NoNames.neverRuns: no cluster in reach has the name"
                                + " [europe]; none has a name, give it one with name()");
        assertThat(InnerRun.of(SettingThatIsNone.class).failure())
                .hasMessageStartingWith(
                        "Cannot inject parameter [Producer producer] of SettingThatIsNone.neverRuns: Kafka"
                                + " refuses its settings {acks=many}: ")
                .hasMessageContaining("many")
                .hasMessageEndingWith("; say what it shall have with @ClientConfig");
        assertThat(InnerRun.of(ConsumerSetting.class).failure())
                .hasMessageStartingWith("Cannot inject field [consumer] of ConsumerSetting: Kafka refuses its settings"
                        + " {auto.offset.reset=soon}: ");
    }

    static class TwiceOnAParameter {
        @Test
        void neverRuns(@TwoClusters Cluster cluster) {
            assertThat(cluster).isNull();
        }
    }

    static class TwiceOnAField {
        @TwoClusters
        private Cluster cluster;

        @Test
        void neverRuns() {
            assertThat(cluster).isNull();
        }
    }

    @KafkaCluster(name = "a")
    @KafkaCluster(name = "b")
    @Retention(RetentionPolicy.RUNTIME)
    @interface TwoClusters {}

    @KafkaCluster
    static class FinalAndAsked {
        @Topic
        private final String topic = null;

        @Test
        void neverRuns() {
            assertThat(topic).isNull();
        }
    }

    static class NoCluster {
        @Test
        @ExtendWith(KafkaClusterExtension.class)
        void neverRuns(@Topic String topic) {
            assertThat(topic).isNull();
        }
    }

    @KafkaCluster
    static class NoNames {
        @Test
        void neverRuns(@FromCluster("europe") Admin admin) {
            assertThat(admin).isNull();
        }
    }

    @KafkaCluster
    static class SettingThatIsNone {
        @Test
        void neverRuns(@ClientConfig("acks=many") Producer<String, String> producer) {
            assertThat(producer).isNull();
        }
    }

    @KafkaCluster
    static class ConsumerSetting {
        @ClientConfig("auto.offset.reset=soon")
        private Consumer<String, String> consumer;

        @Test
        void neverRuns() {
            assertThat(consumer).isNull();
        }
    }

    @Test
    void annotationsThatAskForDifferentThingsAreRefused() {
        assertThat(InnerRun.of(TopicAndAddress.class).failure())
                .hasMessage("Cannot inject parameter [String both] of TopicAndAddress.neverRuns: @BootstrapServers and"
                        + " @Topic ask for different things; keep one of them");
        assertThat(InnerRun.of(ClusterAndTopic.class).failure())
                .hasMessage("Cannot inject field [both] of ClusterAndTopic: @KafkaCluster and @Topic ask for different"
                        + " things; keep one of them");
    }

    @KafkaCluster
    static class TopicAndAddress {
        @Test
        void neverRuns(@Topic @BootstrapServers String both) {
            assertThat(both).isNull();
        }
    }

    static class ClusterAndTopic {
        @KafkaCluster
        @Topic
        private Cluster both;

        @Test
        void neverRuns() {
            assertThat(both).isNull();
        }
    }
}
