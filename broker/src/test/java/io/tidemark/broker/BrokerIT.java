package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.broker.protocol.message.MetadataRequest;
import io.tidemark.broker.protocol.message.MetadataResponse;
import io.tidemark.broker.time.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BrokerIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    /** A dead broker is found out soon, and a group does not wait for more members. */
    private static final Map<String, String> QUICK = Map.of(
            "broker.heartbeat.interval.ms", "200",
            "broker.session.timeout.ms", "1000",
            "group.initial.rebalance.delay.ms", "0",
            "offsets.topic.num.partitions", "5");

    private final SystemClock clock = new SystemClock();
    private final BrokerEnvironment environment = new SystemEnvironment(clock, 42);

    @TempDir
    Path folder;

    @Test
    void oneBrokerServesAProducerAndAConsumer() throws Exception {
        try (LocalCluster cluster = start(1)) {
            createTopic(cluster, 1);

            produce(cluster.bootstrapServers(), 0, 100);

            assertThat(consume(cluster.bootstrapServers(), 100)).isEqualTo(values(0, 100));
        }
    }

    @Test
    void aConsumerGroupResumesFromItsCommittedOffset() throws Exception {
        try (LocalCluster cluster = start(1)) {
            createTopic(cluster, 1);
            produce(cluster.bootstrapServers(), 0, 10);
            try (Consumer<String, String> consumer = consumer(cluster.bootstrapServers())) {
                consumer.subscribe(List.of("orders"));
                assertThat(poll(consumer, 10)).isEqualTo(values(0, 10));
                consumer.commitSync();
            }
            produce(cluster.bootstrapServers(), 10, 10);

            try (Consumer<String, String> consumer = consumer(cluster.bootstrapServers())) {
                consumer.subscribe(List.of("orders"));
                assertThat(poll(consumer, 10)).isEqualTo(values(10, 10));
            }
        }
    }

    @Test
    void everyAcknowledgedRecordIsReadAfterItsLeaderWasKilled() throws Exception {
        try (LocalCluster cluster = start(3)) {
            createTopic(cluster, 3);
            produce(cluster.bootstrapServers(), 0, 500);
            int leader = leader(cluster);

            broker(cluster, leader).kill();
            produce(cluster.bootstrapServers(), 500, 500);

            assertThat(consume(cluster.bootstrapServers(), 1_000)).isEqualTo(values(0, 1_000));
            assertThat(leader(cluster)).isNotEqualTo(leader);
        }
    }

    @Test
    void aRestartedBrokerCatchesUpAndJoinsTheInSyncSetAgain() throws Exception {
        try (LocalCluster cluster = start(3)) {
            createTopic(cluster, 3);
            produce(cluster.bootstrapServers(), 0, 100);
            Broker killed = broker(cluster, leader(cluster));
            killed.kill();
            produce(cluster.bootstrapServers(), 100, 100);

            Broker restarted = Broker.create(killed.config(), environment);
            try {
                restarted.start().get(20, SECONDS);

                await("the whole in-sync set")
                        .atMost(Duration.ofSeconds(20))
                        .until(() ->
                                snapshot(restarted).partition("orders", 0).isr().size() == 3);
                await("the whole log").atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                                snapshot(restarted).partition("orders", 0).highWatermark())
                        .isEqualTo(200));
            } finally {
                restarted.kill();
            }
        }
    }

    @Test
    void aBrokerThatWasStoppedInGoodOrderComesBackAsItWas() throws Exception {
        try (LocalCluster cluster = start(3)) {
            createTopic(cluster, 3);
            produce(cluster.bootstrapServers(), 0, 100);
            Broker stopped = broker(cluster, leader(cluster));

            stopped.shutdown().get(20, SECONDS);
            assertThat(consume(cluster.bootstrapServers(), 100)).isEqualTo(values(0, 100));
            try (var files = Files.list(stopped.config().logDirs().get(0))) {
                assertThat(files.map(file -> file.getFileName().toString())).contains(".kafka_cleanshutdown");
            }
            Broker restarted = Broker.create(stopped.config(), environment);
            try {
                restarted.start().get(20, SECONDS);
                await("the whole in-sync set")
                        .atMost(Duration.ofSeconds(20))
                        .until(() ->
                                snapshot(restarted).partition("orders", 0).isr().size() == 3);
            } finally {
                restarted.kill();
            }
        }
    }

    @Test
    void aNodeOfBothRolesServes() throws Exception {
        try (PortReservation controllerPort = PortReservation.reserve("127.0.0.1", 0)) {
            BrokerConfig config = BrokerConfig.of(
                    Map.of(
                            "node.id", "1",
                            "process.roles", "broker,controller",
                            "listeners", "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:" + controllerPort.port(),
                            "controller.listener.names", "CONTROLLER",
                            "controller.quorum.voters", "1@127.0.0.1:" + controllerPort.port(),
                            "offsets.topic.replication.factor", "1",
                            "log.dirs", folder.resolve("node").toString()),
                    UnknownNames.REJECT);
            Broker node = Broker.create(config, environment);
            try {
                node.start().get(20, SECONDS);
                String bootstrap = "127.0.0.1:" + node.port("PLAINTEXT");

                produce(bootstrap, 0, 10);

                assertThat(consume(bootstrap, 10)).isEqualTo(values(0, 10));
            } finally {
                node.shutdown().get(20, SECONDS);
            }
        }
    }

    @Test
    void aBrokerLearnsFromItsControllerWhichClusterItIsIn() throws Exception {
        try (PortReservation controllerPort = PortReservation.reserve("127.0.0.1", 0)) {
            Map<String, String> common = Map.of(
                    "controller.listener.names",
                    "CONTROLLER",
                    "controller.quorum.voters",
                    "1001@127.0.0.1:" + controllerPort.port());
            Broker broker = node(
                    common,
                    Map.of(
                            "node.id", "1",
                            "process.roles", "broker",
                            "listeners", "PLAINTEXT://127.0.0.1:0",
                            "log.dirs", folder.resolve("broker").toString()));
            Broker controller = node(
                    common,
                    Map.of(
                            "node.id",
                            "1001",
                            "process.roles",
                            "controller",
                            "listeners",
                            "CONTROLLER://127.0.0.1:" + controllerPort.port(),
                            "log.dirs",
                            folder.resolve("controller").toString()));
            try {
                CompletableFuture<Void> started = broker.start();
                controller.start().get(20, SECONDS);

                started.get(20, SECONDS);

                assertThat(clusterId("broker")).isEqualTo(clusterId("controller"));
            } finally {
                broker.kill();
                controller.kill();
            }
        }
    }

    private Broker node(Map<String, String> common, Map<String, String> own) {
        Map<String, String> properties = new HashMap<>(common);
        properties.putAll(own);
        return Broker.create(BrokerConfig.of(properties, UnknownNames.REJECT), environment);
    }

    private String clusterId(String node) throws IOException {
        Properties identity = new Properties();
        try (var reader = Files.newBufferedReader(folder.resolve(node).resolve("meta.properties"))) {
            identity.load(reader);
        }
        return identity.getProperty("cluster.id");
    }

    @Test
    void aPausedLeaderIsReplacedAndFollowsWhenItGoesOn() throws Exception {
        try (LocalCluster cluster = start(3)) {
            createTopic(cluster, 3);
            produce(cluster.bootstrapServers(), 0, 100);
            Broker paused = broker(cluster, leader(cluster));

            paused.pause();
            // Clients hang on to a broker that takes connections and says nothing, so they are shown the others only.
            List<Broker> others = cluster.nodes().stream()
                    .filter(node -> node.config().isBroker() && node != paused)
                    .toList();
            String survivors = others.stream()
                    .map(node -> "127.0.0.1:" + node.port("PLAINTEXT"))
                    .collect(Collectors.joining(","));
            await("a new leader")
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> snapshot(others.get(0)).partition("orders", 0).leader()
                            || snapshot(others.get(1)).partition("orders", 0).leader());
            produce(survivors, 100, 100);
            paused.resume();

            await("the whole log").atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                PartitionSnapshot replica = snapshot(paused).partition("orders", 0);
                assertThat(replica.leader()).isFalse();
                assertThat(replica.highWatermark()).isEqualTo(200);
                assertThat(replica.isr()).hasSize(3);
            });
            assertThat(consume(cluster.bootstrapServers(), 200)).isEqualTo(values(0, 200));
        }
    }

    @Test
    void aClusterGoesOnWhenItsClockIsPushedAWeekAhead() throws Exception {
        try (LocalCluster cluster = start(3)) {
            createTopic(cluster, 3);
            produce(cluster.bootstrapServers(), 0, 100);

            clock.advance(Duration.ofDays(6).toMillis());

            produce(cluster.bootstrapServers(), 100, 100);
            assertThat(consume(cluster.bootstrapServers(), 200)).isEqualTo(values(0, 200));
        }
    }

    @Test
    void aRequestFromWithinTheProcessIsServedWithoutASocket() throws Exception {
        try (LocalCluster cluster = start(1)) {
            createTopic(cluster, 1);

            MetadataResponse metadata = (MetadataResponse) broker(cluster, 1)
                    .call(new MetadataRequest().setTopics(null))
                    .get(10, SECONDS);

            assertThat(metadata.topics()).extracting(topic -> topic.name()).contains("orders");
        }
    }

    @Test
    void whatIsAskedOfANodeAtItsEndFails() throws Exception {
        try (LocalCluster cluster = start(1)) {
            Broker killed = broker(cluster, 1);
            killed.kill();
            killed.kill();

            assertThat(killed.snapshot())
                    .failsWithin(10, SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("tidemark-broker-1 is not running");
            assertThat(killed.termination()).isCompleted();
            assertThat(killed.fault()).isNull();
            assertThat(killed.shutdown()).isCompleted();
        }
    }

    @Test
    void nothingIsLeftOfAClusterThatIsGone() throws Exception {
        Set<Thread> before = new HashSet<>(Thread.getAllStackTraces().keySet());
        long descriptors = descriptorsOf(folder);
        try (LocalCluster cluster = start(3)) {
            createTopic(cluster, 3);
            broker(cluster, 2).shutdown().get(20, SECONDS);
        }

        await("no thread of ours").atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(
                        Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("tidemark") || name.startsWith("global")));
        assertThat(descriptorsOf(folder)).isEqualTo(descriptors);
    }

    private static long descriptorsOf(Path folder) throws IOException {
        try (var entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(entry -> pointsInto(entry, folder)).count();
        }
    }

    private static boolean pointsInto(Path descriptor, Path folder) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(folder);
        } catch (IOException e) {
            return false;
        }
    }

    private LocalCluster start(int brokers) throws Exception {
        LocalCluster cluster = new LocalCluster(folder, brokers, 0, QUICK, environment);
        try {
            cluster.start().get(20, SECONDS);
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private static Broker broker(LocalCluster cluster, int id) {
        return cluster.nodes().stream()
                .filter(node -> node.nodeId() == id)
                .findFirst()
                .orElseThrow();
    }

    private static NodeSnapshot snapshot(Broker broker) throws Exception {
        return broker.snapshot().get(10, SECONDS);
    }

    private static void createTopic(LocalCluster cluster, int replicationFactor) throws Exception {
        try (Admin admin = admin(cluster)) {
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) replicationFactor)))
                    .all()
                    .get(20, SECONDS);
        }
    }

    private static int leader(LocalCluster cluster) throws Exception {
        try (Admin admin = admin(cluster)) {
            return admin.describeTopics(List.of("orders"))
                    .allTopicNames()
                    .get(20, SECONDS)
                    .get("orders")
                    .partitions()
                    .get(0)
                    .leader()
                    .id();
        }
    }

    private static Admin admin(LocalCluster cluster) {
        return Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    }

    private static void produce(String bootstrapServers, int first, int count) throws Exception {
        Map<String, Object> config = Map.of("bootstrap.servers", bootstrapServers, "acks", "all");
        try (Producer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (String value : values(first, count)) {
                sent.add(producer.send(new ProducerRecord<>("orders", 0, null, value)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get(30, SECONDS);
            }
        }
    }

    private static List<String> consume(String bootstrapServers, int count) {
        try (Consumer<String, String> consumer = consumer(bootstrapServers)) {
            consumer.assign(List.of(ORDERS));
            consumer.seekToBeginning(List.of(ORDERS));
            return poll(consumer, count);
        }
    }

    private static Consumer<String, String> consumer(String bootstrapServers) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServers,
                "group.id", "readers",
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false");
        return new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    }

    private static List<String> poll(Consumer<String, String> consumer, int count) {
        List<String> read = new ArrayList<>();
        await("records").atMost(Duration.ofSeconds(30)).pollInSameThread().until(() -> {
            for (ConsumerRecord<String, String> one : consumer.poll(Duration.ofMillis(100))) {
                read.add(one.value());
            }
            return read.size() >= count;
        });
        return read;
    }

    private static List<String> values(int first, int count) {
        List<String> values = new ArrayList<>();
        for (int i = first; i < first + count; i++) {
            values.add("order-" + i);
        }
        return values;
    }
}
