package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka Streams counts the records of each key, exactly once, while brokers and its own processes die. Each record in
 * brings one count out, so a count that comes twice, is left out or is out of order shows any fault of offsets, state or
 * output. The build does this with few records; {@code mvn -q -Pexactly-once} with many.
 */
class StreamsExactlyOnceIT {
    private static final int SHORT_RUN = 2_000;
    private static final int RECORDS = Integer.getInteger("tidemark.exactly.once.records", SHORT_RUN);
    private static final long SEED = Long.getLong("tidemark.exactly.once.seed", 1);
    /** In each a broker and an instance die, the even ones hard and the odd ones in good order. */
    private static final int ROUNDS = Math.max(2, RECORDS / 10_000);

    private static final int BROKERS = 3;
    private static final int KEYS = 20;
    private static final int PARTITIONS = 2;
    private static final Duration PATIENCE =
            Duration.ofSeconds(Integer.getInteger("tidemark.exactly.once.patience", 120));

    @TempDir
    Path folder;

    private final Random random = new Random(SEED);
    private final ServerProcess[] instances = new ServerProcess[2];
    private final Map<String, Long> sentByKey = new TreeMap<>();
    private Cluster cluster;
    private int sent;

    @Test
    void everyRecordIsCountedOnceWhileBrokersAndInstancesDie() throws Exception {
        long started = System.nanoTime();
        try (Cluster all = Cluster.builder()
                .brokers(BROKERS)
                .config("group.min.session.timeout.ms", "1000")
                .config("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500")
                .topic(StreamsCounter.WORDS, topic -> topic.partitions(PARTITIONS)
                        .config("min.insync.replicas", "2"))
                .topic(StreamsCounter.COUNTS, topic -> topic.partitions(PARTITIONS)
                        .config("min.insync.replicas", "2"))
                .start()) {
            cluster = all;
            CountsReader committed = new CountsReader(cluster, "read_committed");
            CountsReader everything = new CountsReader(cluster, "read_uncommitted");
            try {
                startInstance(0, "first");
                startInstance(1, "second");
                sendAndKill(committed, everything);
                await("all is counted").atMost(PATIENCE).until(() -> committed.read() >= RECORDS);
                await("all is stable and read").atMost(PATIENCE).until(committed::isAtEnd);
                await("all is read").atMost(PATIENCE).until(everything::isAtEnd);
            } catch (Throwable e) {
                throw new AssertionError("The instances say:\n" + instances[0].output() + instances[1].output(), e);
            } finally {
                instances[0].close();
                instances[1].close();
            }

            if (RECORDS > SHORT_RUN) {
                System.out.printf(
                        "Seed %d: %d records in %d s; %d brokers and %d instances died; %d counts came out,"
                                + " %d were aborted%n",
                        SEED,
                        RECORDS,
                        (System.nanoTime() - started) / 1_000_000_000,
                        ROUNDS,
                        ROUNDS,
                        committed.size(),
                        everything.size() - committed.size());
            }
            assertThat(committed.counts().keySet()).isEqualTo(sentByKey.keySet());
            committed.counts().forEach((key, counts) -> assertThat(counts)
                    .as("counts of %s, with seed %d", key, SEED)
                    .isEqualTo(LongStream.rangeClosed(1, sentByKey.get(key))
                            .boxed()
                            .toList()));
            everything.counts().forEach((key, counts) -> assertThat(counts)
                    .as("counts of %s with those that were aborted", key)
                    .containsAll(committed.counts().get(key)));
        }
    }

    /** There is always work left when somebody dies: the records come bit by bit, in the middle of what goes wrong. */
    private void sendAndKill(CountsReader committed, CountsReader everything) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            boolean isHard = round % 2 == 0;
            int broker = 1 + random.nextInt(BROKERS);
            int instance = random.nextInt(instances.length);

            int before = sent;
            sendUpTo(part(3 * round + 1));
            int half = (before + sent) / 2;
            await("half of it is counted").atMost(PATIENCE).until(() -> committed.read() >= half);
            if (isHard) {
                cluster.broker(broker).kill();
            } else {
                cluster.broker(broker).stop();
            }
            sendUpTo(part(3 * round + 2));
            int more = Math.min(sent, everything.read() + (sent - before) / 4);
            await("something of the rest is written").atMost(PATIENCE).until(() -> everything.read() >= more);
            if (isHard) {
                instances[instance].close();
            } else {
                instances[instance].stop();
            }
            startInstance(instance, "instance-of-round-" + round);
            cluster.broker(broker).restart();
            sendUpTo(part(3 * round + 3));
            cluster.awaitHealthy(PATIENCE);
        }
    }

    private static int part(int number) {
        return (int) ((long) RECORDS * number / (3 * ROUNDS));
    }

    private void startInstance(int number, String name) throws Exception {
        instances[number] = StreamsCounter.start(cluster.bootstrapServers(), folder.resolve(name));
    }

    private void sendUpTo(int end) {
        Producer<String, String> producer =
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all", "linger.ms", "5"));
        for (; sent < end; sent++) {
            String key = "key-" + random.nextInt(KEYS);
            sentByKey.merge(key, 1L, Long::sum);
            producer.send(new ProducerRecord<>(StreamsCounter.WORDS, key, Integer.toString(sent)));
        }
        producer.flush();
    }
}
