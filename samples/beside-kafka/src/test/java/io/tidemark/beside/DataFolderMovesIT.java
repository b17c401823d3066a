package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One data folder, served by ours and by Apache Kafka in turns; clients cannot tell by what they read. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DataFolderMovesIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final String GROUP = "billing";
    private static final String SEGMENT = "00000000000000000000";
    private static final int ENTRY_BYTES = 34;

    @TempDir
    Path parent;

    private DataFolder folder;

    @BeforeEach
    void reserve() throws Exception {
        folder = new DataFolder(parent);
    }

    @AfterEach
    void giveBack() throws Exception {
        folder.close();
    }

    @Test
    void kafkaServesWhatOursLeft() throws Exception {
        SeenByClients before;
        try (ServerProcess ours = folder.serveByOurs()) {
            createOrders();
            write("ours", 10, 20);
            commitOffset(7, "seven");
            before = seen();
            ours.stop();
        }

        SeenByClients after;
        try (ServerProcess kafka = folder.serveByKafka()) {
            after = seen();
            write("kafka", 1, 1);
            kafka.stop();
            assertSaysNothingOfBrokenFiles(kafka);
        }

        assertThat(before.all()).hasSize(201);
        assertThat(after).isEqualTo(before);
    }

    @Test
    void oursServesWhatKafkaLeftAndKafkaGoesOnWithIt() throws Exception {
        folder.formatByKafka();
        SeenByClients byKafka;
        try (ServerProcess kafka = folder.serveByKafka()) {
            createOrders();
            write("plain", 3, 2);
            transaction("paid", true);
            transaction("refused", false);
            transaction("late", false);
            transaction("sent", true);
            commitOffset(7, "seven");
            leaveTransactionOpen();
            byKafka = seen();
            kafka.stop();
        }
        byte[] transactionIndex = Files.readAllBytes(segment(".txnindex"));

        SeenByClients byOurs;
        try (ServerProcess ours = folder.serveByOurs()) {
            byOurs = seen();
            // Killed at the end of this block, so that the next one must recover, and make its indexes anew.
        }
        SeenByClients byOursRecovered;
        SeenByClients byOursWithMore;
        try (ServerProcess ours = folder.serveByOurs()) {
            byOursRecovered = seen();
            write("ours", 2, 2);
            byOursWithMore = seen();
            ours.stop();
        }
        byte[] transactionIndexRebuilt = Files.readAllBytes(segment(".txnindex"));
        List<String> dump = KafkaDump.ofAll(
                List.of(segment(".log"), segment(".index"), segment(".timeindex"), segment(".txnindex")),
                "--deep-iteration");
        List<String> transactions =
                KafkaDump.of(folder.file("__transaction_state-0", SEGMENT + ".log"), "--transaction-log-decoder");

        SeenByClients byKafkaAgain;
        SeenByClients afterTheOpenTransaction;
        try (ServerProcess kafka = folder.serveByKafka()) {
            byKafkaAgain = seen();
            // The same transactional id: what it left open is aborted first.
            transaction("open", true);
            afterTheOpenTransaction = seen();
            kafka.stop();
            assertSaysNothingOfBrokenFiles(kafka);
        }

        assertThat(byKafka.committed())
                .anyMatch(line -> line.contains("paid"))
                .anyMatch(line -> line.contains("sent"))
                .noneMatch(line -> line.contains("refused") || line.contains("late") || line.contains("open"));
        assertThat(byOurs).isEqualTo(byKafka);
        assertThat(byOursRecovered).isEqualTo(byKafka);
        assertThat(transactionIndexRebuilt).isEqualTo(transactionIndex).hasSize(2 * ENTRY_BYTES);
        assertThat(dump).noneMatch(KafkaDump::isComplaint);
        assertThat(transactions).anyMatch(line -> line.contains("refused") && line.contains("CompleteAbort"));
        assertThat(byKafkaAgain).isEqualTo(byOursWithMore);
        assertThat(afterTheOpenTransaction.all())
                .filteredOn(line -> line.contains("open"))
                .hasSize(3);
        assertThat(afterTheOpenTransaction.committed())
                .filteredOn(line -> line.contains("open"))
                .hasSize(2);
    }

    @Test
    void kafkaServesAbortedAndOpenTransactionsThatOursWrote() throws Exception {
        try (ServerProcess ours = folder.serveByOurs()) {
            createOrders();
            write("ours", 2, 2);
            ours.stop();
        }
        try (OfflineLog orders = OfflineLog.open(folder.path(), ORDERS)) {
            orders.transactional(4001, 0, "refused 1", "refused 2");
            orders.transactional(4002, 0, "paid");
            orders.end(4001, false);
            orders.end(4002, true);
            orders.transactional(4001, 2, "refused later");
            orders.end(4001, false);
            orders.transactional(4003, 0, "open");
        }
        byte[] transactionIndex = Files.readAllBytes(segment(".txnindex"));
        SeenByClients byOurs;
        try (ServerProcess ours = folder.serveByOurs()) {
            byOurs = seen();
            ours.stop();
        }

        SeenByClients byKafka;
        try (ServerProcess kafka = folder.serveByKafka()) {
            byKafka = seen();
            kafka.stop();
            assertSaysNothingOfBrokenFiles(kafka);
        }

        assertThat(byOurs.committed())
                .anyMatch(line -> line.contains("paid"))
                .noneMatch(line -> line.contains("refused") || line.contains("open"));
        assertThat(byOurs.producers()).hasSizeGreaterThanOrEqualTo(4).anyMatch(line -> line.contains("4003"));
        assertThat(byKafka).isEqualTo(byOurs);
        assertThat(Files.readAllBytes(segment(".txnindex")))
                .isEqualTo(transactionIndex)
                .hasSize(2 * ENTRY_BYTES);
    }

    /** A broker that finds an index missing or broken goes on, and says so. */
    private static void assertSaysNothingOfBrokenFiles(ServerProcess kafka) {
        assertThat(kafka.output()).doesNotContainIgnoringCase("corrupt").doesNotContain("recovering segment");
    }

    private Path segment(String suffix) {
        return folder.file("orders-0", SEGMENT + suffix);
    }

    private SeenByClients seen() throws Exception {
        return SeenByClients.of(folder.bootstrapServers(), ORDERS, GROUP);
    }

    private void createOrders() throws Exception {
        try (Admin admin = Admin.create(client(Map.of()))) {
            admin.createTopics(List.of(new NewTopic(ORDERS.topic(), 1, (short) 1)
                            .configs(Map.of("index.interval.bytes", "100", "segment.bytes", "1048576"))))
                    .all()
                    .get();
        }
    }

    /** So many batches of so many records, by an idempotent producer. */
    private void write(String value, int batches, int recordsEach) throws Exception {
        try (KafkaProducer<String, String> producer = producer(Map.of("linger.ms", "1000"))) {
            for (int batch = 0; batch < batches; batch++) {
                for (int i = 0; i < recordsEach; i++) {
                    producer.send(new ProducerRecord<>(ORDERS.topic(), 0, "key", value + " " + batch + "." + i));
                }
                producer.flush();
            }
        }
    }

    private void transaction(String value, boolean commit) {
        try (KafkaProducer<String, String> producer = producer(Map.of("transactional.id", value))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(ORDERS.topic(), 0, "key", value + " 1"));
            producer.flush();
            producer.send(new ProducerRecord<>(ORDERS.topic(), 0, "key", value + " 2"));
            producer.flush();
            if (commit) {
                producer.commitTransaction();
            } else {
                producer.abortTransaction();
            }
        }
    }

    private void leaveTransactionOpen() {
        KafkaProducer<String, String> producer = producer(Map.of("transactional.id", "open"));
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(ORDERS.topic(), 0, "key", "open 1"));
        producer.flush();
        producer.close(Duration.ZERO);
    }

    private void commitOffset(long offset, String metadata) {
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                client(Map.of("group.id", GROUP)), new StringDeserializer(), new StringDeserializer())) {
            consumer.commitSync(Map.of(ORDERS, new OffsetAndMetadata(offset, metadata)));
        }
    }

    private KafkaProducer<String, String> producer(Map<String, Object> settings) {
        return new KafkaProducer<>(client(settings), new StringSerializer(), new StringSerializer());
    }

    private Map<String, Object> client(Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>(settings);
        all.put("bootstrap.servers", folder.bootstrapServers());
        return all;
    }
}
