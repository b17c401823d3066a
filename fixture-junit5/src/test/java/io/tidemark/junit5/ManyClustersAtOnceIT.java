package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A suite of many tests, several at a time and each with its own cluster of three brokers, leaves nothing behind. */
@Isolated
class ManyClustersAtOnceIT {
    private static final int TESTS = 24;
    private static final int AT_ONCE = 6;

    @Test
    void leaveNothing() throws IOException {
        // So that what the JVM and the libraries set up once and for all is there before anything is counted.
        InnerRun.inParallel(AT_ONCE, One.class).passed(1);
        Orders.FOLDERS.clear();
        Set<String> threads = threads();
        Set<String> sockets = sockets();

        InnerRun.inParallel(AT_ONCE, Orders.class).passed(TESTS);

        assertThat(Set.copyOf(Orders.FOLDERS)).as("each test its own").hasSize(TESTS);
        assertThat(Orders.FOLDERS).allSatisfy(folder -> assertThat(folder).doesNotExist());
        // JUnit's own workers go a moment after the run.
        Awaitility.await("no thread more than before")
                .pollInSameThread()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
        // A port that is still held is a socket; it is not bound here, since another process may have it by now.
        assertThat(sockets()).as("open sockets").isSubsetOf(sockets);
    }

    static class Orders {
        static final Queue<Path> FOLDERS = new ConcurrentLinkedQueue<>();

        @RepeatedTest(TESTS)
        @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
        void areKept(Cluster cluster, Producer<String, String> producer) throws Exception {
            FOLDERS.add(cluster.directory());
            producer.send(new ProducerRecord<>("orders", "order")).get();
            assertThat(cluster.partition("orders", 0))
                    .eventually()
                    .hasHighWatermark(1)
                    .hasIsr(1, 2, 3);
        }
    }

    static class One {
        @Test
        @KafkaCluster(brokers = 3, topics = @Topic(name = "orders"))
        void warmsUp(Cluster cluster, Producer<String, String> producer) throws Exception {
            producer.send(new ProducerRecord<>("orders", "order")).get();
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(thread -> thread.getName() + " #" + thread.getId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Empty where the system does not tell. */
    private static Set<String> sockets() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return Set.of();
        }
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.map(ManyClustersAtOnceIT::targetOf)
                    .filter(target -> target.startsWith("socket:") || target.startsWith("anon_inode:"))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static String targetOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // Closed since it was listed.
            return "";
        }
    }
}
