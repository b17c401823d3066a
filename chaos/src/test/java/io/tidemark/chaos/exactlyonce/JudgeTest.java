package io.tidemark.chaos.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.OffsetCommit;
import io.tidemark.TransactionFate;
import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.Finding.Kind;
import io.tidemark.chaos.exactlyonce.Observation.Event;
import io.tidemark.chaos.exactlyonce.Observation.Input;
import io.tidemark.chaos.exactlyonce.Observation.InputFate;
import io.tidemark.chaos.exactlyonce.Observation.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each finding in an observation made by hand, and a neighbour of it in which there is none. */
class JudgeTest {
    private static final long NOW_MS = 10_000;

    private final List<Input> inputs = new ArrayList<>();
    private final List<Output> visible = new ArrayList<>();
    private final List<Output> inLogs = new ArrayList<>();
    private final List<OffsetCommit> commits = new ArrayList<>();
    private boolean isTransactional = true;
    private long committed;

    @Test
    void outputAndOffsetOfOneTransactionHold() {
        input(0, InputFate.THERE);
        input(1, InputFate.ABORTED);
        out(0, 0, 5, TransactionFate.COMMITTED);
        commit(1, 5, TransactionFate.COMMITTED);

        assertThat(verdict().conclusion()).as(verdict().report()).isEqualTo(Conclusion.HOLDS);
        verdict().assertHolds();
    }

    @Test
    void inputThatTheGroupWentPastIsLost() {
        input(0, InputFate.THERE);
        commit(1, -1, TransactionFate.PLAIN);

        assertKinds(Kind.LOST);
        assertThat(verdict().report()).contains("it is in no broker's log", "outside of any transaction");
    }

    @Test
    void inputThatIsOnlyInAnAbortedTransactionIsLostWithItsPlace() {
        input(0, InputFate.THERE);
        commit(1, 5, TransactionFate.COMMITTED);
        inLogs.add(new Output(0, "out-0", 7, 2, NOW_MS, 5, (short) 1, TransactionFate.ABORTED));

        assertKinds(Kind.LOST);
        assertThat(verdict().report())
                .contains("out-0 offset 7 in the log of broker 2, producer 5 epoch 1, transaction ABORTED");
    }

    @Test
    void inputThatTheGroupHasNotReachedIsUnprocessed() {
        input(0, InputFate.THERE);

        assertKinds(Kind.UNPROCESSED);
    }

    @Test
    void inputThatIsNotThereForSureIsNotExpected() {
        input(0, InputFate.UNKNOWN);

        assertThat(verdict().conclusion()).isEqualTo(Conclusion.INDETERMINATE);
        assertThat(verdict().unknown()).containsExactly("nobody told of input [0], and it is not there");
        verdict().assertHolds();
    }

    @Test
    void acknowledgedInputThatIsGoneIsLost() {
        input(0, InputFate.GONE);

        assertKinds(Kind.LOST);
    }

    @Test
    void inputThatCameOutTwiceIsDuplicated() {
        input(0, InputFate.THERE);
        out(0, 0, 5, TransactionFate.COMMITTED);
        out(0, 1, 6, TransactionFate.COMMITTED);
        commit(1, 6, TransactionFate.COMMITTED);

        assertKinds(Kind.DUPLICATED);
    }

    @Test
    void laterInputOfAKeyThatComesOutFirstIsReordered() {
        input(0, InputFate.THERE);
        input(2, InputFate.THERE);
        out(2, 0, 5, TransactionFate.COMMITTED);
        out(0, 1, 5, TransactionFate.COMMITTED);
        commit(3, 5, TransactionFate.COMMITTED);

        assertKinds(Kind.REORDERED);
    }

    @Test
    void inputsOfTwoKeysHaveNoOrder() {
        input(0, InputFate.THERE);
        input(1, InputFate.THERE);
        out(1, 0, 5, TransactionFate.COMMITTED);
        out(0, 1, 5, TransactionFate.COMMITTED);
        commit(2, 5, TransactionFate.COMMITTED);

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void abortedInputThatComesOutIsVisible() {
        input(0, InputFate.ABORTED);
        out(0, 0, 5, TransactionFate.COMMITTED);

        assertKinds(Kind.ABORTED_VISIBLE);
    }

    @Test
    void outputOfAnAbortedTransactionThatIsReadIsVisible() {
        input(0, InputFate.THERE);
        out(0, 0, 5, TransactionFate.ABORTED);
        commit(1, 5, TransactionFate.ABORTED);
        commit(1, 6, TransactionFate.COMMITTED);

        assertThat(verdict().kinds()).contains(Kind.ABORTED_VISIBLE);
    }

    @Test
    void offsetOfAnotherTransactionIsApart() {
        input(0, InputFate.THERE);
        out(0, 0, 5, TransactionFate.COMMITTED);
        commit(1, 6, TransactionFate.COMMITTED);

        assertKinds(Kind.OFFSETS_APART);
    }

    @Test
    void offsetOutsideOfATransactionIsApart() {
        input(0, InputFate.THERE);
        out(0, 0, 5, TransactionFate.COMMITTED);
        commit(1, -1, TransactionFate.PLAIN);

        assertKinds(Kind.OFFSETS_APART);
    }

    @Test
    void offsetsMayBeApartWhereNobodyClaimsTransactions() {
        isTransactional = false;
        input(0, InputFate.THERE);
        out(0, 0, -1, TransactionFate.PLAIN);
        commit(1, -1, TransactionFate.PLAIN);

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void offsetOfAnAbortedTransactionDoesNotCount() {
        input(0, InputFate.THERE);
        out(0, 0, 6, TransactionFate.COMMITTED);
        commit(1, 5, TransactionFate.ABORTED);
        commit(1, 6, TransactionFate.COMMITTED);

        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void messageShowsTheEvidence() {
        input(0, InputFate.THERE);
        input(1, InputFate.THERE);
        out(0, 0, 5, TransactionFate.COMMITTED);
        out(0, 2, 6, TransactionFate.COMMITTED);
        commit(2, -1, TransactionFate.PLAIN);

        assertThatThrownBy(() -> verdict().assertHolds())
                .isInstanceOf(AssertionError.class)
                .hasMessage("""

                Expecting each record to be processed exactly once, but:

                BROKEN: seed 42, 2 records to process and 0 aborted ones, 2 records came out and 1 were aborted on the way,\
                 2 faults and other events
                  LOST (1): 1
                    [1] of key odd
                      did not come out, and the group went past it; it is in no broker's log
                      input: in-0 offset 1
                      the group's first commit past it: 2 of in-0 at __consumer_offsets-3 offset 0,\
                 outside of any transaction
                      -40 ms: instance 0 is killed
                  DUPLICATED (1): 0
                    [0] of key even
                      came out 2 times:
                        out-0 offset 0, producer 5 epoch 0, transaction COMMITTED
                        out-0 offset 2, producer 6 epoch 0, transaction COMMITTED
                      input: in-0 offset 0
                      the group's first commit past it: 2 of in-0 at __consumer_offsets-3 offset 0,\
                 outside of any transaction
                      -40 ms: instance 0 is killed
                  OFFSETS_APART (1): 0
                    [0] of key even
                      came out in another transaction than the offset that says so, or in none:
                        out-0 offset 0, producer 5 epoch 0, transaction COMMITTED
                      input: in-0 offset 0
                      the group's first commit past it: 2 of in-0 at __consumer_offsets-3 offset 0,\
                 outside of any transaction
                      -40 ms: instance 0 is killed
                """);
    }

    // ---- words

    private void input(long number, InputFate fate) {
        boolean isThere = fate == InputFate.THERE;
        inputs.add(new Input(
                number, number % 2 == 0 ? "even" : "odd", fate, isThere ? "in-0" : null, isThere ? number : -1));
    }

    private void out(long number, long offset, long producerId, TransactionFate fate) {
        visible.add(new Output(number, "out-0", offset, 0, NOW_MS, producerId, (short) 0, fate));
    }

    private void commit(long offset, long producerId, TransactionFate fate) {
        OffsetCommit commit = new OffsetCommit(
                "in-0", offset, NOW_MS, "__consumer_offsets-3", commits.size(), producerId, (short) 0, fate);
        commits.add(commit);
        if (commit.isEffective()) {
            committed = offset;
        }
    }

    private ExactlyOnceVerdict verdict() {
        return Judge.judge(new Observation(
                42,
                inputs,
                visible,
                visible.size() + 1,
                inLogs,
                commits,
                Map.of("in-0", committed),
                List.of(new Event(NOW_MS - 40, "instance 0 is killed"), new Event(NOW_MS - 5_000, "long ago")),
                isTransactional));
    }

    private void assertKinds(Kind... kinds) {
        assertThat(verdict().kinds()).as(verdict().report()).containsExactly(kinds);
    }
}
