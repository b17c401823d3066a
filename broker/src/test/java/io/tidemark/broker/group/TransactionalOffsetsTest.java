package io.tidemark.broker.group;

import static io.tidemark.broker.group.GroupDriver.GROUP;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.OffsetCommitRequest;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Offsets that are committed in transactions (KIP-98, KIP-447). */
class TransactionalOffsetsTest {
    private static final Uuid ORDERS = new Uuid(1, 1);
    private static final long DAY_MS = 24 * 3_600_000L;
    private static final long PRODUCER = 9;
    private static final long OTHER_PRODUCER = 10;

    private final GroupDriver driver = new GroupDriver(GroupDriver.settings());

    /** All that is in the log, in order: to be done again to a coordinator after a failover. */
    private final List<Consumer<GroupCoordinator>> log = new ArrayList<>();

    // --- who may commit

    @Test
    void aMemberCommitsInItsGeneration() {
        String member = driver.stableGroupOfOne();

        assertThat(commit(member, 1, null, 3)).isEqualTo(ErrorCode.NONE);
        assertThat(commit(member, 0, null, 3)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);
        assertThat(commit(member, 2, null, 3)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);
        assertThat(commit("nobody", 1, null, 3)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(commit(member, 1, "instance", 3)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    /** As clients before KIP-447 do. */
    @Test
    void whoNamesNoMemberCommitsAlsoToAGroupThatHasMembers() {
        driver.stableGroupOfOne();

        assertThat(commit("", -1, null, 2)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aGenerationOfAGroupThatIsNotThereIsRefused() {
        assertThat(commit("member", 1, null, 5)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);
        assertThat(commit("member", 1, null, 6)).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        assertThat(commit("", -1, null, 6)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void metadataThatIsTooLongIsRefused() {
        TxnOffsetCommitRequest request = request("", -1, null, 42);
        request.topics().get(0).partitions().get(0).setCommittedMetadata("x".repeat(5_000));

        assertThat(commit(request, 3)).isEqualTo(ErrorCode.OFFSET_METADATA_TOO_LARGE);
    }

    // --- what is seen

    @Test
    void aPendingOffsetIsSeenByNobody() {
        plainCommit(3);
        pend(PRODUCER, 7);

        assertThat(fetch(false).committedOffset()).isEqualTo(3);
        assertThat(fetch(false).errorCode()).isZero();
        assertThat(ErrorCode.forCode(fetch(true).errorCode())).isEqualTo(ErrorCode.UNSTABLE_OFFSET_COMMIT);
        assertThat(fetch(true).committedOffset()).isEqualTo(-1);
    }

    @Test
    void theSameWhereAllOffsetsAreAskedFor() {
        plainCommit(3);
        pend(PRODUCER, 7);
        OffsetFetchRequestGroup all =
                new OffsetFetchRequestGroup().setGroupId(GROUP).setTopics(null);

        OffsetFetchResponsePartitions stable = driver.coordinator
                .fetchOffsets(all, true)
                .topics()
                .get(0)
                .partitions()
                .get(0);

        assertThat(ErrorCode.forCode(stable.errorCode())).isEqualTo(ErrorCode.UNSTABLE_OFFSET_COMMIT);
    }

    @Test
    void theOffsetOfACommittedTransactionCounts() {
        plainCommit(3);
        pend(PRODUCER, 7);
        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(7);
        assertThat(fetch(false).committedOffset()).isEqualTo(7);
    }

    @Test
    void theOffsetOfAnAbortedTransactionDoesNot() {
        plainCommit(3);
        pend(PRODUCER, 7);
        end(PRODUCER, false);

        assertThat(fetch(true).committedOffset()).isEqualTo(3);
        assertThat(fetch(true).errorCode()).isZero();
    }

    @Test
    void theLastOffsetOfATransactionCounts() {
        pend(PRODUCER, 7);
        pend(PRODUCER, 8);
        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(8);
    }

    /** Not the one whose marker is last: its reader was the one before. */
    @Test
    void theOffsetThatWasWrittenLastCountsWhicheverTransactionEndsLast() {
        pend(PRODUCER, 7);
        pend(OTHER_PRODUCER, 8);
        end(OTHER_PRODUCER, true);
        assertThat(ErrorCode.forCode(fetch(true).errorCode())).isEqualTo(ErrorCode.UNSTABLE_OFFSET_COMMIT);

        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(8);
    }

    @Test
    void aPlainCommitAfterAPendingOneStands() {
        pend(PRODUCER, 7);
        plainCommit(9);
        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(9);
    }

    @Test
    void theOffsetIsSeenOnlyWhenTheMarkerIsCommitted() {
        plainCommit(3);
        pend(PRODUCER, 7);
        driver.commitsHeld = true;
        end(PRODUCER, true);

        assertThat(fetch(false).committedOffset()).isEqualTo(3);

        driver.coordinator.onCommitted(log.size());
        assertThat(fetch(false).committedOffset()).isEqualTo(7);
    }

    // --- what goes away, and what stays

    @Test
    void pendingOffsetsSurviveAFailover() {
        plainCommit(3);
        pend(PRODUCER, 7);
        failOver();

        assertThat(fetch(false).committedOffset()).isEqualTo(3);
        assertThat(ErrorCode.forCode(fetch(true).errorCode())).isEqualTo(ErrorCode.UNSTABLE_OFFSET_COMMIT);

        end(PRODUCER, true);
        assertThat(fetch(true).committedOffset()).isEqualTo(7);
        failOver();
        assertThat(fetch(true).committedOffset()).isEqualTo(7);
    }

    @Test
    void aDeletedGroupTakesItsPendingOffsetsAlong() {
        pend(PRODUCER, 7);
        write(driver.coordinator.deleteGroup(GROUP, driver.nowMs));
        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(-1);
        assertThat(fetch(true).errorCode()).isZero();
    }

    @Test
    void aDeletedOffsetTakesThePendingOneAlong() {
        pend(PRODUCER, 7);
        OffsetDeleteRequest request = new OffsetDeleteRequest()
                .setGroupId(GROUP)
                .setTopics(List.of(new OffsetDeleteRequest.OffsetDeleteRequestTopic()
                        .setName("orders")
                        .setPartitions(
                                List.of(new OffsetDeleteRequest.OffsetDeleteRequestPartition().setPartitionIndex(0)))));
        write(driver.coordinator.deleteOffsets(request, driver.nowMs));
        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(-1);
    }

    @Test
    void aDeletedTopicTakesThePendingOffsetsAlong() {
        pend(PRODUCER, 7);
        write(driver.coordinator.onTopicsDeleted(Map.of("orders", ORDERS), driver.nowMs));
        end(PRODUCER, true);

        assertThat(fetch(true).committedOffset()).isEqualTo(-1);
    }

    @Test
    void nothingExpiresUnderAnOpenTransaction() {
        plainCommit(3);
        pend(PRODUCER, 7);
        expire();
        assertThat(fetch(false).committedOffset()).isEqualTo(3);
        assertThat(groups()).isEqualTo(1);

        end(PRODUCER, false);
        expire();

        assertThat(fetch(false).committedOffset()).isEqualTo(-1);
        assertThat(groups()).isZero();
    }

    @Test
    void aGroupThatHasOnlyPendingOffsetsStays() {
        pend(PRODUCER, 7);
        expire();

        assertThat(groups()).isEqualTo(1);
    }

    // --- the verbs

    private ErrorCode commit(String member, int generation, @Nullable String instance, int version) {
        return commit(request(member, generation, instance, 42), version);
    }

    private ErrorCode commit(TxnOffsetCommitRequest request, int version) {
        TxnOffsetCommitResponse response = driver.coordinator
                .commitOffsetsInTransaction(request, (short) version, driver.nowMs)
                .reply();
        return ErrorCode.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }

    private static TxnOffsetCommitRequest request(
            String member, int generation, @Nullable String instance, long offset) {
        TxnOffsetCommitRequestTopic topic = new TxnOffsetCommitRequestTopic()
                .setName("orders")
                .setTopicId(ORDERS)
                .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                        .setPartitionIndex(0)
                        .setCommittedOffset(offset)
                        .setCommittedMetadata("")));
        return new TxnOffsetCommitRequest()
                .setGroupId(GROUP)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(generation)
                .setGroupInstanceId(instance)
                .setTopics(List.of(topic));
    }

    private void step(Consumer<GroupCoordinator> step) {
        log.add(step);
        step.accept(driver.coordinator);
        if (!driver.commitsHeld) {
            driver.coordinator.onCommitted(log.size());
        }
    }

    private void write(CoordinatorResult<?> decided) {
        for (CoordinatorRecord record : decided.records()) {
            long offset = log.size();
            step(coordinator -> coordinator.replay(offset, record));
        }
    }

    private void pend(long producerId, long committedOffset) {
        CoordinatorResult<TxnOffsetCommitResponse> decided = driver.coordinator.commitOffsetsInTransaction(
                request("", -1, null, committedOffset), (short) 3, driver.nowMs);
        for (CoordinatorRecord record : decided.records()) {
            long offset = log.size();
            step(coordinator -> coordinator.replayInTransaction(offset, producerId, record));
        }
    }

    private void end(long producerId, boolean commit) {
        long offset = log.size();
        step(coordinator -> coordinator.endTransaction(offset, producerId, commit));
    }

    private void plainCommit(long committedOffset) {
        OffsetCommitRequest.OffsetCommitRequestTopic topic = new OffsetCommitRequest.OffsetCommitRequestTopic()
                .setName("orders")
                .setTopicId(ORDERS)
                .setPartitions(List.of(new OffsetCommitRequest.OffsetCommitRequestPartition()
                        .setPartitionIndex(0)
                        .setCommittedOffset(committedOffset)));
        OffsetCommitRequest request = new OffsetCommitRequest()
                .setGroupId(GROUP)
                .setGenerationIdOrMemberEpoch(-1)
                .setTopics(List.of(topic));
        write(driver.coordinator.commitOffsets(request, (short) 9, driver.nowMs));
    }

    private void failOver() {
        GroupCoordinator next = new GroupCoordinator(GroupDriver.settings(), new SplittableRandom(1));
        log.forEach(step -> step.accept(next));
        next.onCommitted(log.size());
        next.onLoaded(driver.nowMs);
        driver.coordinator = next;
    }

    private void expire() {
        driver.nowMs += 8 * DAY_MS;
        driver.coordinator.onLoaded(driver.nowMs - DAY_MS);
        while (driver.coordinator.nextDeadlineMs() <= driver.nowMs) {
            write(driver.coordinator.onDeadline(driver.nowMs));
        }
    }

    private int groups() {
        return driver.coordinator.list(new ListGroupsRequest()).size();
    }

    private OffsetFetchResponsePartitions fetch(boolean requireStable) {
        OffsetFetchRequestGroup request = new OffsetFetchRequestGroup()
                .setGroupId(GROUP)
                .setTopics(List.of(new OffsetFetchRequestTopics()
                        .setName("orders")
                        .setTopicId(ORDERS)
                        .setPartitionIndexes(List.of(0))));
        return driver.coordinator
                .fetchOffsets(request, requireStable)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }
}
