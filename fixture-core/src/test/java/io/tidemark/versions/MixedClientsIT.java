package io.tidemark.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications on transactions version 1 (clients of 3.9) and on version 2 share a cluster, its topics and its ids. */
@Timeout(180)
class MixedClientsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String ORDERS = "orders";
    private static final String BOOKINGS = "bookings";

    private final List<TransactionalApplication> applications = new ArrayList<>();
    private Cluster cluster;
    private OldClients oldClients;

    @BeforeEach
    void startCluster() throws Exception {
        cluster = Cluster.builder()
                .brokers(3)
                .topic(ORDERS, topic -> topic.partitions(2).config("min.insync.replicas", "2"))
                .topic(BOOKINGS, topic -> topic.partitions(2).config("min.insync.replicas", "2"))
                .start();
        oldClients = new OldClients();
    }

    @AfterEach
    void closeAll() throws Exception {
        applications.forEach(TransactionalApplication::close);
        cluster.close();
        oldClients.close();
    }

    @Test
    void eachReadsWhatTheOtherCommitsAndNothingThatItAborts() throws Exception {
        TransactionalApplication old = oldOne("old");
        TransactionalApplication now = newOne("new");
        assertThat(old.version()).startsWith("3.9.");
        assertThat(now.version()).startsWith("4.");
        old.init();
        now.init();
        int oldEpoch = epoch("old");
        int newEpoch = epoch("new");

        for (int round = 0; round < 3; round++) {
            old.begin();
            now.begin();
            old.send(ORDERS, 0, "old-" + round);
            now.send(ORDERS, 0, "new-" + round);
            if (round == 1) {
                old.abort();
                now.commit();
            } else {
                now.commit();
                old.commit();
            }
        }
        now.begin();
        now.send(ORDERS, 0, "new-aborted");
        now.abort();
        // Open for ever: nothing of the next ones is stable.
        now.begin();
        now.send(ORDERS, 0, "new-open");
        old.begin();
        old.send(ORDERS, 0, "old-after-open");
        old.commit();

        awaitComplete("old");
        List<String> expected = List.of("old-0", "new-0", "new-1", "old-2", "new-2");
        assertThat(old.readCommitted(ORDERS, 0)).isEqualTo(expected);
        assertThat(now.readCommitted(ORDERS, 0)).isEqualTo(expected);
        assertThat(epoch("old")).as("on version 1 the epoch stays").isEqualTo(oldEpoch);
        assertThat(epoch("new"))
                .as("on version 2 it rises with each of the four ends")
                .isEqualTo(newEpoch + 4);
    }

    @Test
    void idThatMovesBetweenThemFencesWhoHadItEachTime() throws Exception {
        TransactionalApplication first = oldOne("payments");
        first.init();
        first.begin();
        first.send(ORDERS, 0, "first-open");

        TransactionalApplication second = newOne("payments");
        second.init();
        second.begin();
        second.send(ORDERS, 0, "second");
        assertFenced(() -> {
            first.send(ORDERS, 0, "first-late");
            first.commit();
        });
        second.commit();
        second.begin();
        second.send(ORDERS, 0, "second-open");

        TransactionalApplication third = oldOne("payments");
        third.init();
        third.begin();
        third.send(ORDERS, 0, "third");
        assertFenced(() -> {
            second.send(ORDERS, 0, "second-late");
            second.commit();
        });
        third.commit();
        third.begin();
        third.send(ORDERS, 0, "third-again");
        third.commit();

        awaitComplete("payments");
        List<String> expected = List.of("second", "third", "third-again");
        assertThat(third.readCommitted(ORDERS, 0)).isEqualTo(expected);
        assertThat(newOne("reader").readCommitted(ORDERS, 0)).isEqualTo(expected);
    }

    @Test
    void theyCopyATopicTogetherInOneGroupAndEachRecordComesOutOnce() throws Exception {
        List<TransactionalApplication> copiers = List.of(oldOne("copier-1"), newOne("copier-2"));
        for (TransactionalApplication copier : copiers) {
            copier.init();
            copier.subscribe("copiers", ORDERS);
        }
        // A rebalance needs both of them to ask.
        await("each has a partition").atMost(PATIENCE).until(() -> copiers.stream()
                .map(copier -> copier.assigned().size())
                .toList()
                .equals(List.of(1, 1)));
        TransactionalApplication source = oldOne("source");
        source.init();
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            source.begin();
            source.send(ORDERS, 0, "order-" + i);
            source.send(ORDERS, 1, "order-" + i);
            sent.add("order-" + i);
            source.commit();
        }

        int[] copied = new int[copiers.size()];
        await("all is copied").atMost(PATIENCE).until(() -> {
            for (int i = 0; i < copied.length; i++) {
                copied[i] += copiers.get(i).copyTo(BOOKINGS);
            }
            return copied[0] + copied[1] >= 2 * sent.size();
        });

        assertThat(copied).containsExactly(sent.size(), sent.size());
        awaitComplete("copier-1");
        awaitComplete("copier-2");
        for (TransactionalApplication reader : copiers) {
            assertThat(reader.readCommitted(BOOKINGS, 0)).isEqualTo(sent);
            assertThat(reader.readCommitted(BOOKINGS, 1)).isEqualTo(sent);
        }
        Admin admin = cluster.clients().admin();
        Map<TopicPartition, OffsetAndMetadata> offsets = admin.listConsumerGroupOffsets("copiers")
                .partitionsToOffsetAndMetadata()
                .get();
        // A marker stands behind each record.
        assertThat(offsets.values()).hasSize(2).allMatch(offset -> offset.offset() == 2L * sent.size() - 1);
    }

    // ---- words

    private TransactionalApplication oldOne(String transactionalId) throws Exception {
        return remember(oldClients.application(cluster.bootstrapServers(), transactionalId));
    }

    private TransactionalApplication newOne(String transactionalId) {
        return remember(new KafkaApplication(cluster.bootstrapServers(), transactionalId));
    }

    private TransactionalApplication remember(TransactionalApplication application) {
        applications.add(application);
        return application;
    }

    private int epoch(String transactionalId) {
        return cluster.transaction(transactionalId).snapshot().producerEpoch();
    }

    private void awaitComplete(String transactionalId) {
        await(transactionalId + " has all its markers")
                .atMost(PATIENCE)
                .until(() ->
                        cluster.transaction(transactionalId).snapshot().state().startsWith("Complete"));
    }

    /** By name, for the classes of old clients are others than those of new ones. */
    private static void assertFenced(ThrowingCallable work) {
        assertThatThrownBy(work).satisfies(fault -> assertThat(fault.getClass().getSimpleName())
                .isIn("ProducerFencedException", "InvalidProducerEpochException"));
    }
}
