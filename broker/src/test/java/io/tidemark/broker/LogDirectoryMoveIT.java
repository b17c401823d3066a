package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.broker.time.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionReplica;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.LogDirNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.IntegerDeserializer;
import org.apache.kafka.common.serialization.IntegerSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One broker with two log directories, between which a replica moves (KIP-113). */
@Timeout(120)
class LogDirectoryMoveIT {
    private static final String HOST = "127.0.0.1";
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final byte[] VALUE = new byte[20_000];

    @TempDir
    Path folder;

    private final List<PortReservation> reservations = new ArrayList<>();
    private Broker broker;
    private Map<String, Object> client;
    private int written;

    @BeforeEach
    void start() throws Exception {
        int port = reserve();
        int controllerPort = reserve();
        Map<String, String> properties = new TreeMap<>();
        properties.put("node.id", "1");
        properties.put("process.roles", "broker,controller");
        properties.put(
                "listeners", "PLAINTEXT://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("controller.quorum.voters", "1@" + HOST + ":" + controllerPort);
        properties.put("log.dirs", folder.resolve("a") + "," + folder.resolve("b"));
        properties.put("log.segment.delete.delay.ms", "100");
        properties.put("log.segment.bytes", "1048576");
        client = Map.of("bootstrap.servers", HOST + ":" + port);
        broker = Broker.create(
                BrokerConfig.of(properties, UnknownNames.TOLERATE), new SystemEnvironment(new SystemClock(), 42));
        broker.start().get(30, SECONDS);
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                    .all()
                    .get(20, SECONDS);
        }
        produce(150);
    }

    @AfterEach
    void stop() throws IOException {
        broker.kill();
        for (PortReservation reservation : reservations) {
            reservation.close();
        }
    }

    private int reserve() throws IOException {
        PortReservation reservation = PortReservation.reserve(HOST, 0);
        reservations.add(reservation);
        return reservation.port();
    }

    @Test
    void aReplicaMovesWithAllItHasWhileItIsWrittenTo() throws Exception {
        try (Admin admin = Admin.create(client)) {
            Path from = place(admin);
            Path to = other(from);
            throttle(admin, "200000");
            move(admin, to);
            produce(20);
            assertThat(copyIn(admin, to)).isNotNull();
            assertThat(place(admin)).as("until the copy is whole").isEqualTo(from);

            throttle(admin, "");
            await("the move").atMost(PATIENCE).until(() -> place(admin).equals(to) && copyIn(admin, to) == null);
            produce(10);

            assertThat(read()).isEqualTo(written);
            assertThat(partitionFolders(to)).containsExactly("orders-0");
            await("the old log to go").atMost(PATIENCE).until(() -> partitionFolders(from)
                    .isEmpty());
            restart();
            assertThat(place(admin)).isEqualTo(to);
            assertThat(read()).isEqualTo(written);
        }
    }

    @Test
    void aMoveIsTurnedAroundAndTakenUpAgainAfterARestart() throws Exception {
        try (Admin admin = Admin.create(client)) {
            Path from = place(admin);
            Path to = other(from);
            throttle(admin, "1");
            move(admin, to);
            await("a copy").atMost(PATIENCE).until(() -> copyIn(admin, to) != null);
            move(admin, from);
            assertThat(copyIn(admin, to)).isNull();
            await("the copy to go").atMost(PATIENCE).until(() -> partitionFolders(to)
                    .isEmpty());

            move(admin, to);
            await("another copy").atMost(PATIENCE).until(() -> copyIn(admin, to) != null);
            restart();
            throttle(admin, "");
            await("the move").atMost(PATIENCE).until(() -> place(admin).equals(to));
            assertThat(read()).isEqualTo(written);
        }
    }

    @Test
    void whatCannotMoveIsToldWhy() throws Exception {
        try (Admin admin = Admin.create(client)) {
            Path to = other(place(admin));

            assertThatThrownBy(() -> move(admin, folder.resolve("c")))
                    .hasCauseInstanceOf(LogDirNotFoundException.class);
            assertThatThrownBy(() -> admin.alterReplicaLogDirs(
                                    Map.of(new TopicPartitionReplica("orders", 7, 1), to.toString()))
                            .all()
                            .get(20, SECONDS))
                    .hasCauseInstanceOf(org.apache.kafka.common.errors.UnknownTopicOrPartitionException.class);
        }
    }

    private void restart() throws Exception {
        broker.kill();
        broker = Broker.create(broker.config(), new SystemEnvironment(new SystemClock(), 43));
        broker.start().get(30, SECONDS);
    }

    private void move(Admin admin, Path to) throws Exception {
        admin.alterReplicaLogDirs(Map.of(new TopicPartitionReplica("orders", 0, 1), to.toString()))
                .all()
                .get(20, SECONDS);
    }

    private void throttle(Admin admin, String bytesPerSecond) throws Exception {
        ConfigEntry entry = new ConfigEntry("replica.alter.log.dirs.io.max.bytes.per.second", bytesPerSecond);
        AlterConfigOp.OpType type = bytesPerSecond.isEmpty() ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET;
        admin.incrementalAlterConfigs(Map.of(
                        new ConfigResource(ConfigResource.Type.BROKER, "1"), List.of(new AlterConfigOp(entry, type))))
                .all()
                .get(20, SECONDS);
    }

    private Path other(Path directory) {
        return folder.resolve(directory.endsWith("a") ? "b" : "a");
    }

    /** Where the replica is, by what the broker says. */
    private static Path place(Admin admin) throws Exception {
        for (Map.Entry<String, LogDirDescription> directory : describe(admin).entrySet()) {
            ReplicaInfo replica = directory.getValue().replicaInfos().get(ORDERS);
            if (replica != null && !replica.isFuture()) {
                return Path.of(directory.getKey());
            }
        }
        throw new AssertionError("orders-0 is nowhere");
    }

    private static ReplicaInfo copyIn(Admin admin, Path directory) throws Exception {
        ReplicaInfo replica =
                describe(admin).get(directory.toString()).replicaInfos().get(ORDERS);
        return replica != null && replica.isFuture() ? replica : null;
    }

    private static Map<String, LogDirDescription> describe(Admin admin) throws Exception {
        return admin.describeLogDirs(List.of(1))
                .allDescriptions()
                .get(20, SECONDS)
                .get(1);
    }

    private static List<String> partitionFolders(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("orders"))
                    .sorted()
                    .toList();
        }
    }

    private void produce(int count) throws Exception {
        try (Producer<Integer, byte[]> producer =
                new KafkaProducer<>(client, new IntegerSerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>("orders", 0, written++, VALUE));
            }
            producer.flush();
        }
    }

    /** How many records there are, each the one that its offset promises. */
    private int read() {
        int[] count = new int[1];
        try (Consumer<Integer, byte[]> consumer =
                new KafkaConsumer<>(client, new IntegerDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(ORDERS));
            consumer.seek(ORDERS, 0);
            long end = consumer.endOffsets(List.of(ORDERS)).get(ORDERS);
            await("all up to " + end).atMost(PATIENCE).until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> {
                    assertThat(record.key()).isEqualTo(count[0]).isEqualTo((int) record.offset());
                    count[0]++;
                });
                return consumer.position(ORDERS) >= end;
            });
        }
        return count[0];
    }
}
