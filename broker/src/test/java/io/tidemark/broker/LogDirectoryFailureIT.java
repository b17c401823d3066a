package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.BrokerConfig.UnknownNames;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.DiskMatch;
import io.tidemark.broker.disk.DiskOperation.Kind;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.network.PortReservation;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.SystemClock;
import io.tidemark.broker.transport.NodeHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Brokers with two log directories each, one of which fails; their metadata lies in a third. */
@Timeout(60)
class LogDirectoryFailureIT {
    private static final String HOST = "127.0.0.1";

    @TempDir
    Path folder;

    private final SystemClock clock = new SystemClock();
    private final Map<Integer, DiskFaults> faults = new TreeMap<>();
    private final Map<Integer, Broker> nodes = new TreeMap<>();
    private final List<PortReservation> reservations = new ArrayList<>();
    private String bootstrapServers = "";

    /** The file system, with a disk for each node that can be hurt. */
    private final class Hurtable implements BrokerEnvironment {
        private final SystemEnvironment system = new SystemEnvironment(clock, 42);

        @Override
        public Clock clock() {
            return clock;
        }

        @Override
        public long seed() {
            return system.seed();
        }

        @Override
        public NodeHost newHost(String threadName, HostLimits limits, Consumer<Throwable> onFault) {
            return system.newHost(threadName, limits, onFault);
        }

        @Override
        public Disk disk(int nodeId) {
            return new FaultyDisk(new FileSystemDisk(), faultsOf(nodeId));
        }
    }

    private DiskFaults faultsOf(int nodeId) {
        synchronized (faults) {
            return faults.computeIfAbsent(nodeId, id -> new DiskFaults());
        }
    }

    @BeforeEach
    void startThreeBrokersAndCreateTopics() throws Exception {
        int controllerPort = reserve();
        List<String> addresses = new ArrayList<>();
        start(1001, controllerPort, controllerPort);
        for (int id = 1; id <= 3; id++) {
            int port = reserve();
            addresses.add(HOST + ":" + port);
            start(id, port, controllerPort);
        }
        bootstrapServers = String.join(",", addresses);
        CompletableFuture.allOf(nodes.values().stream().map(Broker::start).toArray(CompletableFuture[]::new))
                .get(30, SECONDS);
        try (Admin admin = admin()) {
            admin.createTopics(
                            List.of(new NewTopic("orders", 4, (short) 3).configs(Map.of("min.insync.replicas", "2"))))
                    .all()
                    .get(20, SECONDS);
        }
        await("the controller to know all directories")
                .until(() -> directoriesOf(1).stream().noneMatch(directory -> directory.equals("unassigned")));
    }

    private int reserve() throws IOException {
        PortReservation reservation = PortReservation.reserve(HOST, 0);
        reservations.add(reservation);
        return reservation.port();
    }

    private void start(int id, int port, int controllerPort) {
        boolean isBroker = id < 1000;
        Path own = folder.resolve("node-" + id);
        Map<String, String> properties = new TreeMap<>(Map.of(
                "node.id",
                Integer.toString(id),
                "process.roles",
                isBroker ? "broker" : "controller",
                "listeners",
                (isBroker ? "PLAINTEXT" : "CONTROLLER") + "://" + HOST + ":" + port,
                "controller.listener.names",
                "CONTROLLER",
                "controller.quorum.voters",
                "1001@" + HOST + ":" + controllerPort,
                "log.dirs",
                own.resolve("a") + "," + own.resolve("b"),
                "metadata.log.dir",
                own.resolve("metadata").toString(),
                "broker.heartbeat.interval.ms",
                "200",
                "broker.session.timeout.ms",
                "1000",
                "replica.fetch.backoff.ms",
                "20"));
        nodes.put(id, Broker.create(BrokerConfig.of(properties, UnknownNames.REJECT), new Hurtable()));
    }

    @AfterEach
    void close() throws IOException {
        nodes.values().forEach(Broker::kill);
        for (PortReservation reservation : reservations) {
            reservation.close();
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }

    private NodeSnapshot snapshot(int broker) throws Exception {
        return nodes.get(broker).snapshot().get(10, SECONDS);
    }

    /** In which directory each partition of a broker lies, as the controller knows. */
    private List<String> directoriesOf(int broker) throws Exception {
        List<String> directories = new ArrayList<>();
        for (var partition :
                snapshot(2).metadata().topics().topic("orders").partitions().values()) {
            var id = partition.directory(broker);
            directories.add(
                    id.equals(io.tidemark.broker.metadata.PartitionRegistration.UNASSIGNED_DIRECTORY)
                            ? "unassigned"
                            : id.toString());
        }
        return directories;
    }

    private Map<String, LogDirDescription> describe(Admin admin, int broker) throws Exception {
        return admin.describeLogDirs(List.of(broker))
                .allDescriptions()
                .get(20, SECONDS)
                .get(broker);
    }

    private List<Integer> isr(int partition) throws Exception {
        return snapshot(2)
                .metadata()
                .topics()
                .topic("orders")
                .partition(partition)
                .isr();
    }

    private void produce(Producer<String, String> producer, int partition) throws Exception {
        producer.send(new ProducerRecord<>("orders", partition, null, "value")).get(20, SECONDS);
    }

    private Producer<String, String> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "acks", "all"),
                new StringSerializer(),
                new StringSerializer());
    }

    @Test
    void aDirectoryThatFailsGoesOfflineAloneAndComesBackWithTheNextStart() throws Exception {
        Path failing = folder.resolve("node-1/a");
        try (Admin admin = admin();
                Producer<String, String> producer = producer()) {
            for (int partition = 0; partition < 4; partition++) {
                produce(producer, partition);
            }
            Set<TopicPartition> lost =
                    describe(admin, 1).get(failing.toString()).replicaInfos().keySet();
            assertThat(lost).as("half of the four partitions").hasSize(2);
            faultsOf(1).failWhere(DiskMatch.of(Kind.WRITE).on(path -> path.startsWith(failing)));

            for (int partition = 0; partition < 4; partition++) {
                produce(producer, partition);
            }

            for (int partition = 0; partition < 4; partition++) {
                int number = partition;
                List<Integer> expected =
                        lost.contains(new TopicPartition("orders", partition)) ? List.of(2, 3) : List.of(1, 2, 3);
                await("the ISR of partition " + partition)
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> isr(number).stream().sorted().toList().equals(expected));
            }
            assertThat(snapshot(2).metadata().cluster().isAlive(1)).isTrue();
            LogDirDescription offline = describe(admin, 1).get(failing.toString());
            assertThat(offline.error()).isInstanceOf(KafkaStorageException.class);
            LogDirDescription online =
                    describe(admin, 1).get(folder.resolve("node-1/b").toString());
            assertThat(online.error()).isNull();
            assertThat(online.replicaInfos()).hasSize(2);
            assertThat(online.totalBytes()).isPresent();

            newReplicasGoToTheDirectoryThatIsLeft(admin);

            faultsOf(1).heal();
            nodes.get(1).kill();
            Broker next = Broker.create(nodes.get(1).config(), new Hurtable());
            nodes.put(1, next);
            next.start().get(30, SECONDS);
            for (int partition = 0; partition < 4; partition++) {
                int number = partition;
                await("the whole ISR of partition " + partition)
                        .atMost(Duration.ofSeconds(20))
                        .until(() -> isr(number).size() == 3);
            }
        }
    }

    private void newReplicasGoToTheDirectoryThatIsLeft(Admin admin) throws Exception {
        admin.createTopics(List.of(new NewTopic("late", 2, (short) 3))).all().get(20, SECONDS);
        await("the replicas of the new topic").until(() -> describe(admin, 1)
                .get(folder.resolve("node-1/b").toString())
                .replicaInfos()
                .keySet()
                .containsAll(List.of(new TopicPartition("late", 0), new TopicPartition("late", 1))));
    }

    @Test
    void aBrokerWhoseLastLogDirectoryFailsStopsAndSaysWhy() throws Exception {
        faultsOf(1)
                .failWhere(DiskMatch.of(Kind.WRITE).on(path -> path.toString().contains("/orders-")));
        try (Producer<String, String> producer = producer()) {
            for (int partition = 0; partition < 4; partition++) {
                produce(producer, partition);
            }
        }

        assertThat(nodes.get(1).termination())
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(DirectoryFailedException.class)
                .withMessageContaining("Broker 1 stops: the last of its log directories is")
                .withMessageContaining("input/output error");
        assertThat(nodes.get(1).fault()).isInstanceOf(DirectoryFailedException.class);
        await("the others to go on without it").until(() -> isr(0).stream().noneMatch(id -> id == 1));
    }
}
