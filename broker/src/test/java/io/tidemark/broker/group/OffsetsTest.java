package io.tidemark.broker.group;

import static io.tidemark.broker.group.GroupDriver.GROUP;
import static io.tidemark.broker.group.GroupDriver.SESSION_MS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.group.OffsetCommitValue;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.ListGroupsResponse.ListedGroup;
import io.tidemark.broker.protocol.message.OffsetCommitRequest;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.OffsetCommitRequest.OffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestPartition;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest.OffsetDeleteRequestTopic;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OffsetsTest {
    private static final Uuid ORDERS = new Uuid(1, 1);
    private static final Uuid NEW_ORDERS = new Uuid(1, 2);
    private static final long DAY_MS = 24 * 3_600_000L;

    private final GroupDriver driver = new GroupDriver(GroupDriver.settings());

    // ---- commit

    @Test
    void memberCommitsInItsGeneration() {
        String member = driver.stableGroupOfOne();

        assertThat(commit(member, 1, 42)).isEqualTo(ErrorCode.NONE);

        assertThat(committed()).isEqualTo(42);
        OffsetCommitValue value =
                (OffsetCommitValue) driver.log.get(driver.log.size() - 1).value();
        assertThat(value.offset()).isEqualTo(42);
        assertThat(value.topicId()).isEqualTo(ORDERS);
        assertThat(value.commitTimestamp()).isEqualTo(driver.nowMs);
    }

    @Test
    void commitIsCheckedAgainstMemberAndGeneration() {
        String member = driver.stableGroupOfOne();

        assertThat(commit(member, 0, 42)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);
        assertThat(commit("nobody", 1, 42)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(commit("", -1, 42))
                .as("from outside, over the heads of the members")
                .isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        assertThat(committed()).isEqualTo(-1);
    }

    @Test
    void commitBetweenJoinAndAssignmentIsToldOfTheRebalance() {
        var joined = driver.joinAnew();
        driver.advance(0);

        assertThat(commit(joined.value().memberId(), 1, 42)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void commitOfTheOldGenerationIsTakenWhileMembersJoinAgain() {
        List<String> members = driver.stableGroupOfTwo();
        driver.join(members.get(0));

        assertThat(commit(members.get(1), 1, 42)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void commitKeepsAMemberAlive() {
        String member = driver.stableGroupOfOne();
        driver.advance(SESSION_MS - 1);
        commit(member, 1, 42);

        driver.advance(SESSION_MS - 1);

        assertThat(driver.heartbeat(member, 1)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void commitWithoutAGenerationMakesAGroupForItsOffsets() {
        assertThat(commit("", -1, 7)).isEqualTo(ErrorCode.NONE);

        assertThat(committed()).isEqualTo(7);
        assertThat(driver.state()).isEqualTo("Empty");
        assertThat(driver.coordinator.list(new ListGroupsRequest()))
                .extracting(ListedGroup::groupId)
                .containsExactly(GROUP);
    }

    @Test
    void commitOfAGenerationToAGroupThatIsNotThereIsRefused() {
        assertThat(commit("member", 3, 7, (short) 8)).isEqualTo(ErrorCode.ILLEGAL_GENERATION);
        assertThat(commit("member", 3, 7, (short) 9)).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
    }

    @Test
    void longMetadataIsRefusedForItsPartitionAlone() {
        OffsetCommitRequest request = commitRequest("", -1, 7);
        request.topics()
                .get(0)
                .partitions()
                .add(new OffsetCommitRequestPartition()
                        .setPartitionIndex(1)
                        .setCommittedOffset(8)
                        .setCommittedMetadata("x".repeat(4097)));

        var response = driver.apply(driver.coordinator.commitOffsets(request, (short) 9, driver.nowMs));

        assertThat(response.topics().get(0).partitions())
                .extracting(partition -> partition.errorCode())
                .containsExactly(ErrorCode.NONE.code(), ErrorCode.OFFSET_METADATA_TOO_LARGE.code());
        assertThat(committed()).isEqualTo(7);
    }

    @Test
    void commitThatIsNotReplicatedYetIsNotSeen() {
        commit("", -1, 7);
        driver.commitsHeld = true;
        commit("", -1, 8);

        assertThat(committed()).isEqualTo(7);
        assertThat(fetch(request(Uuid.ZERO), true).committedOffset())
                .as("for who waits for the high watermark")
                .isEqualTo(8);

        driver.coordinator.onCommitted(driver.log.size());
        assertThat(committed()).isEqualTo(8);
    }

    @Test
    void commitsOutliveTheirCoordinator() {
        commit("", -1, 7);

        driver.failOver();

        assertThat(committed()).isEqualTo(7);
    }

    // ---- fetch

    @Test
    void partitionWithoutAnOffsetShowsNone() {
        OffsetFetchResponsePartitions nothing = fetch(request(Uuid.ZERO), false);

        assertThat(nothing.committedOffset()).isEqualTo(-1);
        assertThat(nothing.committedLeaderEpoch()).isEqualTo(-1);
        assertThat(nothing.metadata()).isEmpty();
        assertThat(nothing.errorCode()).isZero();
    }

    @Test
    void allOffsetsOfAGroupAreShown() {
        commit("", -1, 7);

        OffsetFetchResponseGroup all = driver.coordinator.fetchOffsets(
                new OffsetFetchRequestGroup().setGroupId(GROUP).setTopics(null), false);

        assertThat(all.topics()).hasSize(1);
        assertThat(all.topics().get(0).name()).isEqualTo("orders");
        assertThat(all.topics().get(0).partitions().get(0).committedOffset()).isEqualTo(7);
    }

    @Test
    void offsetOfAnEarlierTopicOfTheSameNameIsNotShown() {
        commit("", -1, 7);

        assertThat(fetch(request(NEW_ORDERS), false).committedOffset()).isEqualTo(-1);
        assertThat(fetch(request(ORDERS), false).committedOffset()).isEqualTo(7);
    }

    // ---- delete

    @Test
    void offsetsGoWithTheirTopic() {
        commit("", -1, 7);

        driver.applyAnswers(driver.coordinator.onTopicsDeleted(Map.of("orders", NEW_ORDERS), driver.nowMs));
        assertThat(committed()).as("another topic of that name").isEqualTo(7);
        driver.applyAnswers(driver.coordinator.onTopicsDeleted(Map.of("orders", ORDERS), driver.nowMs));

        assertThat(committed()).isEqualTo(-1);
        assertThat(driver.log.get(driver.log.size() - 1).value()).isNull();
    }

    @Test
    void offsetsOfATopicThatIsReadAreNotDeleted() {
        String member = driver.stableGroupOfOne();
        commit(member, 1, 42);

        assertThat(deleteOffsets("orders")).isEqualTo(ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC);
        assertThat(committed()).isEqualTo(42);

        driver.leave(member);
        assertThat(deleteOffsets("orders")).isEqualTo(ErrorCode.NONE);
        assertThat(committed()).isEqualTo(-1);
    }

    @Test
    void activeGroupOfAnotherKindMustBeEmptyForADeletionOfOffsets() {
        driver.join(GroupDriver.joinRequest("", null, "range").setProtocolType("connect"), 3);
        driver.advance(0);

        var response = driver.apply(driver.coordinator.deleteOffsets(deleteRequest("orders"), driver.nowMs));

        assertThat(response.errorCode()).isEqualTo(ErrorCode.NON_EMPTY_GROUP.code());
    }

    @Test
    void groupIsDeletedOnceItIsEmpty() {
        String member = driver.stableGroupOfOne();
        commit(member, 1, 42);
        assertThat(deleteGroup()).isEqualTo(ErrorCode.NON_EMPTY_GROUP);
        driver.leave(member);

        assertThat(deleteGroup()).isEqualTo(ErrorCode.NONE);

        assertThat(committed()).isEqualTo(-1);
        assertThat(driver.state()).isEqualTo("Dead");
        assertThat(driver.lastGroupRecord()).isNull();
        assertThat(deleteGroup()).isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND);
        driver.failOver();
        assertThat(driver.coordinator.list(new ListGroupsRequest())).isEmpty();
    }

    // ---- expiry

    @Test
    void offsetsDoNotExpireWhileTheGroupIsActive() {
        String member = driver.stableGroupOfOne();
        commit(member, 1, 42);

        keepAlive(member, 8 * DAY_MS);

        assertThat(committed()).isEqualTo(42);
    }

    @Test
    void offsetsOfAnAbandonedGroupExpireAWhileAfterTheLastMemberLeft() {
        String member = driver.stableGroupOfOne();
        commit(member, 1, 42);
        keepAlive(member, 6 * DAY_MS);
        driver.leave(member);

        driver.advance(7 * DAY_MS - 1);
        assertThat(committed()).isEqualTo(42);
        driver.advance(1 + 600_000);

        assertThat(committed()).isEqualTo(-1);
        assertThat(driver.coordinator.list(new ListGroupsRequest())).isEmpty();
        assertThat(driver.lastGroupRecord()).isNull();
    }

    @Test
    void offsetsWithoutMembersExpireAWhileAfterTheCommit() {
        commit("", -1, 7);
        driver.advance(6 * DAY_MS);
        commit("", -1, 8);

        driver.advance(6 * DAY_MS);
        assertThat(committed()).isEqualTo(8);
        driver.advance(DAY_MS + 600_000);
        assertThat(committed()).isEqualTo(-1);
    }

    @Test
    void offsetsOfATopicThatAnActiveGroupNoLongerReadsExpire() {
        String member = driver.stableGroupOfOne();
        OffsetCommitRequest request = commitRequest(member, 1, 5);
        request.topics().get(0).setName("invoices").setTopicId(Uuid.ZERO);
        driver.apply(driver.coordinator.commitOffsets(request, (short) 9, driver.nowMs));
        commit(member, 1, 42);

        keepAlive(member, 8 * DAY_MS);

        OffsetFetchResponseGroup all = driver.coordinator.fetchOffsets(
                new OffsetFetchRequestGroup().setGroupId(GROUP).setTopics(null), false);
        assertThat(all.topics()).extracting(topic -> topic.name()).containsExactly("orders");
    }

    @Test
    void expiryThatAnOldClientAskedForCounts() {
        OffsetCommitRequest request = commitRequest("", -1, 7).setRetentionTimeMs(3_600_000);
        driver.apply(driver.coordinator.commitOffsets(request, (short) 4, driver.nowMs));
        assertThat(driver.log.get(0).valueVersion()).isEqualTo((short) 1);

        driver.advance(3_600_000 + 600_000);

        assertThat(committed()).isEqualTo(-1);
    }

    // ---- list

    @Test
    void groupsAreListedByStateAndType() {
        driver.stableGroupOfOne();

        assertThat(driver.coordinator.list(new ListGroupsRequest().setStatesFilter(List.of("stable"))))
                .hasSize(1);
        assertThat(driver.coordinator.list(new ListGroupsRequest().setStatesFilter(List.of("Empty"))))
                .isEmpty();
        assertThat(driver.coordinator.list(new ListGroupsRequest().setTypesFilter(List.of("Classic"))))
                .hasSize(1);
        assertThat(driver.coordinator.list(new ListGroupsRequest().setTypesFilter(List.of("share"))))
                .isEmpty();
    }

    // ---- words

    private void keepAlive(String member, long ms) {
        long untilMs = driver.nowMs + ms;
        while (driver.nowMs < untilMs) {
            assertThat(driver.heartbeat(member, 1)).isEqualTo(ErrorCode.NONE);
            driver.advance(SESSION_MS / 2);
        }
    }

    private ErrorCode commit(String member, int generation, long offset) {
        return commit(member, generation, offset, (short) 9);
    }

    private ErrorCode commit(String member, int generation, long offset, short version) {
        var response = driver.apply(
                driver.coordinator.commitOffsets(commitRequest(member, generation, offset), version, driver.nowMs));
        return ErrorCode.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }

    private static OffsetCommitRequest commitRequest(String member, int generation, long offset) {
        OffsetCommitRequestTopic topic =
                new OffsetCommitRequestTopic().setName("orders").setTopicId(ORDERS);
        topic.partitions()
                .add(new OffsetCommitRequestPartition()
                        .setPartitionIndex(0)
                        .setCommittedOffset(offset)
                        .setCommittedLeaderEpoch(3)
                        .setCommittedMetadata(null));
        return new OffsetCommitRequest()
                .setGroupId(GROUP)
                .setMemberId(member)
                .setGenerationIdOrMemberEpoch(generation)
                .setTopics(new ArrayList<>(List.of(topic)));
    }

    private long committed() {
        return fetch(request(Uuid.ZERO), false).committedOffset();
    }

    private static OffsetFetchRequestGroup request(Uuid topicId) {
        return new OffsetFetchRequestGroup()
                .setGroupId(GROUP)
                .setTopics(List.of(new OffsetFetchRequestTopics()
                        .setName("orders")
                        .setTopicId(topicId)
                        .setPartitionIndexes(List.of(0))));
    }

    private OffsetFetchResponsePartitions fetch(OffsetFetchRequestGroup request, boolean latest) {
        return driver.coordinator
                .fetchOffsets(request, latest)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    private ErrorCode deleteGroup() {
        return ErrorCode.forCode(driver.apply(driver.coordinator.deleteGroup(GROUP, driver.nowMs))
                .errorCode());
    }

    private ErrorCode deleteOffsets(String topic) {
        var response = driver.apply(driver.coordinator.deleteOffsets(deleteRequest(topic), driver.nowMs));
        assertThat(response.errorCode()).isZero();
        return ErrorCode.forCode(response.topics().get(0).partitions().get(0).errorCode());
    }

    private static OffsetDeleteRequest deleteRequest(String topic) {
        return new OffsetDeleteRequest()
                .setGroupId(GROUP)
                .setTopics(List.of(new OffsetDeleteRequestTopic()
                        .setName(topic)
                        .setPartitions(List.of(new OffsetDeleteRequestPartition().setPartitionIndex(0)))));
    }
}
