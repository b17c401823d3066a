package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.Cluster;
import io.tidemark.ClusterClock;
import io.tidemark.TopicHandle;
import io.tidemark.clients.ClientConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is put into the fields of a test, and what is left alone. */
class InjectedFieldsIT {
    @Test
    void fieldsAreFilledByTheirTypes() {
        Filled.PRODUCERS.clear();
        InnerRun.of(Filled.class).passed(2);

        assertThat(Filled.PRODUCERS)
                .hasSize(2)
                .doesNotHaveDuplicates()
                .allSatisfy(producer -> assertThatIllegalStateException()
                        .isThrownBy(() -> producer.send(new ProducerRecord<>("orders", 1L))));
    }

    @KafkaCluster(brokers = 2, topics = @Topic(name = "orders"))
    static class Filled {
        static final List<Producer<String, Long>> PRODUCERS = new ArrayList<>();

        static Admin admin;

        private final Cluster finalOne = null;
        private Cluster cluster;
        private ClusterClock clock;
        private Producer<String, Long> producer;

        @ClientConfig({"group.id=billing", "max.poll.records=1"})
        private Consumer<String, Long> consumer;

        @Topic(replicas = {"2,1", "1,2"})
        private TopicHandle topic;

        @BootstrapServers
        private String address;

        @BootstrapServers(property = "kafka.address")
        private Map<String, String> settings;

        private Producer<String, Long> ownOne = PRODUCERS.isEmpty() ? null : PRODUCERS.get(0);

        @SuppressWarnings("rawtypes")
        private Producer raw;

        private String text;

        @BeforeAll
        static void theStaticOnesAreThere() throws Exception {
            assertThat(admin.listTopics().names().get()).containsExactly("orders");
        }

        @BeforeEach
        void thePrivateOnesAreThere() {
            assertThat(cluster.bootstrapServers()).isEqualTo(address);
        }

        @RepeatedTest(2)
        void andWork() throws Exception {
            assertThat(topic.partitions()).hasSize(2);
            assertThat(topic.partition(0)).hasLeader(2);
            assertThat(topic.partition(1)).hasLeader(1);
            producer.send(new ProducerRecord<>(topic.name(), 0, "key", 42L)).get();
            producer.send(new ProducerRecord<>(topic.name(), 0, "key", 43L)).get();
            consumer.subscribe(List.of(topic.name()));
            assertThat(firstPoll()).isEqualTo(1);
            assertThat(consumer.groupMetadata().groupId()).isEqualTo("billing");
            assertThat(clock.now()).isNotNull();
            assertThat(settings).isEqualTo(Map.of("kafka.address", address));
            assertThat(List.of(admin.describeCluster().clusterId().get())).containsExactly(cluster.clusterId());
            assertThat(raw).isNull();
            assertThat(finalOne).isNull();
            assertThat(text).isNull();
            assertThat(PRODUCERS).doesNotContain(producer);
            if (!PRODUCERS.isEmpty()) {
                assertThat(ownOne).isSameAs(PRODUCERS.get(0));
            }
            PRODUCERS.add(producer);
        }

        private int firstPoll() {
            int count = 0;
            long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (count == 0 && System.nanoTime() < deadline) {
                count = consumer.poll(Duration.ofMillis(50)).count();
            }
            return count;
        }
    }

    @Test
    void whereTheNearestClusterIsNotClearTheyStayEmpty() {
        InnerRun.of(TwoClusters.class).passed(1);
    }

    static class TwoClusters {
        @KafkaCluster
        private Cluster europe;

        @KafkaCluster
        private Cluster asia;

        private Producer<String, String> nobodys;

        @FromCluster("asia")
        private Producer<String, String> asias;

        @Test
        void arePickedByTheFieldsName() {
            assertThat(europe).isNotSameAs(asia);
            assertThat(nobodys).isNull();
            assertThat(asias).isNotNull();
        }
    }

    @Test
    void anInstanceThatAllTestsShareIsFilledFromTheClustersOfItsClass() {
        InnerRun.of(OneInstance.class).passed(3);
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @KafkaCluster(topics = @Topic(name = "orders"))
    static class OneInstance {
        private final Cluster ofTheConstructor;
        private Cluster cluster;
        private Producer<String, String> producer;

        @Topic
        private TopicHandle fresh;

        OneInstance(Cluster ofTheConstructor) {
            this.ofTheConstructor = ofTheConstructor;
        }

        @RepeatedTest(2)
        void hasThem(Cluster injected) throws Exception {
            producer.send(new ProducerRecord<>("orders", "value")).get();
            assertThat(injected).isSameAs(cluster).isSameAs(ofTheConstructor);
            assertThat(injected.topics()).contains("orders", fresh.name());
        }

        @Nested
        class Inside {
            @Test
            void hasThemToo(Cluster injected) {
                assertThat(injected).isSameAs(cluster);
            }
        }
    }

    @Test
    void staticOnesAreEmptyAfterTheClassSoThatItCanRunAgain() {
        for (int run = 0; run < 2; run++) {
            InnerRun.of(Again.class).passed(1);
            assertThat(Again.cluster).isNull();
        }
    }

    @KafkaCluster
    static class Again {
        static Cluster cluster;

        @Test
        void runs() {
            assertThat(cluster.isClosed()).isFalse();
        }

        @AfterAll
        static void still() {
            assertThat(cluster.isClosed()).isFalse();
        }
    }
}
