package io.tidemark.assertions;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.Cluster;
import io.tidemark.LinkFault;
import io.tidemark.OpenTransaction;
import io.tidemark.OrphanTransaction;
import io.tidemark.PartitionHandle;
import io.tidemark.TransactionHandle;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Producers and transactions as assertions see them, with a topic and an id of its own for each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class ProducerAndTransactionAssertIT {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(30);

    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder().brokers(2).seed(11).start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void idempotentProducersAreSeenWithTheirSequences() throws Exception {
        PartitionHandle partition = partition();
        assertThat(partition).hasProducers().hasNoOpenTransactions().hasOrphanTransactions(0);
        Producer<String, String> producer = cluster.clients().producer(String.class, String.class);
        for (int i = 0; i < 3; i++) {
            producer.send(new ProducerRecord<>(partition.topic(), "key", "value"))
                    .get();
        }
        long id = partition.producers().get(0).producerId();

        assertThat(partition).hasProducers(id).hasProducerEpoch(id, 0).hasLastSequence(id, 2);
        assertFails(() -> assertThat(partition).hasLastSequence(id, 3), "but it was:\n  2\n");
        assertFails(
                () -> assertThat(partition).eventually(SHORT).hasProducerEpoch(id + 1, 0),
                "none, as the leader does not know that producer");
        assertFails(
                () -> assertThat(partition).eventually(LONG).hasProducerEpoch(id, -1),
                "and it never will be: the epoch of a producer id never goes back");
    }

    @Test
    void anOpenTransactionIsSeenFromBothSides() {
        PartitionHandle partition = partition();
        TransactionHandle payments = cluster.transaction("open");
        assertFails(
                () -> assertThat(payments).eventually(SHORT).hasState("Empty"),
                "unknown, as there is no such transactional id at a coordinator that can be asked");

        OpenTransaction open = cluster.transactions().open("open", partition, "one", "two");
        long id = open.producerId();

        assertThat(payments)
                .hasState("Ongoing")
                .hasPartitions(partition.toString())
                .hasProducerId(id)
                .hasProducerEpoch(open.producerEpoch())
                .hasTimeout(Duration.ofMinutes(1))
                .hasCoordinator(payments.coordinator())
                .isNotHanging();
        assertThat(partition)
                .hasOpenTransactions(1)
                .hasOpenTransaction(id, 0)
                .hasOrphanTransactions(0)
                .eventually()
                .hasHighWatermark(2);
        assertThat(cluster.topic(partition.topic()))
                .hasRecords(2)
                .readCommitted()
                .hasRecords(0)
                .readUncommitted()
                .hasValues("one", "two");
        assertFails(
                () -> assertThat(cluster.topic(partition.topic()))
                        .readCommitted()
                        .hasValues("one", "two"),
                "values in read_committed of topic");
        assertFails(
                () -> assertThat(payments).eventually(LONG).hasProducerEpoch(open.producerEpoch() - 1),
                "and it never will be: the epoch of a producer id never goes back");

        open.abort();

        assertThat(payments)
                .eventually()
                .hasState("CompleteAbort")
                .hasPartitions()
                .isNotHanging();
        assertThat(partition).eventually().hasNoOpenTransactions().hasLastStableOffset(3);
        assertThat(cluster.topic(partition.topic()))
                .hasRecords(2)
                .readCommitted()
                .hasRecords(0);
        OpenTransaction second = cluster.transactions().open("open", partition, "three");
        second.commit();
        assertThat(cluster.topic(partition.topic()))
                .eventually()
                .readCommitted()
                .hasValues("three");
    }

    @Test
    void aFailureShowsThePartitionAndItsProducers() {
        PartitionHandle partition = partition();
        OpenTransaction open = cluster.transactions().open("golden", partition, "one");
        assertThat(partition)
                .eventually()
                .hasHighWatermark(1)
                .hasLogEndOffset(1, 1)
                .hasLogEndOffset(2, 1);
        int leader = partition.leader();
        long id = open.producerId();

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(partition).eventually(SHORT).hasNoOpenTransactions())
                .withMessageMatching("""

                        Expecting open transactions of %1$s eventually to be:
                          0
                        but it was:
                          1: \\[producer %2$d epoch 0, last sequence 0, transaction open from 0\\]
                        after 50 ms\\.

                        %1$s: leader %3$d, leader epoch 0, ISR \\[1, 2\\], replicas \\[[12], [12]\\], partition epoch \\d+
                          broker %3$d  leader    epoch 0  log 0\\.\\.1  high watermark 1
                          broker \\d  follower  epoch 0  log 0\\.\\.1  high watermark 1
                          producer %2$d epoch 0, last sequence 0, transaction open from 0
                        seed 11
                        """.formatted(partition, id, leader));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(cluster.transaction("golden")).hasState("CompleteCommit"))
                .withMessageMatching("""

                        Expecting state of transactional id golden to be:
                          CompleteCommit
                        but it was:
                          Ongoing

                        transactional id golden: Ongoing on broker [12], producer id %d, producer epoch 0, timeout \
                        60000 ms, open since .*Z, partitions \\[%s\\]
                        """.formatted(id, partition));
        open.abort();
    }

    @Test
    void heldMarkersAreAHangingTransaction() {
        PartitionHandle partition = partition();
        OpenTransaction open = cluster.transactions().open("held", partition, "one");
        TransactionHandle held = cluster.transaction("held");
        assertFails(() -> assertThat(held).isHanging(), "not hanging, Ongoing");
        try (LinkFault fault = cluster.transactions().holdMarkers(held.coordinator())) {
            open.commit();

            assertThat(held).hasState("PrepareCommit").isHanging();
            assertFails(() -> assertThat(held).eventually(SHORT).isNotHanging(), "hanging, PrepareCommit");
            // The coordinator knows of it, so that it is nobody's orphan.
            assertThat(partition).hasOpenTransactions(1).hasOrphanTransactions(0);
            assertThat(fault).isNotNull();
        }
        assertThat(held).eventually().isNotHanging().hasState("CompleteCommit");
    }

    @Test
    void anOrphanIsATransactionThatNoCoordinatorKnows() {
        PartitionHandle partition = partition();
        OrphanTransaction orphan = cluster.transactions().orphan(partition, "one");

        assertThat(partition).hasOpenTransaction(orphan.producerId(), 0).hasOrphanTransactions(1);
        assertFails(
                () -> assertThat(partition).eventually(SHORT).hasOrphanTransactions(0),
                "1: [producer " + orphan.producerId());
    }

    @Test
    void anEarlierTransactionOfAProducerDoesNotComeAgain() {
        PartitionHandle partition = partition();
        OpenTransaction first = cluster.transactions().open("follows", partition, "one");
        first.commit();
        assertThat(partition).eventually().hasNoOpenTransactions();
        OpenTransaction second = cluster.transactions().open("follows", partition, "two");

        assertThat(partition).hasOpenTransaction(second.producerId(), second.firstOffset());
        assertFails(
                () -> assertThat(partition).eventually(LONG).hasOpenTransaction(second.producerId(), 0),
                "and it never will be: the transactions of a producer follow one another");
        second.abort();
    }

    @Test
    void aStateThatKafkaDoesNotHaveIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        assertThat(cluster.transaction("any")).eventually(LONG).hasState("Commited"))
                .withMessage("There is no state of a transaction [Commited]; Kafka has [Empty, Ongoing, PrepareCommit,"
                        + " PrepareAbort, CompleteCommit, CompleteAbort]");
    }

    private PartitionHandle partition() {
        return cluster.partition(cluster.createTopic(topic -> {}), 0);
    }

    private static void assertFails(ThrowableAssert.ThrowingCallable assertion, String says) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(says);
    }
}
