package io.tidemark.chaos.history;

import static io.tidemark.chaos.history.Anomaly.Kind.ABORTED_READ;
import static io.tidemark.chaos.history.Anomaly.Kind.CIRCULAR_FLOW;
import static io.tidemark.chaos.history.Anomaly.Kind.DUPLICATE;
import static io.tidemark.chaos.history.Anomaly.Kind.INCONSISTENT_OFFSETS;
import static io.tidemark.chaos.history.Anomaly.Kind.INTERNAL_NONMONOTONIC_POLL;
import static io.tidemark.chaos.history.Anomaly.Kind.INTERNAL_NONMONOTONIC_SEND;
import static io.tidemark.chaos.history.Anomaly.Kind.INTERNAL_POLL_SKIP;
import static io.tidemark.chaos.history.Anomaly.Kind.LOST_WRITE;
import static io.tidemark.chaos.history.Anomaly.Kind.NONMONOTONIC_POLL;
import static io.tidemark.chaos.history.Anomaly.Kind.NONMONOTONIC_SEND;
import static io.tidemark.chaos.history.Anomaly.Kind.POLL_SKIP;
import static io.tidemark.chaos.history.Anomaly.Kind.PRECOMMITTED_READ;
import static io.tidemark.chaos.history.Anomaly.Kind.TORN_TRANSACTION;
import static io.tidemark.chaos.history.Anomaly.Kind.UNSEEN;
import static io.tidemark.chaos.history.Anomaly.Kind.UNWRITTEN_READ;
import static io.tidemark.chaos.history.Anomaly.Kind.WRITE_CYCLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.history.Anomaly.Kind;
import io.tidemark.chaos.history.History.Seen;
import io.tidemark.chaos.history.HistoryRecorder.OpenSend;
import io.tidemark.chaos.history.HistoryRecorder.OpenTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each anomaly in a history made by hand, and a neighbour of it in which there is none. */
class HistoryCheckerTest {
    private static final String ORDERS = "orders-0";
    private static final String BILLS = "bills-0";

    private final HistoryRecorder recorder = new HistoryRecorder();

    // ---- lost and unseen

    @Test
    void acknowledgedWriteThatAReaderPassesOverIsLost() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        written("shop", ORDERS, 2, "c");
        polled("reader", ORDERS, 0, "a");
        recorder.positioned("reader", ORDERS, 1);
        polled("reader", ORDERS, 2, "c");

        HistoryVerdict verdict = verdict();
        assertThat(verdict.kinds()).containsExactly(LOST_WRITE);
        assertThat(verdict.faults().get(0).evidence()).contains("[b]", "offset 1", "went from 1 to 3 without it");
    }

    @Test
    void gapThatNobodyAccountsForIsAMarker() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 2, "c");
        polled("reader", ORDERS, 0, "a", 2, "c");

        assertHolds();
    }

    @Test
    void whatLiesBeforeAReadersFirstRecordIsNotLostAndNotKnownEither() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("late reader", ORDERS, 1, "b");

        assertThat(verdict().faults()).isEmpty();
        assertThat(verdict().conclusion()).isEqualTo(Conclusion.INDETERMINATE);
        assertThat(verdict().unknown().get(0)).contains("[a]", "read to the end to know");
    }

    @Test
    void whatIsMissingInALogThatWasReadFromItsStartIsLost() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("auditor", ORDERS, 1, "b");
        recorder.logEnd("auditor", ORDERS, 0, 2);

        assertKinds(LOST_WRITE);
    }

    @Test
    void whatRetentionHasDeletedIsNotLost() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("auditor", ORDERS, 1, "b");
        recorder.logEnd("auditor", ORDERS, 1, 2);

        assertThat(verdict().faults()).isEmpty();
    }

    @Test
    void acknowledgedWriteBeyondTheEndOfTheLogIsUnseen() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("auditor", ORDERS, 0, "a");
        recorder.logEnd("auditor", ORDERS, 0, 1);

        assertKinds(UNSEEN);
    }

    @Test
    void writeThatNobodyToldOfIsNoFaultThereOrNot() {
        recorder.send("shop", null, ORDERS, null, "there").indeterminate("TimeoutException");
        recorder.send("shop", null, ORDERS, null, "not there");
        polled("auditor", ORDERS, 0, "there");
        recorder.logEnd("auditor", ORDERS, 0, 1);

        HistoryVerdict verdict = verdict();
        assertThat(verdict.conclusion()).isEqualTo(Conclusion.INDETERMINATE);
        assertThat(verdict.unknown())
                .containsExactly(
                        "nobody told of [there]: it is there (TimeoutException)",
                        "nobody told of [not there]: it is not there, and may still come");
        assertThatCode(verdict::assertHolds).doesNotThrowAnyException();
    }

    @Test
    void compactionMayTakeWhatHasANewerRecordOfItsKey() {
        recorder.send("shop", null, ORDERS, "key", "old").ok(ORDERS, 0);
        recorder.send("shop", null, ORDERS, "key", "new").ok(ORDERS, 1);
        recorder.polled("auditor", true, List.of(new Seen(ORDERS, 1, "key", "new")));
        recorder.logEnd("auditor", ORDERS, 0, 2);

        assertKinds(LOST_WRITE);
        assertThat(verdict(Allowances.none().compacted(ORDERS)).anomalies()).isEmpty();
    }

    @Test
    void compactionMayNotTakeTheLastOfAKey() {
        recorder.send("shop", null, ORDERS, "other", "old").ok(ORDERS, 0);
        recorder.send("shop", null, ORDERS, "key", "new").ok(ORDERS, 1);
        recorder.polled("auditor", true, List.of(new Seen(ORDERS, 1, "key", "new")));
        recorder.logEnd("auditor", ORDERS, 0, 2);

        assertThat(verdict(Allowances.none().compacted(ORDERS)).kinds()).containsExactly(LOST_WRITE);
    }

    // ---- doubled, and several at one offset

    @Test
    void oneValueAtTwoOffsetsIsADuplicate() {
        written("shop", ORDERS, 0, "a");
        polled("reader", ORDERS, 0, "a", 1, "a");

        assertKinds(DUPLICATE);
    }

    @Test
    void oneRecordThatTwoReadersSeeIsNoDuplicate() {
        written("shop", ORDERS, 0, "a");
        polled("reader", ORDERS, 0, "a");
        polled("other reader", ORDERS, 0, "a");

        assertHolds();
    }

    @Test
    void recordThatIsSentAgainAfterAnAbortIsNoDuplicateToWhoReadsUncommitted() {
        OpenTransaction first = recorder.begin("shop");
        recorder.send("shop", first, ORDERS, null, "a").ok(ORDERS, 0);
        first.aborted();
        OpenTransaction second = recorder.begin("shop");
        recorder.send("shop", second, ORDERS, null, "a").ok(ORDERS, 2);
        second.committing();
        second.committed();
        recorder.polled("spy", false, seen(ORDERS, 0, "a", 2, "a"));
        polled("reader", ORDERS, 2, "a");

        assertThat(verdict().faults()).isEmpty();
    }

    @Test
    void twoValuesAtOneOffsetAreInconsistent() {
        written("shop", ORDERS, 0, "a");
        polled("reader", ORDERS, 0, "b");

        assertThat(verdict().kinds()).contains(INCONSISTENT_OFFSETS);
    }

    @Test
    void twoValuesAtOneOffsetOfTwoPartitionsAreConsistent() {
        written("shop", ORDERS, 0, "a");
        written("shop", BILLS, 0, "b");
        polled("reader", ORDERS, 0, "a");
        polled("reader", BILLS, 0, "b");

        assertHolds();
    }

    // ---- order of sends

    @Test
    void laterSendWithTheLowerOffsetIsNonmonotonic() {
        OpenSend first = recorder.send("shop", null, ORDERS, null, "a");
        written("shop", ORDERS, 0, "b");
        first.ok(ORDERS, 1);
        polled("reader", ORDERS, 0, "b", 1, "a");

        assertKinds(NONMONOTONIC_SEND);
    }

    @Test
    void laterSendToAnotherPartitionMayHaveTheLowerOffset() {
        written("shop", ORDERS, 1, "a");
        written("shop", BILLS, 0, "b");
        polled("reader", ORDERS, 1, "a");
        polled("reader", BILLS, 0, "b");

        assertHolds();
    }

    @Test
    void sendsOfTwoThreadsHaveNoOrderWhileBothAreUnderWay() {
        OpenSend first = recorder.send("shop", "shop/0/1", null, ORDERS, null, "a");
        OpenSend second = recorder.send("shop", "shop/0/2", null, ORDERS, null, "b");
        second.ok(ORDERS, 0);
        first.ok(ORDERS, 1);
        polled("reader", ORDERS, 0, "b", 1, "a");

        assertHolds();
    }

    @Test
    void sendOfAnotherThreadIsLaterThanWhatWasAnsweredBefore() {
        recorder.send("shop", "shop/0/1", null, ORDERS, null, "a").ok(ORDERS, 1);
        recorder.send("shop", "shop/0/2", null, ORDERS, null, "b").ok(ORDERS, 0);
        polled("reader", ORDERS, 0, "b", 1, "a");

        assertKinds(NONMONOTONIC_SEND);
    }

    @Test
    void laterSendWithTheLowerOffsetInOneTransactionIsInternal() {
        OpenTransaction transaction = recorder.begin("shop");
        recorder.send("shop", transaction, ORDERS, null, "a").ok(ORDERS, 1);
        recorder.send("shop", transaction, ORDERS, null, "b").ok(ORDERS, 0);
        transaction.committing();
        transaction.committed();
        polled("reader", ORDERS, 0, "b", 1, "a");

        assertKinds(INTERNAL_NONMONOTONIC_SEND);
    }

    // ---- order of polls

    @Test
    void pollThatGoesBackIsNonmonotonic() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("reader", ORDERS, 0, "a", 1, "b");
        polled("reader", ORDERS, 1, "b");

        assertKinds(NONMONOTONIC_POLL);
    }

    @Test
    void pollMayGoBackAfterARebalance() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("reader", ORDERS, 0, "a", 1, "b");
        recorder.positioned("reader", ORDERS, History.UNKNOWN);
        polled("reader", ORDERS, 1, "b");

        assertHolds();
    }

    @Test
    void pollThatIsInDisorderInItselfIsInternal() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        polled("reader", ORDERS, 1, "b", 0, "a");

        assertKinds(INTERNAL_NONMONOTONIC_POLL);
    }

    @Test
    void pollThatPassesOverARecordSkipsIt() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        written("shop", ORDERS, 2, "c");
        polled("other", ORDERS, 0, "a", 1, "b", 2, "c");
        polled("reader", ORDERS, 0, "a");
        polled("reader", ORDERS, 2, "c");

        assertKinds(POLL_SKIP);
        assertThat(verdict().faults().get(0).evidence()).contains("[b] at 1");
    }

    @Test
    void pollMaySkipAfterARebalance() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        written("shop", ORDERS, 2, "c");
        polled("other", ORDERS, 0, "a", 1, "b", 2, "c");
        polled("reader", ORDERS, 0, "a");
        recorder.positioned("reader", ORDERS, 2);
        polled("reader", ORDERS, 2, "c");

        assertHolds();
    }

    @Test
    void readerOfCommittedRecordsPassesOverWhatWasAborted() {
        written("shop", ORDERS, 0, "a");
        OpenTransaction transaction = recorder.begin("shop");
        recorder.send("shop", transaction, ORDERS, null, "b").ok(ORDERS, 1);
        transaction.aborted();
        written("shop", ORDERS, 3, "c");
        recorder.polled("spy", false, seen(ORDERS, 1, "b"));
        polled("reader", ORDERS, 0, "a", 3, "c");

        assertThat(verdict().faults()).isEmpty();
    }

    @Test
    void onePollThatPassesOverARecordSkipsItInternally() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        written("shop", ORDERS, 2, "c");
        polled("other", ORDERS, 0, "a", 1, "b", 2, "c");
        polled("reader", ORDERS, 0, "a", 2, "c");

        assertKinds(INTERNAL_POLL_SKIP);
    }

    @Test
    void pollsOfOneTransactionThatPassOverARecordSkipItInternally() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        written("shop", ORDERS, 2, "c");
        polled("other", ORDERS, 0, "a", 1, "b", 2, "c");
        OpenTransaction transaction = recorder.begin("copier");
        polled("copier", ORDERS, 0, "a");
        polled("copier", ORDERS, 2, "c");
        transaction.committing();
        transaction.committed();

        assertKinds(INTERNAL_POLL_SKIP);
    }

    // ---- reads of what is not committed

    @Test
    void readOfARefusedRecordIsAborted() {
        recorder.send("shop", null, ORDERS, null, "a").failed("RecordTooLargeException");
        polled("reader", ORDERS, 0, "a");

        assertKinds(ABORTED_READ);
    }

    @Test
    void readOfAnAbortedTransactionIsAborted() {
        OpenTransaction transaction = recorder.begin("shop");
        recorder.send("shop", transaction, ORDERS, null, "a").ok(ORDERS, 0);
        transaction.aborted();
        polled("reader", ORDERS, 0, "a");

        assertKinds(ABORTED_READ);
        assertThat(verdict(Allowances.none().transactionsVersion(1))
                        .allowed()
                        .get(0)
                        .allowedBy())
                .contains("transactions version 1", "KAFKA-17754");
    }

    @Test
    void readOfAnAbortedTransactionIsAllowedToWhoAskedForUncommitted() {
        OpenTransaction transaction = recorder.begin("shop");
        recorder.send("shop", transaction, ORDERS, null, "a").ok(ORDERS, 0);
        transaction.aborted();
        recorder.polled("spy", false, seen(ORDERS, 0, "a"));

        assertThat(verdict().faults()).isEmpty();
        assertThat(verdict().allowed()).singleElement().satisfies(anomaly -> assertThat(anomaly.allowedBy())
                .contains("read_uncommitted"));
    }

    @Test
    void readOfATransactionWhoseEndNobodyKnowsIsNoFault() {
        OpenTransaction transaction = recorder.begin("shop");
        recorder.send("shop", transaction, ORDERS, null, "a").ok(ORDERS, 0);
        transaction.committing();
        polled("reader", ORDERS, 0, "a");

        assertThat(verdict().faults()).isEmpty();
        assertThat(verdict().conclusion()).isEqualTo(Conclusion.INDETERMINATE);
    }

    @Test
    void readBeforeTheCommitIsPrecommitted() {
        OpenTransaction transaction = recorder.begin("copier");
        recorder.send("copier", transaction, ORDERS, null, "a").ok(ORDERS, 0);
        polled("copier", ORDERS, 0, "a");
        transaction.committing();
        transaction.committed();

        assertKinds(PRECOMMITTED_READ);
        assertThat(verdict().faults().get(0).evidence()).contains("its own");
    }

    @Test
    void readWhileTheCommitIsUnderWayIsFine() {
        OpenTransaction transaction = recorder.begin("copier");
        recorder.send("copier", transaction, ORDERS, null, "a").ok(ORDERS, 0);
        transaction.committing();
        polled("reader", ORDERS, 0, "a");
        transaction.committed();

        assertHolds();
    }

    @Test
    void readOfWhatNobodySentIsNamed() {
        written("shop", ORDERS, 0, "a");
        polled("reader", ORDERS, 0, "a", 1, "x");

        assertKinds(UNWRITTEN_READ);
        assertThat(verdict(Allowances.none().withOtherWriters()).anomalies()).isEmpty();
    }

    // ---- transactions as a whole

    @Test
    void halfOfATransactionIsTorn() {
        OpenTransaction transaction = halfSeen();
        transaction.indeterminate();

        assertKinds(TORN_TRANSACTION);
        assertThat(verdict(Allowances.none().transactionsVersion(1)).faults()).isEmpty();
    }

    @Test
    void halfOfACommittedTransactionIsLost() {
        OpenTransaction transaction = halfSeen();
        transaction.committed();

        assertKinds(LOST_WRITE);
        assertThat(verdict(Allowances.none().transactionsVersion(1)).faults()).isEmpty();
    }

    @Test
    void wholeTransactionWhoseEndNobodyKnowsIsNotTorn() {
        OpenTransaction transaction = halfSeen();
        transaction.indeterminate();
        polled("auditor", BILLS, 0, "bill");

        assertThat(verdict().faults()).isEmpty();
    }

    private OpenTransaction halfSeen() {
        OpenTransaction transaction = recorder.begin("shop");
        recorder.send("shop", transaction, ORDERS, null, "order").ok(ORDERS, 0);
        recorder.send("shop", transaction, BILLS, null, "bill").ok(BILLS, 0);
        transaction.committing();
        polled("reader", ORDERS, 0, "order");
        recorder.logEnd("reader", BILLS, 0, 2);
        return transaction;
    }

    @Test
    void writesThatGoBeforeEachOtherAreACycleThatKafkaAllows() {
        OpenTransaction one = recorder.begin("one");
        OpenTransaction two = recorder.begin("two");
        recorder.send("one", one, ORDERS, null, "a1").ok(ORDERS, 0);
        recorder.send("two", two, ORDERS, null, "a2").ok(ORDERS, 1);
        recorder.send("two", two, BILLS, null, "b2").ok(BILLS, 0);
        recorder.send("one", one, BILLS, null, "b1").ok(BILLS, 1);
        commit(one, two);
        polled("reader", ORDERS, 0, "a1", 1, "a2");
        polled("reader", BILLS, 0, "b2", 1, "b1");

        assertThat(verdict().faults()).isEmpty();
        assertThat(verdict().allowed()).singleElement().satisfies(anomaly -> {
            assertThat(anomaly.kind()).isEqualTo(WRITE_CYCLE);
            assertThat(anomaly.evidence()).contains("0 -ww-> 1 by [a1] before [a2] in orders-0", "1 -ww-> 0");
            assertThat(anomaly.allowedBy()).contains("does not isolate");
        });
    }

    @Test
    void writesThatGoInOneOrderAreNoCycle() {
        OpenTransaction one = recorder.begin("one");
        OpenTransaction two = recorder.begin("two");
        recorder.send("one", one, ORDERS, null, "a1").ok(ORDERS, 0);
        recorder.send("two", two, ORDERS, null, "a2").ok(ORDERS, 1);
        recorder.send("one", one, BILLS, null, "b1").ok(BILLS, 0);
        recorder.send("two", two, BILLS, null, "b2").ok(BILLS, 1);
        commit(one, two);
        polled("reader", ORDERS, 0, "a1", 1, "a2");
        polled("reader", BILLS, 0, "b1", 1, "b2");

        assertThat(verdict().anomalies()).isEmpty();
    }

    @Test
    void transactionsThatSawEachOthersWritesFlowInACircle() {
        OpenTransaction one = recorder.begin("one");
        OpenTransaction two = recorder.begin("two");
        recorder.send("one", one, ORDERS, null, "a").ok(ORDERS, 0);
        recorder.send("two", two, BILLS, null, "b").ok(BILLS, 0);
        one.committing();
        two.committing();
        polled("one", BILLS, 0, "b");
        polled("two", ORDERS, 0, "a");
        one.committed();
        two.committed();

        assertKinds(CIRCULAR_FLOW);
    }

    @Test
    void transactionThatSawTheOthersWritesAfterwardsFlowsInALine() {
        OpenTransaction one = recorder.begin("one");
        recorder.send("one", one, ORDERS, null, "a").ok(ORDERS, 0);
        commit(one);
        polled("two", ORDERS, 0, "a");
        OpenTransaction two = recorder.begin("two");
        recorder.send("two", two, BILLS, null, "b").ok(BILLS, 0);
        commit(two);
        polled("one", BILLS, 0, "b");

        assertThat(verdict().anomalies()).isEmpty();
    }

    // ---- the verdict itself

    @Test
    void failureShowsTheReport() {
        written("shop", ORDERS, 0, "a");
        written("shop", ORDERS, 1, "b");
        recorder.send("shop", null, ORDERS, null, "c").indeterminate("TimeoutException");
        polled("auditor", ORDERS, 0, "a");
        recorder.logEnd("auditor", ORDERS, 0, 2);

        assertThatThrownBy(() -> verdict().assertHolds())
                .isInstanceOf(AssertionError.class)
                .hasMessage("""

                Expecting the history to hold, but it is broken:

                BROKEN: 3 sends, 2 acknowledged, 0 transactions, 1 records polled
                  faults (1)
                    lost-write in orders-0: [b] of shop was acknowledged at offset 1 (step 3), and auditor went from 0 to 2\
                 without it
                  nobody could know (1)
                    nobody told of [c]: it is not there, and may still come (TimeoutException)
                """);
    }

    // ---- words

    private void written(String process, String partition, long offset, String value) {
        recorder.send(process, null, partition, null, value).ok(partition, offset);
    }

    private static void commit(OpenTransaction... transactions) {
        for (OpenTransaction transaction : transactions) {
            transaction.committing();
            transaction.committed();
        }
    }

    /** @param offsetsAndValues an offset, its value, and so on */
    private void polled(String process, String partition, Object... offsetsAndValues) {
        recorder.polled(process, true, seen(partition, offsetsAndValues));
    }

    private static List<Seen> seen(String partition, Object... offsetsAndValues) {
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < offsetsAndValues.length; i += 2) {
            seen.add(new Seen(partition, (Integer) offsetsAndValues[i], null, (String) offsetsAndValues[i + 1]));
        }
        return seen;
    }

    private HistoryVerdict verdict() {
        return verdict(null);
    }

    private HistoryVerdict verdict(@Nullable Allowances allowances) {
        return new HistoryChecker(allowances == null ? Allowances.none() : allowances).check(recorder.history());
    }

    private void assertKinds(Kind... kinds) {
        assertThat(verdict().kinds()).as(verdict().report()).containsExactly(kinds);
    }

    private void assertHolds() {
        assertThat(verdict().anomalies()).as(verdict().report()).isEmpty();
        assertThat(verdict().conclusion()).as(verdict().report()).isEqualTo(Conclusion.HOLDS);
    }
}
