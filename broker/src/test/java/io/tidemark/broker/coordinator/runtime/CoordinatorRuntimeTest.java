package io.tidemark.broker.coordinator.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.TransactionalWriter;
import io.tidemark.broker.group.GroupRecordTypes;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.TransactionMarker;
import io.tidemark.broker.time.VirtualTime;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatorRuntimeTest {
    private static final long TIMEOUT_MS = 5_000;

    private final VirtualTime time = new VirtualTime();
    private final FakeCoordinatorLog log = new FakeCoordinatorLog();
    private final List<NotesShard> shards = new ArrayList<>();
    private final CoordinatorRuntime<NotesShard> runtime = new CoordinatorRuntime<>(
            "notes",
            partition -> {
                NotesShard shard = new NotesShard();
                shards.add(shard);
                return shard;
            },
            new RecordCodec(GroupRecordTypes.ALL),
            log,
            time.newLoop(),
            time,
            TIMEOUT_MS,
            1024);

    /** What came of an operation, once it came. */
    private static final class Outcome<R> implements Completion<R> {
        private @Nullable R reply;
        private @Nullable ErrorCode error;

        @Override
        public void onReply(R value) {
            assertThat(isThere()).as("answered twice").isFalse();
            reply = value;
        }

        @Override
        public void onError(ErrorCode code) {
            assertThat(isThere()).as("answered twice").isFalse();
            error = code;
        }

        boolean isThere() {
            return reply != null || error != null;
        }
    }

    @BeforeEach
    void start() {
        runtime.start();
    }

    private Outcome<Integer> note(String... words) {
        Outcome<Integer> outcome = new Outcome<>();
        runtime.write(0, TIMEOUT_MS, (shard, nowMs) -> shard.note(words), outcome);
        return outcome;
    }

    private Outcome<List<String>> notes() {
        Outcome<List<String>> outcome = new Outcome<>();
        runtime.read(0, (shard, nowMs) -> List.copyOf(shard.notes), outcome);
        return outcome;
    }

    private NotesShard shard() {
        return shards.get(shards.size() - 1);
    }

    private void leadFreshly(int epoch) {
        log.lead(epoch);
        time.runDue();
    }

    // ---- release

    @Test
    void replyWaitsForTheHighWatermark() {
        leadFreshly(1);
        Outcome<Integer> outcome = note("one", "two");
        assertThat(log.batchCount()).as("one atomic batch").isEqualTo(1);
        assertThat(notes().reply).as("replayed once it is in the log").containsExactly("one@0", "two@1");

        log.commitUpTo(1);
        assertThat(outcome.isThere()).as("half of the batch is not it").isFalse();
        log.commitUpTo(2);

        assertThat(outcome.reply).isEqualTo(2);
        assertThat(shard().committedOffset).isEqualTo(2);
    }

    @Test
    void repliesGoInTheOrderOfTheirOffsets() {
        leadFreshly(1);
        Outcome<Integer> first = note("one");
        Outcome<Integer> second = note("two");

        log.commitUpTo(1);

        assertThat(first.reply).isEqualTo(1);
        assertThat(second.isThere()).isFalse();
        log.commitUpTo(2);
        assertThat(second.reply).isEqualTo(2);
    }

    @Test
    void decisionWithoutRecordsWaitsForWhatItSaw() {
        leadFreshly(1);
        note("one");
        Outcome<String> look = new Outcome<>();
        runtime.write(0, TIMEOUT_MS, (shard, nowMs) -> CoordinatorResult.of(shard.notes.get(0)), look);
        assertThat(look.isThere()).isFalse();

        log.commitAll();

        assertThat(look.reply).isEqualTo("one@0");
    }

    @Test
    void decisionWithoutRecordsIsAnsweredAtOnceWhereAllIsCommitted() {
        leadFreshly(1);
        Outcome<String> look = new Outcome<>();

        runtime.write(0, TIMEOUT_MS, (shard, nowMs) -> CoordinatorResult.of("nothing new"), look);

        assertThat(look.reply).isEqualTo("nothing new");
    }

    @Test
    void commitThatTakesTooLongIsNotAvailable() {
        leadFreshly(1);
        Outcome<Integer> outcome = note("one");

        time.runFor(TIMEOUT_MS - 1);
        assertThat(outcome.isThere()).isFalse();
        time.runFor(1);

        assertThat(outcome.error).isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE);
        log.commitAll();
        assertThat(notes().reply).containsExactly("one@0");
    }

    @Test
    void answersOfOneDecisionGoTogether() {
        leadFreshly(1);
        List<String> heard = new ArrayList<>();
        runtime.ask(
                0,
                TIMEOUT_MS,
                (shard, nowMs) -> new CoordinatorResult<>(
                        List.of(NotesShard.record("one")),
                        List.of(
                                new Answer<>(heard::add, "first", Object::toString),
                                new Answer<>(heard::add, "second", Object::toString))),
                error -> heard.add("not run: " + error));
        assertThat(heard).isEmpty();

        log.commitAll();

        assertThat(heard).containsExactly("first", "second");
    }

    // ---- faults of the log

    @Test
    void refusedAppendLeavesTheStateAsItWas() {
        leadFreshly(1);
        log.nextAppendError = ErrorCode.MESSAGE_TOO_LARGE;

        Outcome<Integer> refused = note("one");

        assertThat(refused.error).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
        assertThat(notes().reply).isEmpty();
        Outcome<Integer> next = note("two");
        log.commitAll();
        assertThat(next.reply).isEqualTo(1);
    }

    @Test
    void whoMustBeInSyncIsToldAtOnceThatTooFewReplicasAreAndNothingIsAppended() {
        leadFreshly(1);
        log.isUnderMinIsr = true;
        Outcome<Integer> inSync = new Outcome<>();
        runtime.writeInSync(0, TIMEOUT_MS, (shard, nowMs) -> shard.note("one"), inSync);
        Outcome<Integer> nothing = new Outcome<>();
        runtime.writeInSync(0, TIMEOUT_MS, (shard, nowMs) -> shard.note(), nothing);
        Outcome<Integer> patient = note("two");

        assertThat(inSync.error).isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE);
        assertThat(nothing.reply).as("a decision without records").isZero();
        assertThat(patient.isThere()).isFalse();
        assertThat(notes().reply).containsExactly("two@0");

        log.isUnderMinIsr = false;
        Outcome<Integer> again = new Outcome<>();
        runtime.writeInSync(0, TIMEOUT_MS, (shard, nowMs) -> shard.note("three"), again);
        log.commitAll();
        assertThat(again.reply).isEqualTo(2);
    }

    @Test
    void refusedAppendFailsEveryAnswerOfItsDecision() {
        leadFreshly(1);
        log.nextAppendError = ErrorCode.NOT_LEADER_OR_FOLLOWER;
        List<String> heard = new ArrayList<>();

        runtime.ask(
                0,
                TIMEOUT_MS,
                (shard, nowMs) -> new CoordinatorResult<>(
                        List.of(NotesShard.record("one")),
                        List.of(new Answer<>(heard::add, "done", error -> "failed: " + error))),
                error -> heard.add("not run: " + error));

        assertThat(heard).containsExactly("failed: " + ErrorCode.NOT_COORDINATOR);
    }

    @Test
    void logFaultsAreToldInTheTermsOfACoordinator() {
        leadFreshly(1);
        log.nextAppendError = ErrorCode.KAFKA_STORAGE_ERROR;
        assertThat(note("one").error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        log.nextAppendError = ErrorCode.NOT_ENOUGH_REPLICAS;
        assertThat(note("one").error).isEqualTo(ErrorCode.COORDINATOR_NOT_AVAILABLE);
    }

    // ---- leadership

    @Test
    void partitionThatIsNotLedHasNoCoordinator() {
        assertThat(note("one").error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        assertThat(notes().error).isEqualTo(ErrorCode.NOT_COORDINATOR);
    }

    @Test
    void loadingShardAsksForPatience() {
        leadFreshly(1);
        note("one");
        note("two");
        log.commitAll();

        log.lead(2);
        assertThat(notes().error).isEqualTo(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
        assertThat(note("three").error).isEqualTo(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
        time.runDue();

        assertThat(notes().reply).containsExactly("one@0", "two@1");
        assertThat(shard().loaded).isTrue();
        assertThat(shard().committedOffset).isEqualTo(2);
    }

    @Test
    void whatIsLoadingIsToldByLeaderEpoch() {
        TopicPartition led = new TopicPartition("notes", 0);
        assertThat(runtime.isLoading(led, 1)).as("nobody has told yet").isTrue();
        assertThat(runtime.isLoading(new TopicPartition("orders", 0), 1)).isFalse();
        leadFreshly(1);
        note("one");
        log.commitAll();
        assertThat(runtime.isLoading(led, 1)).isFalse();
        assertThat(runtime.isLoading(led, 2)).as("the next term").isTrue();
        log.lead(2);
        assertThat(runtime.isLoading(led, 2)).isTrue();
        time.runDue();
        assertThat(runtime.isLoading(led, 2)).isFalse();
    }

    @Test
    void lostLeadershipFailsWhatIsNotCommitted() {
        leadFreshly(1);
        Outcome<Integer> outcome = note("one");

        log.lose();

        assertThat(outcome.error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        assertThat(notes().error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        time.runFor(2 * TIMEOUT_MS);
    }

    @Test
    void recordsThatAFailoverTookBackAreNotInTheState() {
        leadFreshly(1);
        note("kept");
        log.commitAll();
        Outcome<Integer> lost = note("lost");
        log.lose();
        log.truncateTo(1);

        leadFreshly(3);

        assertThat(lost.error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        assertThat(notes().reply).containsExactly("kept@0");
    }

    @Test
    void commitIsNotAcknowledgedUnderALaterLeadershipOfTheSameNode() {
        leadFreshly(1);
        Outcome<Integer> outcome = note("one");

        leadFreshly(2);

        assertThat(outcome.error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        assertThat(notes().reply)
                .as("it is in the log, and may be committed yet")
                .containsExactly("one@0");
    }

    @Test
    void recordsAboveTheHighWatermarkAreLoadedAndNotYetCommitted() {
        leadFreshly(1);
        note("one");
        note("two");
        log.commitUpTo(1);
        log.lose();

        leadFreshly(2);

        assertThat(notes().reply).containsExactly("one@0", "two@1");
        assertThat(shard().committedOffset).isEqualTo(1);
        Outcome<String> look = new Outcome<>();
        runtime.write(0, TIMEOUT_MS, (shard, nowMs) -> CoordinatorResult.of("seen"), look);
        assertThat(look.isThere()).isFalse();
        log.commitUpTo(2);
        assertThat(look.reply).isEqualTo("seen");
    }

    @Test
    void recordsOfATransactionCountOnceItIsCommitted() {
        log.write(transactional(7, "kept"));
        log.write(transactional(8, "aborted"));
        log.write(RecordBatchBuilder.endTransactionMarker(0, 8, (short) 0, false, 0));
        log.write(transactional(9, "open"));
        log.write(RecordBatchBuilder.endTransactionMarker(0, 7, (short) 0, true, 0));

        leadFreshly(1);

        assertThat(notes().reply).containsExactly("kept@4");
    }

    @Test
    void recordsWrittenInATransactionCountWhenItsMarkerIsAndAreAnsweredWhenCommitted() {
        leadFreshly(1);
        Outcome<Integer> noted = new Outcome<>();
        runtime.writeInTransaction(
                0,
                TIMEOUT_MS,
                new TransactionalWriter(7, (short) 2, null),
                (shard, nowMs) -> shard.note("kept"),
                noted);
        assertThat(noted.isThere()).isFalse();
        log.commitAll();
        assertThat(noted.isThere()).isTrue();
        assertThat(notes().reply).isEmpty();

        List<ErrorCode> marked = new ArrayList<>();
        runtime.endTransaction(0, new TransactionMarker(7, (short) 2, true, 1, 1), TIMEOUT_MS, marked::add);

        assertThat(notes().reply).containsExactly("kept@1");
        assertThat(marked).isEmpty();
        log.commitAll();
        assertThat(marked).containsExactly(ErrorCode.NONE);
        leadFreshly(2);
        assertThat(notes().reply).as("after a failover").containsExactly("kept@1");
    }

    @Test
    void aMarkerThatTheLogRefusesEndsNothing() {
        leadFreshly(1);
        log.nextAppendError = ErrorCode.TRANSACTION_COORDINATOR_FENCED;
        List<ErrorCode> marked = new ArrayList<>();

        runtime.endTransaction(0, new TransactionMarker(7, (short) 2, true, 1, 1), TIMEOUT_MS, marked::add);

        assertThat(marked).containsExactly(ErrorCode.TRANSACTION_COORDINATOR_FENCED);
    }

    private ByteBuf transactional(long producerId, String word) {
        byte[] key = new RecordCodec(GroupRecordTypes.ALL).encodeKey(NotesShard.record(word));
        return new RecordBatchBuilder()
                .producer(producerId, (short) 0, 0)
                .transactional()
                .add(0, key, null)
                .build();
    }

    @Test
    void whoWaitsInTheShardIsAnsweredWhenItIsUnloaded() {
        leadFreshly(1);
        List<String> heard = new ArrayList<>();
        shard().await(heard::add);

        log.lose();

        assertThat(heard).containsExactly("gone");
    }

    @Test
    void leadershipThatIsLostDuringALoadEndsTheLoad() {
        leadFreshly(1);
        note("one");
        note("two");
        log.lead(2);
        int readsSoFar = log.reads;

        log.lose();
        time.runDue();

        assertThat(log.reads).isEqualTo(readsSoFar);
        assertThat(shard().loaded).isFalse();
    }

    @Test
    void shardThatCannotReplayAnswersNobodyUntilLeadershipMoves() {
        leadFreshly(1);
        shard().failsToReplay = true;

        assertThat(note("one").error).isEqualTo(ErrorCode.NOT_COORDINATOR);
        assertThat(notes().error).isEqualTo(ErrorCode.NOT_COORDINATOR);

        leadFreshly(2);
        assertThat(notes().reply).containsExactly("one@0");
    }

    @Test
    void decisionThatThrowsIsAnErrorOfItsOwnAlone() {
        leadFreshly(1);
        Outcome<String> outcome = new Outcome<>();

        runtime.write(
                0,
                TIMEOUT_MS,
                (shard, nowMs) -> {
                    throw new IllegalStateException("as the test wished");
                },
                outcome);

        assertThat(outcome.error).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR);
        assertThat(notes().reply).isEmpty();
    }

    // ---- time

    @Test
    void deadlinesOfTheShardAreKept() {
        leadFreshly(1);
        runtime.read(
                0,
                (shard, nowMs) -> {
                    shard.deadlineMs = nowMs + 100;
                    return "";
                },
                new Outcome<>());

        time.runFor(99);
        assertThat(notes().reply).isEmpty();
        time.runFor(1);

        assertThat(notes().reply).containsExactly("late@0");
    }

    @Test
    void deadlinesOfAnUnloadedShardAreForgotten() {
        leadFreshly(1);
        shard().deadlineMs = time.wallTimeMs() + 100;
        notes();

        log.lose();
        time.runFor(1_000);

        assertThat(shard().notes).isEmpty();
    }
}
