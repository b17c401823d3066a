package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.apache.kafka.common.IsolationLevel.READ_UNCOMMITTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.GroupHandle;
import io.tidemark.HeldReplicas;
import io.tidemark.OpenTransaction;
import io.tidemark.ReplicaPageCache;
import io.tidemark.TopicHandle;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.ExactlyOnce;
import io.tidemark.chaos.exactlyonce.Pipeline;
import io.tidemark.chaos.history.HistoryChecker;
import io.tidemark.chaos.history.HistoryRecorder;
import io.tidemark.chaos.history.HistoryVerdict;
import io.tidemark.chaos.schedule.Deed;
import io.tidemark.chaos.schedule.Schedule;
import io.tidemark.clients.ClientConfig;
import io.tidemark.junit5.BootstrapServers;
import io.tidemark.junit5.ClusterExtension;
import io.tidemark.junit5.ClusterMatrix;
import io.tidemark.junit5.FromCluster;
import io.tidemark.junit5.GroupProtocol;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import io.tidemark.requests.RequestFault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The snippets of the README, each between its marks, as tests. {@link ReadmeTest} compares both. */
@Execution(ExecutionMode.SAME_THREAD) // it has a system property and a cluster that is handed on
class ReadmeFeaturesIT {
    @Nested
    // readme: first
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders", partitions = 3, config = "min.insync.replicas=2"))
    class OrdersSurviveLeaderLoss {

        @Test
        void acknowledgedOrdersStayReadable(Cluster cluster, Chaos chaos, Producer<String, String> producer)
                throws Exception {
            producer.send(new ProducerRecord<>("orders", 0, "order-3", "{\"amt\":30}"))
                    .get();

            chaos.kill(cluster.partition("orders", 0).leader());

            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasHighWatermark(1)
                    .hasLeaderEpoch(1)
                    .hasIsr(2, 3);
        }
    }
    // readme: end

    @Nested
    // readme: fields
    @KafkaCluster(systemProperty = "kafka.address", listeners = "EXTERNAL")
    class OrdersAreBilled {
        @Topic(partitions = 2)
        private TopicHandle orders;

        @ClientConfig("linger.ms=5")
        private Producer<String, Long> producer;

        private Consumer<String, Long> consumer;

        @BootstrapServers(listener = "EXTERNAL")
        private String outside;

        @Test
        void billed(@BootstrapServers(property = "kafka.address") Map<String, String> settings) throws Exception {
            assertThat(settings).containsEntry("kafka.address", System.getProperty("kafka.address"));
            assertThat(outside).isNotEqualTo(settings.get("kafka.address"));
            producer.send(new ProducerRecord<>(orders.name(), "order-3", 30L)).get();
            consumer.subscribe(List.of(orders.name()));
        }
    }
    // readme: end

    // readme: several
    @Test
    @KafkaCluster(name = "europe")
    @KafkaCluster(name = "asia", brokers = 2)
    void mirrors(@FromCluster("europe") Producer<String, String> source, @FromCluster("asia") Cluster target) {
        assertThat(target.brokers()).hasSize(2);
    }
    // readme: end

    @Nested
    // readme: extension
    class InCode {
        @RegisterExtension
        static final ClusterExtension KAFKA =
                ClusterExtension.of(cluster -> cluster.brokers(2).topic("orders", topic -> topic.replicas(0, 2, 1)));

        @Test
        void secondBrokerLeads(Cluster cluster) {
            assertThat(cluster.partition("orders", 0)).hasLeader(2);
        }
    }
    // readme: end

    // readme: matrix
    @ClusterMatrix(
            brokers = {1, 2},
            transactionVersions = {0, 2})
    @KafkaCluster(topics = @Topic(name = "orders"))
    void ordersAreThere(Cluster cluster) { // [1] brokers=1, controllers=1 apart, transaction.version=0
        assertThat(cluster.topics()).containsExactly("orders");
    }
    // readme: end

    // readme: clients
    @ClusterMatrix(
            clients = {"2.8.2", "4.4.0"},
            protocols = GroupProtocol.CLASSIC)
    @KafkaCluster(topics = @Topic(name = "orders"))
    void everyClientWrites(Cluster cluster, Producer<String, String> producer) throws Exception {
        producer.send(new ProducerRecord<>("orders", "value")).get(); // [1] ..., clients=2.8.2, group.protocol=classic
        assertThat(cluster.topic("orders")).hasValues("value");
    }
    // readme: end

    @Nested
    // readme: shared
    @KafkaCluster(shared = true, topics = @Topic(name = "orders"))
    class Quick {
        @RepeatedTest(2)
        void startsFromNothing(Cluster cluster, Producer<String, String> producer) throws Exception {
            producer.send(new ProducerRecord<>("orders", "value")).get();
            assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(1);
        }

        @AfterEach
        void forget(Cluster cluster) {
            cluster.reset();
        }
    }
    // readme: end

    @Test
    void savesAndGoesOn(@TempDir Path temp) {
        // readme: saved
        Path prepared = temp.resolve("prepared");
        try (Cluster cluster = Cluster.builder().topic("orders").start()) {
            cluster.saveTo(prepared);
        }
        try (Cluster cluster = Cluster.builder().from(prepared).start()) {
            assertThat(cluster.topics()).containsExactly("orders");
        }
        // readme: end
    }

    @Test
    @KafkaCluster(topics = @Topic(name = "orders"))
    void looksInside(
            Cluster cluster,
            Producer<String, String> producer,
            @ClientConfig({"group.id=billing", "auto.commit.interval.ms=100"}) Consumer<String, String> consumer)
            throws Exception {
        producer.send(new ProducerRecord<>("orders", "order-3", "placed")).get();
        producer.send(new ProducerRecord<>("orders", "order-3", "paid")).get();
        consumer.subscribe(List.of("orders"));
        Thread reader = new Thread(() -> {
            while (!Thread.interrupted()) {
                try {
                    consumer.poll(Duration.ofMillis(50));
                } catch (InterruptException e) {
                    return;
                }
            }
        });
        reader.start();
        // readme: inside
        GroupHandle billing = cluster.group("billing");
        billing.awaitStable(1, Duration.ofSeconds(20));
        assertThat(billing)
                .eventually()
                .hasAssigned("orders-0")
                .hasCommitted("orders", 0, 2)
                .hasNoLag();
        assertThat(cluster.topic("orders")).readCommitted().hasValuesOfKey("order-3", "placed", "paid");
        assertThat(cluster.partition("orders", 0))
                .hasLastStableOffset(2)
                .hasIdenticalReplicas()
                .hasNoOpenTransactions();
        assertThat(cluster.partition("orders", 0).segments(1)).hasSegments(1);
        assertThat(cluster).hasNoUnderReplicatedPartitions();
        // readme: end
        reader.interrupt();
        reader.join();
    }

    @Test
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    void members(Cluster cluster) {
        // readme: members
        ClusterNode added = cluster.addBroker(); // broker 4, which the clients that are there find by themselves
        cluster.removeBroker(1, HeldReplicas.MOVE); // its replicas go to others first; ABANDON gives them up
        assertThat(cluster.partition("orders", 0)).hasIsr(2, 3, added.id());

        cluster.addController();
        cluster.removeController(cluster.controller().id()); // another is the active one
        // readme: end
    }

    @Test
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    void disks(Chaos chaos, Producer<String, String> producer) throws Exception {
        producer.send(new ProducerRecord<>("orders", "value")).get();
        // readme: disks
        chaos.disk(2).failWrites(); // or failReads(), full(), fullAfter(bytes), slow(by)
        chaos.disk(1).flipBit("orders", 0, 0); // consumers find the wrong checksum; followers do not take it
        chaos.losePower(3).restart(3); // what was not forced may be gone, whole or torn; the log recovers
        // readme: end
    }

    @Test
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    void links(Cluster cluster, Chaos chaos) {
        // readme: links
        chaos.stallReplication(3); // broker 3 fetches nothing, and stays in its session
        chaos.isolate(1); // nobody hears broker 1; cut(1, 2), cutOneWay(1, 2), split(...) for less
        assertThat(cluster.partition("orders", 0)).eventually().hasIsr(2, 3);
        chaos.healLinks();
        // readme: end
    }

    @Test
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    void requests(Cluster cluster, Chaos chaos, @ClientConfig("client.id=orders-app") Producer<String, String> producer)
            throws Exception {
        // readme: requests
        chaos.requests()
                .on("PRODUCE")
                .fromClient("orders-app")
                .topic("orders")
                .once()
                .loseAnswer();
        producer.send(new ProducerRecord<>("orders", "value")).get(); // idempotent: it is there once, not twice
        assertThat(cluster.partition("orders", 0)).hasHighWatermark(1);

        RequestFault held =
                chaos.requests().on("PRODUCE").topic("orders").onNumber(1).hold();
        Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("orders", "another"));
        held.awaitStruck(Duration.ofSeconds(10)); // it waits at the broker's door, and nothing is appended
        held.release();
        sent.get();
        // readme: end
    }

    @Test
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    void coordination(
            Cluster cluster, Chaos chaos, @ClientConfig("client.id=billing-app") Consumer<String, String> consumer) {
        consumer.subscribe(List.of("orders"));
        // Nobody else polls for it, so that it would join no more once this gave up.
        for (int polls = 0; polls < 300 && consumer.assignment().isEmpty(); polls++) {
            consumer.poll(Duration.ofMillis(100));
        }
        String billing = consumer.groupMetadata().groupId();
        cluster.group(billing).awaitStable(1, Duration.ofSeconds(10));
        // readme: coordination
        chaos.leadership().elect("orders", 0, 3).flap("orders", 0, 4).shuffle(); // electUnclean where nobody leads
        chaos.group(billing).moveCoordinator().expireMember("billing-app"); // rebalance(), delayJoin(by), ...
        chaos.skew(2, Duration.ofHours(-3)); // the wall clock of one broker
        // readme: end
        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    @KafkaCluster(topics = @Topic(name = "orders"))
    void transactions(Cluster cluster, Chaos chaos) {
        // readme: transactions
        OpenTransaction billing = chaos.openTransaction("billing", cluster.partition("orders", 0), "one", "two");
        assertThat(cluster.partition("orders", 0))
                .eventually()
                .hasHighWatermark(2)
                .hasLastStableOffset(0);

        cluster.clock().advance(Duration.ofMinutes(2)); // its producer is silent for longer than its timeout
        assertThat(cluster.partition("orders", 0)).eventually().hasLastStableOffset(3); // two records and the marker
        assertThat(cluster.transaction("billing")).eventually().hasState("CompleteAbort");
        // readme: end
        assertThat(billing.firstOffset()).isZero();
    }

    @Test
    @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
    void schedules(Cluster cluster, Chaos chaos) {
        AtomicInteger written = new AtomicInteger(100);
        // readme: schedules
        Schedule script = Schedule.script()
                .at(Duration.ofMillis(100))
                .kill(2)
                .every(Duration.ofMillis(300))
                .until(Duration.ofMillis(600))
                .maybe()
                .cut(1, 3)
                .when("half-is-out")
                .pause(1)
                .build();
        script.play(cluster, chaos, Map.of("half-is-out", () -> written.get() > 50), Duration.ofSeconds(30));

        Schedule drawn =
                Schedule.random(42, 1, 2, 3).with(Deed.KILL, Deed.PAUSE).build();
        System.out.println(drawn); // at 1076 ms kill 1, and so on: to be pasted into Schedule.parse(text)
        // readme: end
        assertThat(Schedule.parse(drawn.toString())).isEqualTo(drawn);
    }

    @Test
    @KafkaCluster(
            brokers = 3,
            topics = {@Topic(name = "orders", partitions = 2), @Topic(name = "bills")})
    void exactlyOnce(Cluster cluster, Chaos chaos) throws Exception {
        // readme: exactly once
        ExactlyOnce.on(cluster)
                .from("orders")
                .to("bills")
                .group("billing")
                .pipeline(2, instance -> Pipeline.of(() -> new Billing(instance)))
                .during(run -> {
                    run.send(100).awaitOutputs(20);
                    chaos.kill(cluster.partition("bills", 0).leader());
                    run.kill(0).start(0);
                })
                .verdict()
                .assertHolds();
        // readme: end
    }

    @Test
    @KafkaCluster(topics = @Topic(name = "orders"))
    void history(Producer<String, String> producer, Consumer<String, String> consumer) {
        // readme: history
        HistoryRecorder recorder = new HistoryRecorder();
        Producer<String, String> orders = recorder.producer("shop", producer);
        orders.send(new ProducerRecord<>("orders", "key", "order-1"));
        orders.flush();

        recorder.readToEnd("auditor", consumer, READ_UNCOMMITTED, "orders", Duration.ofSeconds(20));
        HistoryVerdict verdict = new HistoryChecker().check(recorder.history()).assertHolds();
        System.out.println(verdict.report());
        // readme: end
        assertThat(verdict.conclusion()).isEqualTo(Conclusion.HOLDS);
    }

    @Test
    @KafkaCluster
    void clock(Cluster cluster) {
        // readme: clock
        cluster.clock().advance(Duration.ofDays(8)); // retention and timeouts that were due by then happen now
        // readme: end
        assertThat(cluster.isClosed()).isFalse();
    }

    @Test
    void withoutJUnit() {
        // readme: plain
        try (Cluster cluster =
                Cluster.builder().brokers(3).config("num.partitions", "6").start()) {
            assertThat(cluster.bootstrapServers()).contains(",");
        }
        // readme: end
    }

    @Test
    @KafkaCluster(topics = @Topic(name = "orders"))
    void pageCache(Cluster cluster) {
        try {
            lookAndDrop(cluster);
        } catch (UnsupportedOperationException e) {
            Assumptions.abort(e.getMessage());
        }
    }

    private static void lookAndDrop(Cluster cluster) {
        // readme: cache
        ReplicaPageCache cache = cluster.partition("orders", 0).pageCache(1);
        cache.drop(); // the next fetch from broker 1 comes from the disk
        cache.warm();
        System.out.println(cache.residency());
        // readme: end
    }
}
