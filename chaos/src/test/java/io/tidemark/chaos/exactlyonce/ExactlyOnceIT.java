package io.tidemark.chaos.exactlyonce;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.exactlyonce.Copier.Death;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Read, process, write in transactions while brokers and applications die. Every record comes out once, and those of a
 * key in their order. The build does this with few records; {@code mvn -q -Pexactly-once} with many.
 */
class ExactlyOnceIT {
    private static final int SHORT_RUN = 3_000;
    private static final int RECORDS = Integer.getInteger("tidemark.exactly.once.records", SHORT_RUN);
    private static final int PER_TRANSACTION = Integer.getInteger("tidemark.exactly.once.transaction", 50);
    private static final long SEED = Long.getLong("tidemark.exactly.once.seed", 1);
    /** In each a broker and an application die, the even ones hard and the odd ones in good order. */
    private static final int ROUNDS = Math.max(2, RECORDS / 5_000);

    private static final int BROKERS = 3;
    private static final int PARTITIONS = 4;
    private static final Duration PATIENCE =
            Duration.ofSeconds(Integer.getInteger("tidemark.exactly.once.patience", 90));

    private final Random random = new Random(SEED);
    private final SeededRecords records = new SeededRecords(SEED, RECORDS);

    @Test
    void everyRecordComesOutOnceAndInOrderWhileBrokersAndApplicationsDie() throws Exception {
        long started = System.nanoTime();
        try (Cluster cluster = Cluster.builder()
                        .brokers(BROKERS)
                        .config("group.min.session.timeout.ms", "1000")
                        .topic("in", topic -> topic.partitions(PARTITIONS).config("min.insync.replicas", "2"))
                        .topic("out", topic -> topic.partitions(PARTITIONS).config("min.insync.replicas", "2"))
                        .start();
                Chaos chaos = Chaos.on(cluster)) {
            Copier.Job job = new Copier.Job(cluster.bootstrapServers(), "in", "out", PER_TRANSACTION);
            try (Copier first = new Copier(job, 1);
                    Copier second = new Copier(job, 2);
                    OutputReader committed = new OutputReader(cluster.bootstrapServers(), "out", "read_committed");
                    OutputReader all = new OutputReader(cluster.bootstrapServers(), "out", "read_uncommitted")) {
                sendAndKill(cluster, chaos, List.of(first, second), committed);
                await("every record comes out").atMost(PATIENCE).until(() -> committed.count() >= RECORDS);
                awaitTheEnd(cluster, committed, IsolationLevel.READ_COMMITTED);
                awaitTheEnd(cluster, all, IsolationLevel.READ_UNCOMMITTED);

                List<String> faults = records.faultsOf(committed.end());
                if (RECORDS > SHORT_RUN) {
                    System.out.printf(
                            "Seed %d: %d records, at most %d in a transaction, in %d s; %d brokers and %d applications"
                                    + " died; %d transactions were committed in %d lives; %d records were aborted;"
                                    + " %d faults%n",
                            SEED,
                            RECORDS,
                            PER_TRANSACTION,
                            (System.nanoTime() - started) / 1_000_000_000,
                            ROUNDS,
                            ROUNDS,
                            first.commits() + second.commits(),
                            first.lives() + second.lives(),
                            all.count() - committed.count(),
                            faults.size());
                }
                assertThat(faults).as("what seed %d brought out", SEED).isEmpty();
                assertThat(first.lives() + second.lives())
                        .as("lives of the applications")
                        .isGreaterThanOrEqualTo(2 + ROUNDS);
                Map<String, List<Long>> everything = all.end();
                committed.end().forEach((key, values) -> assertThat(new HashSet<>(everything.get(key)))
                        .as("values of %s with those that were aborted", key)
                        .containsAll(values));
            }
        }
    }

    /** There is always work left when somebody dies: the records come bit by bit, in the middle of what goes wrong. */
    private void sendAndKill(Cluster cluster, Chaos chaos, List<Copier> copiers, OutputReader committed) {
        SeededRecords.Sender sender = records.sender(cluster, "in");
        for (int round = 0; round < ROUNDS; round++) {
            boolean isHard = round % 2 == 0;
            int broker = 1 + random.nextInt(BROKERS);
            Copier copier = copiers.get(random.nextInt(copiers.size()));

            long before = sender.sent();
            sender.sendUpTo(part(3 * round + 1));
            await("half of it is out").atMost(PATIENCE).until(() -> committed.count() >= (before + sender.sent()) / 2);
            if (isHard) {
                chaos.kill(broker);
            } else {
                chaos.stop(broker);
            }
            await("the application has work to do").atMost(PATIENCE).until(copier::isAssigned);
            copier.die(isHard ? Death.HARD : Death.CLEAN);
            sender.sendUpTo(part(3 * round + 2));
            await("the application has died").atMost(PATIENCE).until(() -> !copier.isToDie());
            sender.sendUpTo(part(3 * round + 3));
            chaos.restart(broker);
            cluster.awaitHealthy(PATIENCE);
        }
    }

    private static int part(int number) {
        return (int) ((long) RECORDS * number / (3 * ROUNDS));
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
