package io.tidemark.beside.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Kills the leader of a partition of three replicas again and again, and takes the time from the kill to the
 * acknowledgement of the next write with acks=all. Arguments: the kills per contender, Apache Kafka's version.
 */
final class FailoverBenchmark {
    private static final String TOPIC = "failover";
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private FailoverBenchmark() {}

    public static void main(String[] args) throws Exception {
        int kills = Integer.parseInt(args[0]);
        List<Double> ours;
        try (FailoverContender tidemark = new TidemarkFailover()) {
            ours = measure(tidemark, kills);
        }
        List<Double> theirs;
        try (FailoverContender kafka = new KafkaFailover()) {
            theirs = measure(kafka, kills);
        }
        System.out.printf(
                "Kill to the next acknowledged write; broker.session.timeout.ms=1000; Java %s, %d cores; ms%n",
                System.getProperty("java.version"), Runtime.getRuntime().availableProcessors());
        print("tidemark, in one JVM", ours);
        print("Apache Kafka " + args[1] + ", processes", theirs);
        System.exit(0);
    }

    private static List<Double> measure(FailoverContender cluster, int kills) throws Exception {
        Map<String, Object> address = Map.of("bootstrap.servers", cluster.bootstrapServers());
        List<Double> tookMs = new ArrayList<>();
        try (Admin admin = Admin.create(address);
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(address, new StringSerializer(), new StringSerializer())) {
            createTopic(admin);
            // The first round is to warm up.
            for (int round = 0; round <= kills; round++) {
                int leader = awaitFullIsr(admin).leader().id();
                send(producer);
                cluster.kill(leader);
                long killedNanos = System.nanoTime();
                send(producer);
                long tookNanos = System.nanoTime() - killedNanos;
                cluster.restart(leader);
                if (round > 0) {
                    tookMs.add(tookNanos / 1e6);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException("The measurement failed. " + cluster.output(), e);
        }
        return tookMs;
    }

    private static void send(KafkaProducer<String, String> producer) throws ExecutionException, InterruptedException {
        producer.send(new ProducerRecord<>(TOPIC, 0, "key", "value")).get();
    }

    /** As soon as the brokers are there. */
    private static void createTopic(Admin admin) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (admin.describeCluster().nodes().get().size() < 3) {
            pause(deadline, "three brokers");
        }
        admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 3).configs(Map.of("min.insync.replicas", "2"))))
                .all()
                .get();
    }

    private static TopicPartitionInfo awaitFullIsr(Admin admin) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            TopicPartitionInfo partition = admin.describeTopics(List.of(TOPIC))
                    .allTopicNames()
                    .get()
                    .get(TOPIC)
                    .partitions()
                    .get(0);
            if (partition.isr().size() == 3 && partition.leader() != null) {
                return partition;
            }
            pause(deadline, "a full ISR");
        }
    }

    private static void pause(long deadline, String wanted) throws InterruptedException {
        if (System.nanoTime() > deadline) {
            throw new IllegalStateException("Waited " + LIMIT + " for " + wanted);
        }
        TimeUnit.MILLISECONDS.sleep(100);
    }

    private static void print(String contender, List<Double> tookMs) {
        double[] sorted =
                tookMs.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double middle = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        System.out.printf(
                "%-34s n %d  median %.0f (%.0f to %.0f)%n",
                contender, sorted.length, middle, sorted[0], sorted[sorted.length - 1]);
    }
}
