package io.tidemark.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.NodeState;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.ReplicaState.ReplicaLog;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.journal.ReplicaHistory;
import io.tidemark.journal.ReplicaHistory.Moment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the evidence of a failure says, word for word and stroke for stroke. Where it is meant to change, the new files are
 * written beside the sources with {@code -Dtidemark.golden.write=true}; look at the page before you commit it.
 */
class EvidenceTest {
    private static final long START_MS = 1_700_000_000_000L;

    @TempDir
    private Path folder;

    private final List<TimelineEvent> events = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {"cluster.txt", "cluster.html"})
    void tellsWhatWentWrong(String file) throws IOException {
        evidence().writeTo(folder);

        String told = Files.readString(folder.resolve(file));
        if (Boolean.getBoolean("tidemark.golden.write")) {
            Files.writeString(Path.of("src/test/resources/io/tidemark/evidence", file), told);
        }
        assertThat(told).isEqualTo(golden(file));
    }

    @Test
    void theConsoleIsToldTheMostTelling() {
        assertThat(evidence().findings()).isEqualTo("""
                  orders-0 refuses writes with acks=all since +900 ms: its ISR [2] is smaller than min.insync.replicas 2; out of sync: broker 1 (killed) and broker 3
                  orders-0: records 7 to 8 are in the leader's log and not committed
                  orders-0: read_committed consumers stop at offset 4 of 7, held up by transaction import, Ongoing since +300 ms
                  Group billing had no member from +510 ms to +950 ms; it went on where it had committed: orders-0 at offset 3
                  Group billing has not committed all that there is: 3 of 7 in orders-0
                  Struck by faults: node 2 lose the answer: PRODUCE struck PRODUCE v12 of [shop] to node 2 about orders-0 at +540 ms; node 2 lose the answer: PRODUCE struck PRODUCE v12 of [shop] to node 2, the last of 9 more at +560 ms; link 2 -> 3 stallReplication(3) struck replica-fetcher at +940 ms
                  Done to the cluster: broker 1 killed at +500 ms; requests lose the answer: PRODUCE at +520 ms; requests healed lose the answer: PRODUCE at +570 ms; links stallReplication(3) still on, struck 2 times at +1000 ms
                """);
        assertThat(evidence().lastEvents()).isEqualTo("""
                  +540 ms  STRIKE node 2: lose the answer: PRODUCE struck PRODUCE v12 of [shop] to node 2 about orders-0
                  +560 ms  STRIKE node 2: lose the answer: PRODUCE struck PRODUCE v12 of [shop] to node 2, the last of 9 more
                  +570 ms  FAULT requests: healed lose the answer: PRODUCE
                  +600 ms  LEADER orders-0: leader 2, leader epoch 1, ISR [2, 3]
                  +900 ms  ISR orders-0: ISR [2]
                  +940 ms  STRIKE link 2 -> 3: stallReplication(3) struck replica-fetcher
                  +950 ms  GROUP billing: generation 3 with 1 member
                  +1000 ms  FAULT links: stallReplication(3) still on, struck 2 times
                """);
    }

    @Test
    void saysThatAPartitionHasNoLeader() {
        leader(700, 0, "leader none, leader epoch 2, ISR [1]");
        Evidence evidence = evidenceOf(new PartitionState(
                "orders", 0, "id", OptionalInt.empty(), 2, 3, List.of(1), List.of(), replicas(), false, 12, 7));

        assertThat(evidence.findings())
                .startsWith(
                        "  orders-0 has no leader since +0 ms: nobody can write to it or read from it. Its ISR is [1]");
    }

    @Test
    void namesRecordsOfATransactionThatNobodyKnows() {
        add(0, Kind.TRANSACTION, "shop", "Ongoing with orders-0");
        add(5, Kind.TRANSACTION, "shop", "CompleteCommit");

        assertThat(evidenceOf(partition()).findings())
                .contains("held up by records of a transaction that no coordinator has open");
    }

    @Test
    void saysNothingOfAClusterThatIsWell() {
        PartitionState well = new PartitionState(
                "orders",
                0,
                "id",
                OptionalInt.of(1),
                0,
                0,
                List.of(1),
                List.of(),
                List.of(new ReplicaState(1, NodeState.RUNNING, new ReplicaLog(true, 0, 0, 3, 3, 3))),
                false,
                12,
                7);

        assertThat(evidenceOf(well).findings()).isEmpty();
    }

    /** The leader is killed while a transaction is open, and the only other replica in sync gets nothing any more. */
    private Evidence evidence() {
        events.clear();
        leader(0, 1, "leader 1, leader epoch 0, ISR [1, 2, 3]");
        add(1, Kind.CONFIG, "topic [orders]", "min.insync.replicas=2");
        add(50, Kind.CONNECTION, "broker 1", "producer-1 connects");
        add(100, Kind.TRANSACTION, "shop", "Ongoing with orders-0");
        add(180, Kind.TRANSACTION, "shop", "CompleteCommit");
        add(300, Kind.TRANSACTION, "import", "Ongoing with orders-0");
        add(400, Kind.OFFSET, "billing", "committed 3 of orders-0");
        add(500, Kind.FAULT, "broker 1", "killed");
        add(510, Kind.GROUP, "billing", "generation 2 with 0 members");
        add(520, Kind.FAULT, "requests", "lose the answer: PRODUCE");
        add(
                540,
                Kind.STRIKE,
                "node 2",
                "lose the answer: PRODUCE struck PRODUCE v12 of [shop] to node 2 about orders-0");
        add(
                560,
                Kind.STRIKE,
                "node 2",
                "lose the answer: PRODUCE struck PRODUCE v12 of [shop] to node 2, the last of 9 more");
        add(570, Kind.FAULT, "requests", "healed lose the answer: PRODUCE");
        add(590, Kind.LOG, "controller 1001", "INFO ControllerNode: fences <broker 1>");
        leader(600, 2, "leader 2, leader epoch 1, ISR [2, 3]");
        add(900, Kind.ISR, "orders-0", "ISR [2]");
        add(910, Kind.LOG, "broker 3", "WARN ReplicaFetcher: nothing from broker 2");
        add(940, Kind.STRIKE, "link 2 -> 3", "stallReplication(3) struck replica-fetcher");
        add(950, Kind.GROUP, "billing", "generation 3 with 1 member");
        add(1_000, Kind.FAULT, "links", "stallReplication(3) still on, struck 2 times");
        return evidenceOf(partition());
    }

    private Evidence evidenceOf(PartitionState partition) {
        return new Evidence(
                "OrdersTest.ordersAreKept",
                "Cluster abc (seed 7)",
                events,
                List.of(partition),
                new TreeMap<>(),
                List.of(
                        history(1, moment(0, true, 0, 0, 0), moment(100, true, 2, 0, 0), moment(200, true, 4, 4, 4)),
                        history(
                                2,
                                moment(110, false, 2, 0, 0),
                                moment(210, false, 4, 4, 4),
                                moment(600, true, 7, 7, 4),
                                moment(700, true, 9, 7, 4)),
                        history(3, moment(120, false, 2, 0, 0), moment(620, false, 7, 7, 4))),
                "java.lang.AssertionError: 3 orders < 9\n\tat OrdersTest.ordersAreKept(OrdersTest.java:12)\n");
    }

    private static PartitionState partition() {
        return new PartitionState(
                "orders", 0, "id", OptionalInt.of(2), 1, 2, List.of(2), List.of(), replicas(), false, 12, 7);
    }

    private static List<ReplicaState> replicas() {
        return List.of(
                new ReplicaState(1, NodeState.KILLED, null),
                new ReplicaState(2, NodeState.RUNNING, new ReplicaLog(true, 1, 0, 9, 7, 4)),
                new ReplicaState(3, NodeState.RUNNING, new ReplicaLog(false, 1, 0, 7, 7, 4)));
    }

    private void leader(long afterMs, int leader, String text) {
        events.add(new TimelineEvent(
                START_MS + afterMs,
                Kind.LEADER,
                "orders-0",
                text,
                leader > 0 ? OptionalInt.of(leader) : OptionalInt.empty()));
    }

    private void add(long afterMs, Kind kind, String subject, String text) {
        events.add(new TimelineEvent(START_MS + afterMs, kind, subject, text, OptionalInt.empty()));
    }

    private static ReplicaHistory history(int brokerId, Moment... moments) {
        return new ReplicaHistory("orders", 0, brokerId, List.of(moments));
    }

    private static Moment moment(long afterMs, boolean leads, long end, long highWatermark, long stable) {
        return new Moment(START_MS + afterMs, leads, end, highWatermark, stable);
    }

    private static String golden(String file) throws IOException {
        try (InputStream in = EvidenceTest.class.getResourceAsStream(file)) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
