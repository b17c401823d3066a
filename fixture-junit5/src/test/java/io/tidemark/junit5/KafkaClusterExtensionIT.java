package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Each inner class is a test class as a user would write it. What they saw is kept in static lists, which is why this
 * class runs alone.
 */
@Isolated
class KafkaClusterExtensionIT {
    private static final List<Cluster> SEEN = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @AfterEach
    void everyClusterIsClosed() {
        assertThat(SEEN).isNotEmpty().allMatch(Cluster::isClosed);
    }

    @Test
    void onAClassAllTestsShareOneCluster() {
        InnerRun.of(OnAClass.class).passed(2);

        assertThat(distinct()).hasSize(1);
    }

    @KafkaCluster(topics = @Topic(name = "orders"))
    static class OnAClass {
        @BeforeAll
        static void beforeAll(Cluster cluster) {
            see(cluster);
        }

        @Test
        void first(Cluster cluster) {
            see(cluster);
            assertThat(cluster.partition("orders", 0)).hasHighWatermark(0);
        }

        @Test
        void second(Cluster cluster) {
            see(cluster);
        }

        @AfterAll
        static void afterAll(Cluster cluster) {
            see(cluster);
            assertThat(cluster.isClosed()).isFalse();
        }
    }

    @Test
    void onAMethodEachTestHasItsOwn() {
        InnerRun.of(OnAMethod.class).passed(4);

        assertThat(distinct()).hasSize(4);
    }

    static class OnAMethod {
        @Test
        @KafkaCluster(brokers = 2)
        void first(Cluster cluster) {
            see(cluster);
            assertThat(cluster.brokers()).hasSize(2);
        }

        @Test
        @KafkaCluster
        void second(Cluster cluster) {
            see(cluster);
            assertThat(cluster.brokers()).hasSize(1);
        }

        @RepeatedTest(2)
        @KafkaCluster
        void repeated(Cluster cluster) {
            see(cluster);
        }
    }

    @Test
    void onAMethodGoesBeforeTheClass() {
        InnerRun.of(OnAClassAndAMethod.class).passed(2);
    }

    @KafkaCluster
    static class OnAClassAndAMethod {
        @Test
        void theClass(Cluster cluster) {
            see(cluster);
            assertThat(cluster.brokers()).hasSize(1);
        }

        @Test
        @KafkaCluster(brokers = 2)
        void theMethod(Cluster cluster) {
            see(cluster);
            assertThat(cluster.brokers()).hasSize(2);
        }
    }

    @Test
    void onAnInstanceFieldEachTestHasItsOwn() {
        InnerRun.of(OnAnInstanceField.class).passed(2);

        assertThat(distinct()).hasSize(2);
    }

    static class OnAnInstanceField {
        @KafkaCluster
        private Cluster cluster;

        @BeforeEach
        void before(Cluster injected) {
            assertThat(injected).isSameAs(cluster);
        }

        @Test
        void first() {
            see(cluster);
        }

        @Test
        void second(Cluster injected) {
            see(cluster);
            assertThat(injected).isSameAs(cluster);
        }
    }

    @Test
    void onAnInstanceFieldOfAnInstancePerClassAllTestsShareOne() {
        InnerRun.of(PerClass.class).passed(2);

        assertThat(distinct()).hasSize(1);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClass {
        @KafkaCluster
        private Cluster cluster;

        @BeforeAll
        void before(@BootstrapServers String address) {
            assertThat(address).isEqualTo(cluster.bootstrapServers());
        }

        @Test
        void first() {
            see(cluster);
        }

        @Test
        void second() {
            see(cluster);
        }
    }

    @Test
    void onAStaticFieldAllTestsShareOne() {
        InnerRun.of(OnAStaticField.class).passed(2);

        assertThat(distinct()).hasSize(1);
    }

    static class OnAStaticField {
        @KafkaCluster
        static Cluster cluster;

        @Test
        void first() {
            see(cluster);
        }

        @Test
        void second(Cluster injected) {
            see(injected);
            assertThat(injected).isSameAs(cluster);
        }
    }

    @Test
    void severalFieldsAreSeveralClusters() {
        InnerRun.of(SeveralFields.class).passed(1);
    }

    static class SeveralFields {
        @KafkaCluster
        private Cluster europe;

        @KafkaCluster
        private Cluster asia;

        @Test
        void areApart() {
            see(europe);
            see(asia);
            assertThat(europe.bootstrapServers()).isNotEqualTo(asia.bootstrapServers());
        }
    }

    @Test
    void aNestedClassUsesTheOuterOneOrItsOwn() {
        InnerRun.of(Outer.class).passed(3);

        assertThat(distinct()).hasSize(2);
    }

    @KafkaCluster
    static class Outer {
        @Test
        void outer(Cluster cluster) {
            see(cluster);
        }

        @Nested
        class Plain {
            @Test
            void usesTheOuterOne(Cluster cluster) {
                see(cluster);
                assertThat(cluster.brokers()).hasSize(1);
            }
        }

        @Nested
        @KafkaCluster(brokers = 2)
        class WithItsOwn {
            @Test
            void usesItsOwn(Cluster cluster) {
                see(cluster);
                assertThat(cluster.brokers()).hasSize(2);
            }
        }
    }

    @Test
    void aSubclassInheritsIt() {
        InnerRun.of(Sub.class).passed(1);
    }

    @KafkaCluster(brokers = 2)
    abstract static class Base {}

    static class Sub extends Base {
        @Test
        void inherits(Cluster cluster) {
            see(cluster);
            assertThat(cluster.brokers()).hasSize(2);
        }
    }

    @Test
    void injectsClientsThatReadWhatTheyWrite() {
        InnerRun.of(WithClients.class).passed(1);
    }

    @KafkaCluster(brokers = 3)
    static class WithClients {
        private final Cluster cluster;

        WithClients(Cluster cluster) {
            this.cluster = cluster;
        }

        @Test
        void readsWhatItWrites(
                @Topic(partitions = 2, config = "min.insync.replicas=2") String topic,
                Producer<String, Long> producer,
                Consumer<String, Long> consumer,
                Admin admin,
                @BootstrapServers String address)
                throws Exception {
            see(cluster);
            producer.send(new ProducerRecord<>(topic, 1, "key", 42L)).get();
            consumer.subscribe(List.of(topic));

            ConsumerRecords<String, Long> records = ConsumerRecords.empty();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (records.isEmpty() && System.nanoTime() < deadline) {
                records = consumer.poll(Duration.ofMillis(100));
            }

            assertThat(records).singleElement().satisfies(record -> assertThat(record.value())
                    .isEqualTo(42L));
            assertThat(admin.listTopics().names().get(20, TimeUnit.SECONDS)).contains(topic);
            assertThat(address).isEqualTo(cluster.bootstrapServers());
        }
    }

    @Test
    void clientsAreClosedWithTheTestTheyWereGivenTo() {
        InnerRun.of(KeepsItsProducer.class).passed(2);
    }

    @KafkaCluster(topics = @Topic(name = "orders"))
    static class KeepsItsProducer {
        private static final List<Producer<String, String>> PRODUCERS = new ArrayList<>();

        @RepeatedTest(2)
        void theOneBeforeIsClosed(Cluster cluster, Producer<String, String> producer) throws Exception {
            see(cluster);
            for (Producer<String, String> before : PRODUCERS) {
                org.assertj.core.api.Assertions.assertThatIllegalStateException()
                        .isThrownBy(() -> before.send(new ProducerRecord<>("orders", "too late")));
            }
            producer.send(new ProducerRecord<>("orders", "in time")).get();
            PRODUCERS.clear();
            PRODUCERS.add(producer);
        }
    }

    @Test
    void testsMayRunInParallel() {
        InnerRun.inParallel(Parallel.class).passed(6);

        assertThat(distinct()).hasSize(4);
    }

    @KafkaCluster(topics = @Topic(name = "orders"))
    static class Parallel {
        @RepeatedTest(3)
        void onTheSharedOne(Cluster cluster, Producer<String, String> producer) throws Exception {
            see(cluster);
            producer.send(new ProducerRecord<>("orders", "value")).get();
        }

        @RepeatedTest(3)
        @KafkaCluster(topics = @Topic(name = "orders"))
        void onTheirOwn(Cluster cluster, Producer<String, String> producer, TestInfo info) throws Exception {
            see(cluster);
            producer.send(new ProducerRecord<>("orders", info.getDisplayName())).get();
            assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(1);
        }
    }

    private static void see(Cluster cluster) {
        SEEN.add(cluster);
    }

    private static Set<Cluster> distinct() {
        return new HashSet<>(SEEN);
    }
}
