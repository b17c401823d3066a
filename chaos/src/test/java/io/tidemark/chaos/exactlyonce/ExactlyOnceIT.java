package io.tidemark.chaos.exactlyonce;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.exactlyonce.Copier.Death;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Read, process, write in transactions while brokers and applications die. Every record comes out once, and those of a
 * key in their order; {@code -Dtidemark.exactly.once.records=100000 -Dtidemark.exactly.once.transaction=750} is the
 * long run.
 */
class ExactlyOnceIT {
    private static final int SHORT_RUN = 3_000;
    private static final int RECORDS = Integer.getInteger("tidemark.exactly.once.records", SHORT_RUN);
    private static final int PER_TRANSACTION = Integer.getInteger("tidemark.exactly.once.transaction", 50);
    private static final int KEYS = 97;
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE =
            Duration.ofSeconds(Integer.getInteger("tidemark.exactly.once.patience", 90));

    @Test
    void everyRecordComesOutOnceAndInOrderWhileBrokersAndApplicationsDie() throws Exception {
        copyWhileAllDies(Map.of());
    }

    static void copyWhileAllDies(Map<String, Object> producerConfig) throws Exception {
        try (Cluster cluster = Cluster.builder()
                        .brokers(3)
                        .config("group.min.session.timeout.ms", "1000")
                        .topic("in", topic -> topic.partitions(PARTITIONS).config("min.insync.replicas", "2"))
                        .topic("out", topic -> topic.partitions(PARTITIONS).config("min.insync.replicas", "2"))
                        .start();
                Chaos chaos = Chaos.on(cluster)) {
            seed(cluster);
            Copier.Job job = new Copier.Job(cluster.bootstrapServers(), "in", "out", PER_TRANSACTION, producerConfig);
            try (Copier first = new Copier(job, 1);
                    Copier second = new Copier(job, 2);
                    OutputReader committed = new OutputReader(cluster.bootstrapServers(), "out", "read_committed");
                    OutputReader all = new OutputReader(cluster.bootstrapServers(), "out", "read_uncommitted")) {
                kill(cluster, chaos, List.of(first, second), committed);
                await("every record comes out").atMost(PATIENCE).until(() -> committed.count() >= RECORDS);
                awaitTheEnd(cluster, committed, IsolationLevel.READ_COMMITTED);
                awaitTheEnd(cluster, all, IsolationLevel.READ_UNCOMMITTED);

                assertThat(first.lives() + second.lives())
                        .as("lives of the applications")
                        .isGreaterThan(3);
                Map<String, List<Long>> out = new TreeMap<>(committed.end());
                assertThat(out).hasSize(KEYS);
                out.forEach((key, values) ->
                        assertThat(values).as("values of %s", key).isEqualTo(expected(Integer.parseInt(key))));
                Map<String, List<Long>> everything = all.end();
                out.forEach((key, values) -> assertThat(new HashSet<>(everything.get(key)))
                        .as("values of %s with those that were aborted", key)
                        .containsAll(values));
            }
        }
    }

    /** Key n has the values n, n + KEYS, and so on. */
    private static void seed(Cluster cluster) {
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all", "linger.ms", "5"));
        for (int i = 0; i < RECORDS; i++) {
            producer.send(new ProducerRecord<>("in", Integer.toString(i % KEYS), Integer.toString(i)));
        }
        producer.flush();
    }

    private static List<Long> expected(int key) {
        List<Long> values = new ArrayList<>();
        for (long i = key; i < RECORDS; i += KEYS) {
            values.add(i);
        }
        return values;
    }

    /** Each death comes when a part of the work is done, so that all of them strike. */
    private static void kill(Cluster cluster, Chaos chaos, List<Copier> copiers, OutputReader committed) {
        List<Runnable> deaths = List.of(
                () -> chaos.kill(1),
                () -> copiers.get(0).die(Death.HARD),
                () -> chaos.restart(1),
                () -> chaos.stop(2),
                () -> copiers.get(1).die(Death.CLEAN),
                () -> chaos.restart(2),
                () -> chaos.kill(3),
                () -> copiers.get(1).die(Death.HARD),
                () -> chaos.restart(3));
        // The short run ends with the second broker, for the build's sake.
        int count = RECORDS > SHORT_RUN ? deaths.size() : 6;
        for (int i = 0; i < count; i++) {
            long part = (long) RECORDS * (i + 1) / (count + 3);
            await(part + " records are out").atMost(PATIENCE).until(() -> committed.count() >= part);
            deaths.get(i).run();
            if (i % 3 == 2) {
                cluster.awaitHealthy(PATIENCE);
            }
        }
        await("the applications have died").atMost(PATIENCE).until(() -> copiers.stream()
                .noneMatch(Copier::isToDie));
    }

    private static void awaitTheEnd(Cluster cluster, OutputReader reader, IsolationLevel isolation) {
        Admin admin = cluster.clients().admin();
        await("the reader is at the end of " + isolation).atMost(PATIENCE).untilAsserted(() -> {
            Map<TopicPartition, OffsetSpec> asked = new TreeMap<>(Comparator.comparing(TopicPartition::partition));
            for (int partition = 0; partition < PARTITIONS; partition++) {
                asked.put(new TopicPartition("out", partition), OffsetSpec.latest());
            }
            Map<TopicPartition, ListOffsetsResultInfo> ends = admin.listOffsets(
                            asked, new ListOffsetsOptions(isolation))
                    .all()
                    .get(10, SECONDS);
            ends.forEach((partition, end) -> assertThat(reader.positions().get(partition))
                    .as("position in %s", partition)
                    .isEqualTo(end.offset()));
        });
    }
}
