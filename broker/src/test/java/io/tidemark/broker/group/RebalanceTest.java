package io.tidemark.broker.group;

import static io.tidemark.broker.group.GroupDriver.GROUP;
import static io.tidemark.broker.group.GroupDriver.REBALANCE_MS;
import static io.tidemark.broker.group.GroupDriver.SESSION_MS;
import static io.tidemark.broker.group.GroupDriver.joinRequest;
import static io.tidemark.broker.group.GroupDriver.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.group.GroupDriver.Reply;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.JoinGroupResponse.JoinGroupResponseMember;
import io.tidemark.broker.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RebalanceTest {
    private GroupDriver driver = new GroupDriver(GroupDriver.settings());

    // ---- joining

    @Test
    void memberWithoutAnIdIsGivenOneAndMustComeBackWithIt() {
        JoinGroupResponse refused = driver.join("").value();

        assertThat(refused.errorCode()).isEqualTo(ErrorCode.MEMBER_ID_REQUIRED.code());
        assertThat(refused.memberId()).startsWith("client-");
        assertThat(driver.state()).isEqualTo("Empty");
        assertThat(driver.lastGroupRecord().members()).isEmpty();
    }

    @Test
    void olderClientJoinsAtOnce() {
        Reply<JoinGroupResponse> joined = driver.join(joinRequest("", null, "range"), 3);
        driver.advance(0);

        assertThat(joined.value().errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(joined.value().generationId()).isEqualTo(1);
        assertThat(joined.value().leader()).isEqualTo(joined.value().memberId());
    }

    @Test
    void leaderAloneIsToldOfAllMembers() {
        Reply<JoinGroupResponse> first = driver.joinAnew();
        Reply<JoinGroupResponse> second = driver.joinAnew();
        driver.advance(0);

        assertThat(first.value().leader()).isEqualTo(first.value().memberId());
        assertThat(first.value().members())
                .extracting(JoinGroupResponseMember::memberId)
                .containsExactly(first.value().memberId(), second.value().memberId());
        assertThat(second.value().leader()).isEqualTo(first.value().memberId());
        assertThat(second.value().members()).isEmpty();
        assertThat(second.value().protocolName()).isEqualTo("range");
    }

    @Test
    void firstRoundWaitsForMoreMembersAndIsProlongedByEachPart() {
        driver = new GroupDriver(new GroupSettings(6_000, 1_800_000, 3_000, 100, 4096, 1_000_000, 600_000));
        Reply<JoinGroupResponse> first = driver.joinAnew();

        driver.advance(2_000);
        Reply<JoinGroupResponse> second = driver.joinAnew();
        driver.advance(1_000);
        assertThat(first.isThere())
                .as("a member came in the first three seconds")
                .isFalse();

        driver.advance(3_000);
        assertThat(first.value().generationId()).isEqualTo(1);
        assertThat(second.value().generationId()).isEqualTo(1);
    }

    @Test
    void memberWithOtherProtocolsIsRefused() {
        driver.stableGroupOfOne();

        Reply<JoinGroupResponse> refused = driver.join(joinRequest("", null, "sticky"), 9);
        Reply<JoinGroupResponse> otherType =
                driver.join(joinRequest("", null, "range").setProtocolType("connect"), 9);

        assertThat(refused.value().errorCode()).isEqualTo(ErrorCode.INCONSISTENT_GROUP_PROTOCOL.code());
        assertThat(otherType.value().errorCode()).isEqualTo(ErrorCode.INCONSISTENT_GROUP_PROTOCOL.code());
        assertThat(driver.state()).isEqualTo("Stable");
    }

    @Test
    void protocolThatMostMembersLikeBestIsSelected() {
        List<String> ids = List.of(driver.newMemberId(), driver.newMemberId(), driver.newMemberId());
        Reply<JoinGroupResponse> first = driver.join(joinRequest(ids.get(0), null, "range", "sticky"), 9);
        driver.join(joinRequest(ids.get(1), null, "sticky", "range"), 9);
        driver.join(joinRequest(ids.get(2), null, "sticky", "range", "other"), 9);
        driver.advance(0);

        assertThat(first.value().protocolName()).isEqualTo("sticky");
    }

    @Test
    void sessionTimeoutOutOfBoundsIsRefused() {
        assertThat(driver.join(joinRequest("", null, "range").setSessionTimeoutMs(5_999), 9)
                        .value()
                        .errorCode())
                .isEqualTo(ErrorCode.INVALID_SESSION_TIMEOUT.code());
        assertThat(driver.join(joinRequest("", null, "range").setSessionTimeoutMs(1_800_001), 9)
                        .value()
                        .errorCode())
                .isEqualTo(ErrorCode.INVALID_SESSION_TIMEOUT.code());
    }

    @Test
    void fullGroupTakesNobodyElseAndKeepsItsMembers() {
        driver = new GroupDriver(new GroupSettings(6_000, 1_800_000, 0, 1, 4096, 1_000_000, 600_000));
        String member = driver.stableGroupOfOne();

        assertThat(driver.join("").value().errorCode()).isEqualTo(ErrorCode.GROUP_MAX_SIZE_REACHED.code());
        assertThat(driver.heartbeat(member, 1)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void idThatNobodyGaveIsUnknown() {
        assertThat(driver.join("client-made-up").value().errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
        driver.stableGroupOfOne();
        assertThat(driver.join("client-made-up").value().errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void lostAnswerToAJoinIsGivenAgain() {
        Reply<JoinGroupResponse> joined = driver.joinAnew();
        driver.advance(0);
        String member = joined.value().memberId();

        JoinGroupResponse again = driver.join(member).value();

        assertThat(again.generationId()).isEqualTo(1);
        assertThat(again.members()).hasSize(1);
    }

    @Test
    void followerThatJoinsAgainUnchangedFindsTheSameGeneration() {
        List<String> members = driver.stableGroupOfTwo();

        assertThat(driver.join(members.get(1)).value().generationId()).isEqualTo(1);
        assertThat(driver.state()).isEqualTo("Stable");
    }

    @Test
    void leaderThatJoinsAgainBeginsANewRound() {
        List<String> members = driver.stableGroupOfTwo();

        Reply<JoinGroupResponse> again = driver.join(members.get(0));

        assertThat(again.isThere()).isFalse();
        assertThat(driver.state()).isEqualTo("PreparingRebalance");
        assertThat(driver.heartbeat(members.get(1), 1)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
    }

    @Test
    void laterOfTwoJoinsOfOneMemberCounts() {
        List<String> members = driver.stableGroupOfTwo();
        Reply<JoinGroupResponse> earlier = driver.join(members.get(0));
        Reply<JoinGroupResponse> later = driver.join(members.get(0));

        assertThat(earlier.value().errorCode()).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS.code());
        driver.join(members.get(1));
        assertThat(later.value().generationId()).isEqualTo(2);
    }

    // ---- a whole story

    @Test
    void thirdMemberJoinsAStableGroupOfTwo() {
        List<String> members = driver.stableGroupOfTwo();

        Reply<JoinGroupResponse> third = driver.joinAnew();
        assertThat(driver.heartbeat(members.get(0), 1)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
        Reply<JoinGroupResponse> first = driver.join(members.get(0));
        assertThat(first.isThere()).isFalse();
        Reply<JoinGroupResponse> second = driver.join(members.get(1));

        assertThat(List.of(first, second, third)).allSatisfy(joined -> {
            assertThat(joined.value().generationId()).isEqualTo(2);
            assertThat(joined.value().leader()).isEqualTo(members.get(0));
        });
        assertThat(driver.state()).isEqualTo("CompletingRebalance");

        String newcomer = third.value().memberId();
        Reply<SyncGroupResponse> secondSync = driver.sync(members.get(1), 2, Map.of());
        Reply<SyncGroupResponse> thirdSync = driver.sync(newcomer, 2, Map.of());
        assertThat(secondSync.isThere()).isFalse();
        Reply<SyncGroupResponse> firstSync =
                driver.sync(members.get(0), 2, Map.of(members.get(0), "p0", members.get(1), "p1", newcomer, "p2"));

        assertThat(text(firstSync.value().assignment())).isEqualTo("p0");
        assertThat(text(secondSync.value().assignment())).isEqualTo("p1");
        assertThat(text(thirdSync.value().assignment())).isEqualTo("p2");
        assertThat(driver.state()).isEqualTo("Stable");
        assertThat(driver.lastGroupRecord().generation()).isEqualTo(2);
        assertThat(driver.lastGroupRecord().members())
                .extracting(member -> text(member.assignment()))
                .containsExactly("p0", "p1", "p2");
    }

    // ---- syncing

    @Test
    void syncIsCheckedAgainstMemberGenerationAndProtocol() {
        String member = driver.stableGroupOfOne();

        assertThat(driver.sync("nobody", 1, Map.of()).value().errorCode())
                .isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
        assertThat(driver.sync(member, 0, Map.of()).value().errorCode()).isEqualTo(ErrorCode.ILLEGAL_GENERATION.code());
        assertThat(driver.sync(driver.syncRequest(member, 1, Map.of()).setProtocolName("sticky"))
                        .value()
                        .errorCode())
                .isEqualTo(ErrorCode.INCONSISTENT_GROUP_PROTOCOL.code());
        assertThat(text(driver.sync(member, 1, Map.of()).value().assignment())).isEqualTo("all");
    }

    @Test
    void syncDuringANewRoundIsToldToJoinAgain() {
        List<String> members = driver.stableGroupOfTwo();
        driver.join(members.get(0));

        assertThat(driver.sync(members.get(1), 1, Map.of()).value().errorCode())
                .isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS.code());
    }

    @Test
    void waitingSyncIsToldToJoinAgainWhenAnotherMemberComes() {
        Reply<JoinGroupResponse> first = driver.joinAnew();
        Reply<JoinGroupResponse> second = driver.joinAnew();
        driver.advance(0);
        Reply<SyncGroupResponse> waiting =
                driver.sync(second.value().memberId(), first.value().generationId(), Map.of());

        driver.joinAnew();

        assertThat(waiting.value().errorCode()).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS.code());
    }

    @Test
    void memberThatTheLeaderForgetsGetsAnEmptyAssignment() {
        Reply<JoinGroupResponse> first = driver.joinAnew();
        Reply<JoinGroupResponse> second = driver.joinAnew();
        driver.advance(0);
        Reply<SyncGroupResponse> forgotten = driver.sync(second.value().memberId(), 1, Map.of());

        driver.sync(first.value().memberId(), 1, Map.of(first.value().memberId(), "all"));

        assertThat(forgotten.value().errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(forgotten.value().assignment()).isEmpty();
    }

    // ---- who is not there in time

    @Test
    void memberThatIsNotHeardOfExpires() {
        List<String> members = driver.stableGroupOfTwo();
        driver.advance(SESSION_MS - 1);
        assertThat(driver.heartbeat(members.get(0), 1)).isEqualTo(ErrorCode.NONE);

        driver.advance(1);

        assertThat(driver.state()).isEqualTo("PreparingRebalance");
        assertThat(driver.heartbeat(members.get(1), 1)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
        Reply<JoinGroupResponse> left = driver.join(members.get(0));
        assertThat(left.value().generationId()).isEqualTo(2);
        assertThat(left.value().members()).hasSize(1);
    }

    @Test
    void groupWhoseLastMemberExpiresIsEmptyAndSaysSoInTheLog() {
        driver.stableGroupOfOne();

        driver.advance(SESSION_MS);

        assertThat(driver.state()).isEqualTo("Empty");
        assertThat(driver.lastGroupRecord().generation()).isEqualTo(2);
        assertThat(driver.lastGroupRecord().members()).isEmpty();
        assertThat(driver.lastGroupRecord().protocolType()).isEqualTo("consumer");
    }

    @Test
    void memberThatDoesNotJoinAgainIsDroppedAtTheRebalanceTimeout() {
        List<String> members = driver.stableGroupOfTwo();
        Reply<JoinGroupResponse> leader = driver.join(members.get(0));

        for (int waited = 0; waited < REBALANCE_MS; waited += SESSION_MS / 2) {
            assertThat(leader.isThere()).isFalse();
            driver.heartbeat(members.get(1), 1);
            driver.advance(SESSION_MS / 2);
        }

        assertThat(leader.value().generationId()).isEqualTo(2);
        assertThat(leader.value().members()).hasSize(1);
        assertThat(driver.heartbeat(members.get(1), 2)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void leaderThatDoesNotJoinAgainIsFollowedByOneWhoDid() {
        List<String> members = driver.stableGroupOfTwo();
        Reply<JoinGroupResponse> newcomer = driver.joinAnew();
        Reply<JoinGroupResponse> second = driver.join(members.get(1));

        driver.advance(REBALANCE_MS);

        assertThat(second.value().leader()).isEqualTo(members.get(1));
        assertThat(newcomer.value().leader()).isEqualTo(members.get(1));
    }

    @Test
    void pendingMemberDoesNotHoldARoundForEver() {
        List<String> members = driver.stableGroupOfTwo();
        driver.newMemberId();
        driver.heartbeat(members.get(0), 1);
        Reply<JoinGroupResponse> first = driver.join(members.get(0));
        Reply<JoinGroupResponse> second = driver.join(members.get(1));
        assertThat(first.isThere()).as("a pending member is waited for").isFalse();

        driver.advance(SESSION_MS);

        assertThat(first.value().generationId()).isEqualTo(2);
        assertThat(second.value().generationId()).isEqualTo(2);
    }

    @Test
    void memberThatJoinsAndDoesNotSyncIsDropped() {
        Reply<JoinGroupResponse> first = driver.joinAnew();
        Reply<JoinGroupResponse> second = driver.joinAnew();
        driver.advance(0);
        String leader = first.value().memberId();
        String silent = second.value().memberId();
        driver.sync(leader, 1, Map.of(leader, "left", silent, "right"));

        for (int waited = 0; waited < REBALANCE_MS; waited += SESSION_MS / 2) {
            driver.heartbeat(leader, 1);
            driver.heartbeat(silent, 1);
            driver.advance(SESSION_MS / 2);
        }

        assertThat(driver.heartbeat(leader, 1)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
        assertThat(driver.heartbeat(silent, 1)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    @Test
    void leaderThatDoesNotSyncMakesRoomForANewRound() {
        Reply<JoinGroupResponse> first = driver.joinAnew();
        Reply<JoinGroupResponse> second = driver.joinAnew();
        driver.advance(0);
        Reply<SyncGroupResponse> waiting = driver.sync(second.value().memberId(), 1, Map.of());

        driver.advance(SESSION_MS);

        assertThat(waiting.value().errorCode()).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS.code());
        Reply<JoinGroupResponse> again = driver.join(second.value().memberId());
        assertThat(again.value().generationId()).isEqualTo(2);
        assertThat(again.value().leader()).isEqualTo(second.value().memberId());
        assertThat(first.value().memberId()).isNotEqualTo(again.value().leader());
    }

    @Test
    void newMemberWhoseClientIsGoneDoesNotStayForEver() {
        List<String> members = driver.stableGroupOfTwo();
        Reply<JoinGroupResponse> gone =
                driver.join(joinRequest(driver.newMemberId(), null, "range").setRebalanceTimeoutMs(3_600_000), 9);
        Reply<JoinGroupResponse> first = driver.join(members.get(0));

        long untilMs = driver.nowMs + GroupSettings.NEW_MEMBER_JOIN_TIMEOUT_MS;
        while (driver.nowMs < untilMs) {
            driver.heartbeat(members.get(1), 1);
            driver.advance(SESSION_MS / 2);
        }

        assertThat(gone.value().errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
        assertThat(first.isThere()).isFalse();
    }

    // ---- leaving

    @Test
    void membersLeaveTogether() {
        List<String> members = driver.stableGroupOfTwo();

        LeaveGroupResponse left = driver.leave(
                new MemberIdentity().setMemberId(members.get(0)),
                new MemberIdentity().setMemberId(members.get(1)),
                new MemberIdentity().setMemberId("nobody"));

        assertThat(left.members())
                .extracting(LeaveGroupResponse.MemberResponse::errorCode)
                .containsExactly(ErrorCode.NONE.code(), ErrorCode.NONE.code(), ErrorCode.UNKNOWN_MEMBER_ID.code());
        assertThat(driver.state()).isEqualTo("Empty");
        assertThat(driver.lastGroupRecord().generation()).isEqualTo(2);
    }

    @Test
    void memberThatLeavesMakesTheOthersJoinAgain() {
        List<String> members = driver.stableGroupOfTwo();

        driver.leave(members.get(1));

        assertThat(driver.heartbeat(members.get(0), 1)).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS);
        assertThat(driver.join(members.get(0)).value().generationId()).isEqualTo(2);
    }

    @Test
    void pendingMemberThatLeavesIsNotWaitedFor() {
        List<String> members = driver.stableGroupOfTwo();
        String pending = driver.newMemberId();
        Reply<JoinGroupResponse> first = driver.join(members.get(0));
        driver.join(members.get(1));

        driver.leave(pending);

        assertThat(first.value().generationId()).isEqualTo(2);
    }

    @Test
    void membersOfAnUnknownGroupAreUnknown() {
        assertThat(driver.leave("anybody").members().get(0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
        assertThat(driver.heartbeat("anybody", 1)).isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID);
    }

    // ---- failover

    @Test
    void stableGroupOutlivesItsCoordinator() {
        List<String> members = driver.stableGroupOfTwo();

        driver.failOver();

        assertThat(driver.state()).isEqualTo("Stable");
        assertThat(driver.heartbeat(members.get(0), 1)).isEqualTo(ErrorCode.NONE);
        assertThat(text(driver.sync(members.get(1), 1, Map.of()).value().assignment()))
                .isEqualTo("right");
        assertThat(driver.join(members.get(1)).value().generationId()).isEqualTo(1);
    }

    @Test
    void sessionsOfALoadedGroupCountFromTheLoad() {
        driver.stableGroupOfTwo();
        driver.nowMs += 10 * SESSION_MS;
        driver.failOver();

        driver.advance(SESSION_MS - 1);
        assertThat(driver.state()).isEqualTo("Stable");
        driver.advance(1);
        assertThat(driver.state()).isEqualTo("Empty");
    }

    @Test
    void generationThatWasNeverSyncedIsNotKnownAfterAFailover() {
        List<String> members = driver.stableGroupOfTwo();
        driver.join(members.get(0));
        Reply<JoinGroupResponse> second = driver.join(members.get(1));
        assertThat(second.value().generationId()).isEqualTo(2);

        driver.failOver();

        assertThat(driver.sync(members.get(0), 2, Map.of()).value().errorCode())
                .isEqualTo(ErrorCode.ILLEGAL_GENERATION.code());
    }

    @Test
    void whoWaitsWhenTheCoordinatorGoesIsSentToTheNext() {
        List<String> members = driver.stableGroupOfTwo();
        Reply<JoinGroupResponse> waiting = driver.join(members.get(0));

        driver.coordinator.onUnloaded().forEach(answer -> answer.deliver());

        assertThat(waiting.value().errorCode()).isEqualTo(ErrorCode.NOT_COORDINATOR.code());
    }

    @Test
    void describedGroupShowsItsAssignmentsOnceItIsStable() {
        List<String> members = driver.stableGroupOfTwo();

        var group = driver.coordinator.describe(GROUP, (short) 6);

        assertThat(group.protocolType()).isEqualTo("consumer");
        assertThat(group.protocolData()).isEqualTo("range");
        assertThat(group.members()).extracting(member -> member.memberId()).isEqualTo(members);
        assertThat(group.members())
                .extracting(member -> text(member.memberAssignment()))
                .containsExactly("left", "right");
        assertThat(group.members().get(0).clientHost()).isEqualTo("/127.0.0.1");
        driver.join(members.get(0));
        assertThat(driver.coordinator.describe(GROUP, (short) 6).members())
                .allSatisfy(member -> assertThat(member.memberAssignment()).isEmpty());
    }

    @Test
    void unknownGroupIsDeadToOldClientsAndAnErrorToNewOnes() {
        assertThat(driver.coordinator.describe(GROUP, (short) 5).groupState()).isEqualTo("Dead");
        assertThat(driver.coordinator.describe(GROUP, (short) 5).errorCode()).isZero();
        assertThat(driver.coordinator.describe(GROUP, (short) 6).errorCode())
                .isEqualTo(ErrorCode.GROUP_ID_NOT_FOUND.code());
    }
}
