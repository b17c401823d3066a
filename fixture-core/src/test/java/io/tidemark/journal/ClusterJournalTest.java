package io.tidemark.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.replication.ReplicaWatch;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.journal.ReplicaHistory.Moment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a cluster remembers of itself, and that it is never more than so much. */
class ClusterJournalTest {
    private static final int MANY = 200_000;

    private final AtomicLong nowMs = new AtomicLong(1_000);
    private final ClusterJournal journal = new ClusterJournal(nowMs::get);

    private static TopicPartition partition(String topic, int number) {
        return new TopicPartition(topic, number);
    }

    @Test
    void tellsHowFarEachReplicaWas() {
        journal.watch(2).onChanged(partition("orders", 0), false, 3, 2, 1);
        journal.watch(1).onChanged(partition("orders", 0), true, 3, 3, 3);

        assertThat(journal.histories())
                .containsExactly(
                        new ReplicaHistory("orders", 0, 1, List.of(new Moment(1_000, true, 3, 3, 3))),
                        new ReplicaHistory("orders", 0, 2, List.of(new Moment(1_000, false, 3, 2, 1))));
    }

    @Test
    void keepsOfOneMillisecondOnlyTheLast() {
        ReplicaWatch watch = journal.watch(1);
        watch.onChanged(partition("orders", 0), true, 1, 0, 0);
        watch.onChanged(partition("orders", 0), true, 2, 1, 1);
        nowMs.incrementAndGet();
        watch.onChanged(partition("orders", 0), true, 2, 2, 2);

        assertThat(journal.histories().get(0).moments())
                .containsExactly(new Moment(1_000, true, 2, 1, 1), new Moment(1_001, true, 2, 2, 2));
    }

    @Test
    void keepsEveryCutAndEveryChangeOfRole() {
        ReplicaWatch watch = journal.watch(1);
        watch.onChanged(partition("orders", 0), true, 5, 3, 3);
        watch.onChanged(partition("orders", 0), false, 5, 3, 3);
        watch.onChanged(partition("orders", 0), false, 3, 3, 3);

        assertThat(journal.histories().get(0).moments())
                .extracting(Moment::logEndOffset)
                .containsExactly(5L, 5L, 3L);
    }

    @Test
    void aLongHistoryGetsCoarserAndKeepsItsSpan() {
        ReplicaWatch watch = journal.watch(1);
        for (int offset = 1; offset <= MANY; offset++) {
            nowMs.addAndGet(3);
            watch.onChanged(partition("orders", 0), true, offset, offset, offset);
        }

        List<Moment> moments = journal.histories().get(0).moments();
        assertThat(moments).hasSizeBetween(100, 400);
        assertThat(moments.get(0).logEndOffset()).isLessThan(MANY / 100);
        assertThat(moments.get(moments.size() - 1).logEndOffset()).isEqualTo(MANY);
        assertThat(moments).isSortedAccordingTo((one, other) -> Long.compare(one.timestampMs(), other.timestampMs()));
    }

    @Test
    void aHistoryOfNothingButCutsIsBoundedToo() {
        ReplicaWatch watch = journal.watch(1);
        for (int i = 0; i < MANY; i++) {
            watch.onChanged(partition("orders", 0), i % 2 == 0, 5, 5, 5);
        }

        assertThat(journal.histories().get(0).moments()).hasSizeLessThanOrEqualTo(400);
    }

    @Test
    void leavesOutKafkasOwnTopicsAndReplicasBeyondThreeHundred() {
        for (int number = 0; number < 1_000; number++) {
            journal.watch(1).onChanged(partition("__consumer_offsets", number), true, 1, 1, 1);
            journal.watch(1).onChanged(partition("orders", number), true, 1, 1, 1);
        }

        assertThat(journal.histories()).hasSize(300).allSatisfy(history -> assertThat(history.topic())
                .isEqualTo("orders"));
    }

    @Test
    void keepsTheNewestConnectionsAndLines() {
        for (int i = 0; i < 5_000; i++) {
            journal.connection(1, "client-" + i + " connects");
            journal.lines(2).line("WARN", "LogCleaner", "line " + i);
        }

        assertThat(journal.connections()).hasSize(1_000);
        assertThat(journal.connections().get(999)).isEqualTo(new JournalEntry(1_000, 1, "client-4999 connects"));
        assertThat(journal.lines()).hasSize(1_000);
        assertThat(journal.lines().get(0)).isEqualTo(new JournalEntry(1_000, 2, "WARN LogCleaner: line 4000"));
    }

    @Test
    void cutsLongLines() {
        journal.lines(1).line("ERROR", "Log", "x".repeat(MANY));

        assertThat(journal.lines().get(0).text())
                .hasSize(403)
                .startsWith("ERROR Log: xxx")
                .endsWith("...");
    }

    @Test
    void forgetsReplicasAtAReset() {
        journal.watch(1).onChanged(partition("orders", 0), true, 1, 1, 1);
        journal.forgetReplicas();

        assertThat(journal.histories()).isEmpty();
    }
}
