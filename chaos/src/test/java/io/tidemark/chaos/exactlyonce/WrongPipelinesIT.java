package io.tidemark.chaos.exactlyonce;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.exactlyonce.Application.Body;
import io.tidemark.chaos.exactlyonce.Finding.Kind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The tester is tested: each of these pipelines is wrong in its own way, and is convicted of what it did with every seed that
 * is tried, one in the build and {@code -Dtidemark.wrong.seeds} of them otherwise.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
@Order(1)
class WrongPipelinesIT {
    private static final int SEEDS = Integer.getInteger("tidemark.wrong.seeds", 1);
    private static final int RECORDS = 60;

    private final AtomicInteger runs = new AtomicInteger();
    private Cluster cluster;

    @BeforeAll
    void startCluster() {
        cluster = newCluster("20000");
    }

    private static Cluster newCluster(String sessionTimeoutMs) {
        return Cluster.builder()
                .brokers(3)
                .config("broker.session.timeout.ms", sessionTimeoutMs)
                .config("group.min.session.timeout.ms", "500")
                .start();
    }

    @AfterAll
    void closeCluster() {
        cluster.close();
    }

    @Test
    void commitBeforeProcessingLoses() throws Exception {
        convict(1, WrongLoops::commitsBeforeProcessing, Kind.LOST);
    }

    @Test
    void automaticCommitWithAsyncWorkLoses() throws Exception {
        convict(1, WrongLoops::commitsAutomaticallyWithAsyncWork, Kind.LOST);
    }

    @Test
    void ignoredErrorsOfSendsLose() throws Exception {
        convict(1, WrongLoops::ignoresErrorsOfSends, Kind.LOST);
    }

    @Test
    void retryWithoutIdempotenceDuplicates() throws Exception {
        try (Chaos chaos = Chaos.on(cluster)) {
            AtomicInteger leader = new AtomicInteger();
            convict(
                    cluster,
                    1,
                    output -> WrongLoops.retriesWithoutIdempotence(
                            () -> pauseLeader(chaos, output, leader), () -> chaos.resume(leader.get())),
                    chaos::heal,
                    Kind.DUPLICATED);
        }
    }

    @Test
    void unorderedRetriesReorder() throws Exception {
        try (Cluster own = newCluster("1000");
                Chaos chaos = Chaos.on(own)) {
            AtomicInteger leader = new AtomicInteger();
            convict(
                    own,
                    1,
                    output -> WrongLoops.retriesOutOfOrder(() -> pauseLeader(chaos, output, leader), () -> {
                        chaos.kill(leader.get());
                        assertThat(output).eventually().hasLeaderEpoch(1);
                    }),
                    chaos::heal,
                    Kind.REORDERED,
                    // What is sent again without idempotence may be there twice, too.
                    Kind.DUPLICATED);
        }
    }

    @Test
    void noFencingDuplicates() throws Exception {
        convictTransactional(2, WrongPipelines::isNeverFenced, Kind.DUPLICATED);
    }

    @Test
    void offsetsOutsideOfTheTransactionAreApart() throws Exception {
        convictTransactional(
                1, WrongPipelines::commitsOffsetsOutsideOfTheTransaction, Kind.DUPLICATED, Kind.OFFSETS_APART);
    }

    @Test
    void outputOutsideOfTheTransactionIsApart() throws Exception {
        convictTransactional(1, WrongPipelines::writesOutsideOfTheTransaction, Kind.OFFSETS_APART);
    }

    @Test
    void wrongIsolationShowsWhatWasAborted() throws Exception {
        convictTransactional(1, WrongPipelines::readsUncommitted, Kind.ABORTED_VISIBLE);
    }

    @Test
    void swallowedAbortLoses() throws Exception {
        convictTransactional(1, WrongPipelines::swallowsAnAbort, Kind.LOST);
    }

    @Test
    void sharedTransactionalIdLoses() throws Exception {
        convictTransactional(1, WrongPipelines::sharesATransactionalId, Kind.LOST);
    }

    @Test
    void seekPastAnErrorLoses() throws Exception {
        convictTransactional(1, WrongPipelines::seeksPastAnError, Kind.LOST);
    }

    @Test
    void ownOutputWithoutIsolationLoses() throws Exception {
        convictTransactional(1, WrongPipelines::readsItsOwnOutputUncommitted, Kind.LOST);
    }

    @Test
    void lastOffsetInPlaceOfTheNextDuplicates() throws Exception {
        convictTransactional(1, WrongPipelines::commitsTheLastOffset, Kind.DUPLICATED, Kind.OFFSETS_APART);
    }

    @Test
    void keyInSeveralThreadsReorders() throws Exception {
        convictTransactional(1, WrongPipelines::processesAKeyInSeveralThreads, Kind.REORDERED);
    }

    // ---- words

    private static void pauseLeader(Chaos chaos, PartitionHandle output, AtomicInteger leader) {
        leader.set(output.leader());
        chaos.pause(leader.get());
    }

    private void convictTransactional(int instances, Supplier<Body> making, Kind... kinds) throws Exception {
        convict(cluster, true, instances, output -> making.get(), () -> {}, kinds);
    }

    private void convict(int instances, Supplier<Body> making, Kind... kinds) throws Exception {
        convict(cluster, false, instances, output -> making.get(), () -> {}, kinds);
    }

    private void convict(
            Cluster on, int instances, Function<PartitionHandle, Body> making, Runnable afterwards, Kind... kinds)
            throws Exception {
        convict(on, false, instances, making, afterwards, kinds);
    }

    /**
     * @param making the pipeline, made anew for each seed, with what it writes to
     * @param afterwards mends what it has done to the cluster
     */
    private void convict(
            Cluster on,
            boolean isTransactional,
            int instances,
            Function<PartitionHandle, Body> making,
            Runnable afterwards,
            Kind... kinds)
            throws Exception {
        for (long seed = 1; seed <= SEEDS; seed++) {
            String name = "run-" + runs.incrementAndGet();
            on.createTopic(name + "-in", topic -> topic.partitions(2));
            on.createTopic(name + "-out", topic -> topic.partitions(1));
            Body body = making.apply(on.partition(name + "-out", 0));
            ExactlyOnce check = ExactlyOnce.on(on)
                    .from(name + "-in")
                    .to(name + "-out")
                    .group(name)
                    .records(RECORDS)
                    .keys(2)
                    .seed(seed)
                    .patience(Duration.ofSeconds(10))
                    .pipeline(instances, instance -> new Application(instance, body));
            ExactlyOnceVerdict verdict = isTransactional
                    ? check.verdict()
                    : check.withoutTransactions().verdict();
            afterwards.run();
            if (Boolean.getBoolean("tidemark.wrong.print")) {
                System.out.println(verdict.report());
            }
            assertThat(verdict.kinds())
                    .as("with seed %d:\n%s", seed, verdict.report())
                    .contains(kinds[0])
                    .isSubsetOf(kinds);
        }
    }
}
