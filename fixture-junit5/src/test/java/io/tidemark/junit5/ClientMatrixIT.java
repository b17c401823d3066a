package io.tidemark.junit5;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.clients.ClientConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The same test with several kafka-clients. Those of another version run with classes of their own, so that all they tell
 * goes through JUnit's reporter. All are one run, since each run has its own class loaders, which are slow at first.
 */
@ResourceLock(ClientMatrixIT.LOADERS)
class ClientMatrixIT {
    /** Locked by who looks at the class loaders of all threads, and by who has some. */
    static final String LOADERS = "class loaders of other clients";

    @TempDir
    private static Path folder;

    private static InnerRun all;

    @BeforeAll
    static void runAll() {
        all = InnerRun.withEvidenceIn(
                folder,
                Versions.class,
                Failing.class,
                Around.class,
                Again.class,
                PerClass.class,
                Faults.class,
                Aborted.class,
                Classic.class);
    }

    @Test
    void eachVersionRunsTheTestUnderItsName() {
        InnerRun run = all.in(Versions.class);

        run.passed(3);
        assertThat(run.told())
                .containsExactly(
                        "[1] brokers=1, controllers=1 apart, clients=2.8.2: 2.8.2 has read [order of 2.8.2]",
                        "[2] brokers=1, controllers=1 apart, clients=3.9.2: 3.9.2 has read [order of 3.9.2]",
                        "[3] brokers=1, controllers=1 apart, clients=4.4.0: 4.4.0 has read [order of 4.4.0]");
    }

    static class Versions {
        private Cluster cluster;

        @ClusterMatrix(clients = {"2.8.2", "3.9.2", "4.4.0"})
        @KafkaCluster(topics = @Topic(name = "orders"))
        void sendsAndReads(
                Producer<String, String> producer,
                Consumer<String, String> consumer,
                TestInfo info,
                TestReporter reporter)
                throws Exception {
            String version = LinkedClients.version();
            producer.send(new ProducerRecord<>("orders", "order of " + version)).get();
            assertThat(cluster.topic("orders")).hasValues("order of " + version);
            consumer.subscribe(List.of("orders"));
            List<String> read = new ArrayList<>();
            while (read.isEmpty()) {
                for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofSeconds(5))) {
                    read.add(each.value());
                }
            }
            reporter.publishEntry(info.getDisplayName() + ": " + version + " has read " + read);
        }
    }

    @Test
    void aFailureIsTheTestsOwnWithItsEvidence() throws Exception {
        Throwable failure = all.in(Failing.class).failure();

        assertThat(failure).isInstanceOf(AssertionError.class).hasMessageContaining("high watermark of orders-0");
        assertThat(failure.getStackTrace())
                .anySatisfy(frame -> assertThat(frame.getMethodName()).isEqualTo("failsInHere"));
        assertThat(failure.getSuppressed()).singleElement().asString().contains("orders-0: leader 1");
        try (var pages = Files.list(folder)) {
            assertThat(pages.map(page -> page.getFileName().toString()))
                    .singleElement()
                    .asString()
                    .startsWith("Failing.fails")
                    .contains("clients=2.8.2");
        }
    }

    static class Failing {
        @ClusterMatrix(clients = "2.8.2")
        @KafkaCluster(topics = @Topic(name = "orders"))
        void fails(Cluster cluster) {
            failsInHere(cluster);
        }

        private static void failsInHere(Cluster cluster) {
            assertThat(cluster.partition("orders", 0)).hasHighWatermark(7);
        }
    }

    @Test
    void everythingAroundTheTestRunsWithItsVersionAsForAPlainOne() {
        InnerRun run = all.in(Around.class);

        run.passed(2);
        assertThat(run.told())
                .containsExactly(
                        "extension 4.4.0",
                        "extension 2.8.2",
                        "each 2.8.2",
                        "test 2.8.2 of 1 test",
                        "after 2.8.2",
                        "extension 4.4.0",
                        "each 4.4.0",
                        "test 4.4.0 of 1 test",
                        "after 4.4.0");
    }

    /** Its frame is run out here too, with the clients of the class path, and its methods are not. */
    @ExtendWith(Telling.class)
    @KafkaCluster(name = "of the class")
    static class Around {
        @FromCluster("of the class")
        private static Cluster ofTheClass;

        private static int tests;

        @BeforeAll
        static void all(TestInfo info) {
            tests = 0;
            assertThat(ofTheClass.isClosed()).isFalse();
        }

        @BeforeEach
        void each(TestReporter reporter) {
            tests++;
            reporter.publishEntry("each " + LinkedClients.version());
        }

        @ClusterMatrix(clients = {"2.8.2", "4.4.0"})
        void test(Cluster cluster, TestReporter reporter) {
            assertThat(cluster.isClosed()).isFalse();
            assertThat(cluster).isNotSameAs(ofTheClass);
            reporter.publishEntry("test " + LinkedClients.version() + " of " + tests + " test");
        }

        @AfterEach
        void after(TestReporter reporter) {
            reporter.publishEntry("after " + LinkedClients.version());
        }

        @AfterAll
        static void still() {
            assertThat(ofTheClass.isClosed()).isFalse();
        }
    }

    static class Telling implements BeforeEachCallback {
        @Override
        public void beforeEach(ExtensionContext context) {
            context.publishReportEntry("extension", "extension " + LinkedClients.version());
        }
    }

    @Test
    void eachIsARunOfTheClassWithItsOwnClusterInStaticFields() {
        all.in(Again.class).passed(2);
    }

    @KafkaCluster
    static class Again {
        private static Cluster ofTheClass;

        @ClusterMatrix(
                clients = "2.8.2",
                configs = {"", "num.partitions=2"})
        void runs(Cluster cluster) {
            assertThat(ofTheClass.isClosed()).isFalse();
            assertThat(ofTheClass).isNotSameAs(cluster);
        }
    }

    @Test
    void instancesOfTheClassAndNestedClassesHaveIt() {
        InnerRun run = all.in(PerClass.class);

        run.passed(4);
        assertThat(run.told()).containsExactly("outer 2.8.2", "outer 3.9.2", "inner 2.8.2", "inner 3.9.2");
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @KafkaCluster
    static class PerClass {
        private Cluster ofTheClass;

        @ClusterMatrix(clients = {"2.8.2", "3.9.2"})
        void outer(Cluster cluster, TestReporter reporter) {
            assertThat(ofTheClass.isClosed()).isFalse();
            reporter.publishEntry("outer " + LinkedClients.version());
        }

        @Nested
        class Inner {
            @ClusterMatrix(clients = {"2.8.2", "3.9.2"})
            void inner(Cluster cluster, TestReporter reporter) {
                assertThat(cluster.isClosed()).isFalse();
                reporter.publishEntry("inner " + LinkedClients.version());
            }
        }
    }

    @Test
    void faultsStrikeAndAreMissedInIt() {
        InnerRun run = all.in(Faults.class);

        run.ended(2, 2, 0);
        assertThat(run.failure()).hasMessageContaining("hold: END_TXN struck nothing");
        assertThat(run.told()).containsExactly("one of 2.8.2", "one of 4.4.0");
    }

    @KafkaCluster(topics = @Topic(name = "orders"))
    static class Faults {
        @ClusterMatrix(clients = {"2.8.2", "4.4.0"})
        void strike(
                Cluster cluster,
                Chaos chaos,
                @ClientConfig("enable.idempotence=true") Producer<String, String> producer,
                TestReporter reporter)
                throws Exception {
            chaos.requests().on("PRODUCE").topic("orders").once().loseAnswer();
            producer.send(new ProducerRecord<>("orders", "value")).get();
            assertThat(cluster.partition("orders", 0)).hasHighWatermark(1);
            reporter.publishEntry("one of " + LinkedClients.version());
        }

        @ClusterMatrix(clients = {"2.8.2", "4.4.0"})
        void miss(Chaos chaos) {
            chaos.requests().on("END_TXN").hold();
        }
    }

    @Test
    void oneThatIsAbortedIsReportedAsThatAndLeavesNothing() {
        all.in(Aborted.class).ended(1, 0, 1);
    }

    static class Aborted {
        @ClusterMatrix(clients = {"2.8.2", "4.4.0"})
        void aborts(Cluster cluster) {
            assumeTrue(LinkedClients.version().equals("4.4.0"));
        }
    }

    @Test
    void severalAtOnceKeepTheirVersions() {
        InnerRun run = InnerRun.inParallel(Parallel.class);

        run.passed(6);
        assertThat(run.told()).hasSize(6).allSatisfy(line -> assertThat(line).matches(".*clients=(.*): \\1"));
    }

    static class Parallel {
        @ClusterMatrix(
                brokers = {1, 2, 3},
                clients = {"2.8.2", "3.9.2"})
        void atOnce(Cluster cluster, TestInfo info, TestReporter reporter) {
            assertThat(cluster).hasNoUnderReplicatedPartitions();
            reporter.publishEntry(info.getDisplayName() + ": " + LinkedClients.version());
        }
    }

    /** A thread keeps the class loader, and so all of its classes, that it was started with. */
    @Test
    void noThreadIsLeftThatWasStartedWithOtherClients() {
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getContextClassLoader() != null
                        && String.valueOf(thread.getContextClassLoader().getName())
                                .startsWith("with-kafka-clients-"));
    }

    @Test
    void theClassicProtocolIsForEveryVersion() {
        InnerRun run = all.in(Classic.class);

        run.passed(2);
        assertThat(run.told())
                .containsExactly(
                        "[1] brokers=1, controllers=1 apart, clients=2.8.2, group.protocol=classic",
                        "[2] brokers=1, controllers=1 apart, clients=4.4.0, group.protocol=classic");
    }

    static class Classic {
        @ClusterMatrix(
                clients = {"2.8.2", "4.4.0"},
                protocols = GroupProtocol.CLASSIC)
        void runs(
                Consumer<String, String> consumer,
                Producer<String, String> producer,
                TestInfo info,
                TestReporter reporter) {
            assertThat(consumer.groupMetadata().groupId()).isNotEmpty();
            assertThat(producer.metrics()).isNotEmpty();
            reporter.publishEntry(info.getDisplayName());
        }
    }
}
