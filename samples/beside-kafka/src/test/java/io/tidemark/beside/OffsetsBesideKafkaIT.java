package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What ListOffsets answers, every way that it can be asked, by ours and by Apache Kafka on the same files. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OffsetsBesideKafkaIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final TopicPartition PACKED = new TopicPartition("packed", 0);
    private static final TopicPartition EMPTY = new TopicPartition("empty", 0);
    private static final List<TopicPartition> ALL = List.of(ORDERS, PACKED, EMPTY);
    private static final long FIRST_TIMESTAMP_MS = 1_790_000_000_000L;

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
    void oursAnswersWhatKafkaAnswers() throws Exception {
        Map<String, String> byOurs;
        try (ServerProcess ours = folder.serveByOurs()) {
            writeRecords();
            byOurs = answers();
            ours.stop();
        }

        Map<String, String> byKafka;
        try (ServerProcess kafka = folder.serveByKafka()) {
            byKafka = answers();
            kafka.stop();
        }

        assertThat(byOurs).isEqualTo(byKafka);
        assertThat(byOurs)
                .as("of a batch that is compressed, the record that has the greatest timestamp, not the last")
                .containsEntry("packed-0 maxTimestamp", "offset 4 at +900")
                .containsEntry("orders-0 earliest", "offset 1")
                .containsEntry("orders-0 earliestLocal", "offset 1")
                .containsEntry("orders-0 latest", "offset 3")
                .containsEntry("orders-0 latestTiered", "offset -1")
                .containsEntry("orders-0 earliestPendingUpload", "offset -1");
    }

    private void writeRecords() throws Exception {
        try (Admin admin = Admin.create(settings(Map.of()))) {
            List<NewTopic> topics = new ArrayList<>();
            for (TopicPartition partition : ALL) {
                topics.add(new NewTopic(partition.topic(), 1, (short) 1).configs(Map.of("retention.ms", "-1")));
            }
            admin.createTopics(topics).all().get();
            try (KafkaProducer<String, String> producer = producer("none")) {
                for (long timestamp : new long[] {0, 500, 200}) {
                    producer.send(record(ORDERS, timestamp)).get();
                }
            }
            admin.deleteRecords(Map.of(ORDERS, RecordsToDelete.beforeOffset(1)))
                    .all()
                    .get();
        }
        try (KafkaProducer<String, String> producer = producer("gzip")) {
            writeBatch(producer, 100, 300, 300);
            writeBatch(producer, 200, 900, 900, 400);
            writeBatch(producer, 850);
        }
    }

    private static void writeBatch(KafkaProducer<String, String> producer, long... timestamps) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (long timestamp : timestamps) {
            sent.add(producer.send(record(PACKED, timestamp)));
        }
        producer.flush();
        for (Future<?> future : sent) {
            future.get();
        }
    }

    private static ProducerRecord<String, String> record(TopicPartition partition, long timestamp) {
        return new ProducerRecord<>(
                partition.topic(), 0, FIRST_TIMESTAMP_MS + timestamp, "key", "value-" + timestamp + "-".repeat(50));
    }

    private KafkaProducer<String, String> producer(String compression) {
        return new KafkaProducer<>(
                settings(Map.of("compression.type", compression, "linger.ms", "1000")),
                new StringSerializer(),
                new StringSerializer());
    }

    private Map<String, Object> settings(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(more);
        all.put("bootstrap.servers", folder.bootstrapServers());
        return all;
    }

    private Map<String, String> answers() throws Exception {
        Map<String, OffsetSpec> questions = new TreeMap<>(Map.of(
                "latest", OffsetSpec.latest(),
                "earliest", OffsetSpec.earliest(),
                "maxTimestamp", OffsetSpec.maxTimestamp(),
                "earliestLocal", OffsetSpec.earliestLocal(),
                "latestTiered", OffsetSpec.latestTiered(),
                "earliestPendingUpload", OffsetSpec.earliestPendingUpload()));
        for (long timestamp : new long[] {0, 50, 150, 200, 201, 300, 301, 500, 501, 850, 900, 901}) {
            questions.put("at +" + timestamp, OffsetSpec.forTimestamp(FIRST_TIMESTAMP_MS + timestamp));
        }
        Map<String, String> answers = new TreeMap<>();
        try (Admin admin = Admin.create(settings(Map.of()))) {
            for (TopicPartition partition : ALL) {
                for (Map.Entry<String, OffsetSpec> question : questions.entrySet()) {
                    for (IsolationLevel isolation : IsolationLevel.values()) {
                        String name = partition + " " + question.getKey()
                                + (isolation == IsolationLevel.READ_COMMITTED ? " of committed" : "");
                        answers.put(name, answer(admin, partition, question.getValue(), isolation));
                    }
                }
            }
        }
        return answers;
    }

    /** The leader epochs are left out: they rise with each server. */
    private static String answer(Admin admin, TopicPartition partition, OffsetSpec question, IsolationLevel isolation)
            throws Exception {
        ListOffsetsResultInfo found = admin.listOffsets(Map.of(partition, question), new ListOffsetsOptions(isolation))
                .partitionResult(partition)
                .get(60, TimeUnit.SECONDS);
        return "offset " + found.offset()
                + (found.timestamp() < 0 ? "" : " at +" + (found.timestamp() - FIRST_TIMESTAMP_MS));
    }
}
