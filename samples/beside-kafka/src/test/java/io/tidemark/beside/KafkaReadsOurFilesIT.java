package io.tidemark.beside;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.NodeState;
import io.tidemark.PartitionHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A leader dies, the rest go on and stop in good order; then Apache Kafka's own tool reads what they left. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KafkaReadsOurFilesIT {
    private static final String SEGMENT = "00000000000000000000";
    private static final int RECORDS_BEFORE = 10;
    private static final int RECORDS_AFTER = 5;

    private Cluster cluster;
    private ClusterNode survivor;

    @BeforeAll
    void leaveFilesBehind() throws Exception {
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.partitions(1)
                        .replicationFactor(3)
                        // An index entry for nearly every batch.
                        .config("index.interval.bytes", "100"))
                .topic("payments", topic -> topic.partitions(1).replicationFactor(3))
                .start();
        PartitionHandle orders = cluster.partition("orders", 0);
        try (Producer<String, String> producer = cluster.clients().producer(String.class, String.class)) {
            place(producer, RECORDS_BEFORE);
            int dead = orders.leader();
            cluster.broker(dead).kill();
            assertThat(orders).eventually().hasLeaderEpoch(1).hasHighWatermark(RECORDS_BEFORE);
            place(producer, RECORDS_AFTER);
        }
        try (Consumer<String, String> consumer =
                cluster.clients().consumer(String.class, String.class, Map.of("group.id", "billing"))) {
            consumer.commitSync(Map.of(new TopicPartition("orders", 0), new OffsetAndMetadata(7, "seven")));
        }
        transaction("paid", true);
        transaction("refused", false);
        survivor = cluster.broker(orders.leader());
        for (ClusterNode node : cluster.nodes()) {
            if (node.state() == NodeState.RUNNING) {
                node.stop();
            }
        }
    }

    private void transaction(String transactionalId, boolean commit) throws Exception {
        try (Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("transactional.id", transactionalId))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("payments", 0, "payment", transactionalId))
                    .get();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
        // The producer is told before its end is written down as complete.
        assertThat(cluster.transaction(transactionalId))
                .eventually()
                .hasState(commit ? "CompleteCommit" : "CompleteAbort");
    }

    private static void place(Producer<String, String> producer, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            producer.send(new ProducerRecord<>("orders", 0, "order", "{\"amt\":30}"))
                    .get();
        }
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void findsNothingWrongInAnyFile() throws Exception {
        List<Path> files;
        try (Stream<Path> all = Files.walk(survivor.logDirectory())) {
            files = all.filter(file -> file.toString().matches(".*\\.(log|index|timeindex|txnindex|snapshot)"))
                    .sorted()
                    .toList();
        }

        assertThat(files)
                .anyMatch(file -> file.endsWith("orders-0/" + SEGMENT + ".log"))
                .anyMatch(file -> file.toString().endsWith(".snapshot"));
        for (String option : List.of("--deep-iteration", "--index-sanity-check", "--verify-index-only")) {
            assertThat(KafkaDump.ofAll(files, option)).as(option).noneMatch(KafkaDump::isComplaint);
        }
    }

    @Test
    void printsBatchesOfBothLeaders() throws Exception {
        List<String> dump = KafkaDump.of(file("orders-0", SEGMENT + ".log"), "--print-data-log");

        assertThat(KafkaDump.batches(dump))
                .hasSize(RECORDS_BEFORE + RECORDS_AFTER)
                .allMatch(batch -> batch.contains("isvalid: true"))
                .allMatch(batch -> batch.contains("producerId: ") && !batch.contains("producerId: -1"));
        assertThat(KafkaDump.batches(dump).filter(batch -> batch.contains("partitionLeaderEpoch: 0")))
                .hasSize(RECORDS_BEFORE);
        assertThat(KafkaDump.batches(dump).filter(batch -> batch.contains("partitionLeaderEpoch: 1")))
                .hasSize(RECORDS_AFTER);
        assertThat(KafkaDump.records(dump))
                .hasSize(RECORDS_BEFORE + RECORDS_AFTER)
                .allMatch(line -> line.contains("payload: {\"amt\":30}"));
    }

    @Test
    void findsIndexesSaneAndTrueToTheirSegment() throws Exception {
        for (String suffix : List.of(".index", ".timeindex")) {
            Path index = file("orders-0", SEGMENT + suffix);

            assertThat(KafkaDump.of(index, "--index-sanity-check"))
                    .anyMatch(line -> line.contains("passed sanity check"));
            assertThat(KafkaDump.of(index))
                    .anyMatch(line -> line.contains("offset: " + (RECORDS_BEFORE + RECORDS_AFTER - 1)))
                    .noneMatch(line -> line.contains("ismatch") || line.contains("out of order"));
        }
    }

    @Test
    void printsCommittedOffsets() throws Exception {
        List<Path> segments = segmentsOf("__consumer_offsets");

        assertThat(segments).hasSize(1);
        assertThat(KafkaDump.records(KafkaDump.of(segments.get(0), "--offsets-decoder")))
                .anyMatch(line -> line.contains("billing")
                        && line.contains("orders")
                        && line.contains("\"offset\":7")
                        && line.contains("seven"));
    }

    @Test
    void printsTransactionsAndTheirMarkers() throws Exception {
        List<String> states = new ArrayList<>();
        for (Path segment : segmentsOf("__transaction_state")) {
            KafkaDump.records(KafkaDump.of(segment, "--transaction-log-decoder"))
                    .forEach(states::add);
        }
        List<String> markers = KafkaDump.of(file("payments-0", SEGMENT + ".log"), "--print-data-log");

        for (String state : List.of("Ongoing", "PrepareCommit", "CompleteCommit")) {
            assertThat(states).as(state).anyMatch(line -> line.contains("paid") && line.contains(state));
        }
        for (String state : List.of("Ongoing", "PrepareAbort", "CompleteAbort")) {
            assertThat(states).as(state).anyMatch(line -> line.contains("refused") && line.contains(state));
        }
        assertThat(states).anyMatch(line -> line.contains("Ongoing") && line.contains("payments"));
        assertThat(markers)
                .anyMatch(line -> line.contains("endTxnMarker: COMMIT"))
                .anyMatch(line -> line.contains("endTxnMarker: ABORT"));
    }

    @Test
    void printsMetadataRecords() throws Exception {
        Path segment = cluster.controller()
                .logDirectory()
                .resolve("__cluster_metadata-0")
                .resolve(SEGMENT + ".log");

        assertThat(KafkaDump.records(KafkaDump.of(segment, "--cluster-metadata-decoder")))
                .anyMatch(line -> line.contains("REGISTER_BROKER_RECORD"))
                .anyMatch(line -> line.contains("TOPIC_RECORD") && line.contains("\"name\":\"orders\""))
                .anyMatch(line -> line.contains("PARTITION_CHANGE_RECORD"));
    }

    /** The segments of an internal topic that have any record. */
    private List<Path> segmentsOf(String topic) throws IOException {
        try (Stream<Path> folders = Files.list(survivor.logDirectory())) {
            return folders.filter(folder -> folder.getFileName().toString().startsWith(topic + "-"))
                    .map(folder -> folder.resolve(SEGMENT + ".log"))
                    .filter(KafkaReadsOurFilesIT::hasContent)
                    .toList();
        }
    }

    private Path file(String partition, String name) {
        return survivor.logDirectory().resolve(partition).resolve(name);
    }

    private static boolean hasContent(Path file) {
        try {
            return Files.size(file) > 0;
        } catch (IOException e) {
            throw new IllegalStateException("Cannot look at " + file, e);
        }
    }
}
