package io.tidemark.broker.group;

import static io.tidemark.broker.group.GroupDriver.SESSION_MS;
import static io.tidemark.broker.group.GroupDriver.joinRequest;
import static io.tidemark.broker.group.GroupDriver.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.group.GroupDriver.Reply;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.LeaveGroupRequest.MemberIdentity;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** KIP-345 and KIP-814. */
class StaticMembershipTest {
    private final GroupDriver driver = new GroupDriver(GroupDriver.settings());
    private String leader = "";
    private String follower = "";

    @BeforeEach
    void aStableGroupOfTwoStaticMembers() {
        Reply<JoinGroupResponse> first = driver.joinStatic("", "one");
        Reply<JoinGroupResponse> second = driver.joinStatic("", "two");
        driver.advance(0);
        leader = first.value().memberId();
        follower = second.value().memberId();
        driver.sync(follower, 1, Map.of());
        driver.sync(leader, 1, Map.of(leader, "left", follower, "right"));
    }

    @Test
    void staticMemberNeedsNoSecondJoin() {
        assertThat(leader).startsWith("one-");
        assertThat(driver.state()).isEqualTo("Stable");
    }

    @Test
    void returningFollowerFindsItsAssignmentAndTheSameGeneration() {
        JoinGroupResponse back = driver.joinStatic("", "two").value();

        assertThat(back.errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(back.generationId()).isEqualTo(1);
        assertThat(back.memberId()).startsWith("two-").isNotEqualTo(follower);
        assertThat(back.leader()).isEqualTo(leader);
        assertThat(back.skipAssignment()).isFalse();
        assertThat(driver.state()).isEqualTo("Stable");
        assertThat(text(driver.sync(back.memberId(), 1, Map.of()).value().assignment()))
                .isEqualTo("right");
        assertThat(driver.lastGroupRecord().members())
                .extracting(member -> member.memberId())
                .contains(back.memberId())
                .doesNotContain(follower);
    }

    @Test
    void returningLeaderIsToldToSkipTheAssignment() {
        JoinGroupResponse back = driver.joinStatic("", "one").value();

        assertThat(back.generationId()).isEqualTo(1);
        assertThat(back.leader()).isEqualTo(back.memberId());
        assertThat(back.skipAssignment()).isTrue();
        assertThat(back.members()).hasSize(2);
    }

    @Test
    void returningLeaderThatKnowsNoSkippingTakesItselfForAFollower() {
        JoinGroupResponse back = driver.join(joinRequest("", "one", "range"), 8).value();

        assertThat(back.leader()).isEqualTo(leader);
        assertThat(back.skipAssignment()).isFalse();
        assertThat(back.members()).isEmpty();
    }

    @Test
    void oldTwinIsFenced() {
        driver.joinStatic("", "two");

        assertThat(driver.heartbeat(follower, "two", 1)).isEqualTo(ErrorCode.FENCED_INSTANCE_ID);
        assertThat(driver.joinStatic(follower, "two").value().errorCode())
                .isEqualTo(ErrorCode.FENCED_INSTANCE_ID.code());
        assertThat(driver.sync(driver.syncRequest(follower, 1, Map.of()).setGroupInstanceId("two"))
                        .value()
                        .errorCode())
                .isEqualTo(ErrorCode.FENCED_INSTANCE_ID.code());
    }

    @Test
    void oldTwinThatWaitsIsFencedAtOnce() {
        Reply<JoinGroupResponse> waiting = driver.joinStatic(leader, "one");
        assertThat(waiting.isThere()).isFalse();

        driver.joinStatic("", "one");

        assertThat(waiting.value().errorCode()).isEqualTo(ErrorCode.FENCED_INSTANCE_ID.code());
    }

    @Test
    void returnBeforeTheAssignmentBeginsANewRound() {
        driver.joinStatic(leader, "one");
        driver.joinStatic(follower, "two");
        assertThat(driver.state()).isEqualTo("CompletingRebalance");
        Reply<SyncGroupResponse> waiting = driver.sync(follower, 2, Map.of());

        Reply<JoinGroupResponse> back = driver.joinStatic("", "one");

        assertThat(waiting.value().errorCode()).isEqualTo(ErrorCode.REBALANCE_IN_PROGRESS.code());
        assertThat(back.isThere()).isFalse();
        driver.joinStatic(follower, "two");
        assertThat(back.value().generationId()).isEqualTo(3);
    }

    @Test
    void memberThatIsAwayKeepsItsPlaceInARoundUntilItsSessionEnds() {
        Reply<JoinGroupResponse> first = driver.joinStatic(leader, "one");
        driver.advance(SESSION_MS - 1);
        assertThat(first.isThere()).isFalse();

        driver.advance(1);

        assertThat(first.value().generationId()).isEqualTo(2);
        assertThat(first.value().members()).hasSize(1);
    }

    @Test
    void adminSendsAMemberOffByItsInstanceId() {
        var left = driver.leave(new MemberIdentity().setMemberId("").setGroupInstanceId("two"));

        assertThat(left.members().get(0).errorCode()).isEqualTo(ErrorCode.NONE.code());
        assertThat(driver.memberCount()).isEqualTo(1);
        assertThat(driver.leave(new MemberIdentity().setMemberId("").setGroupInstanceId("two"))
                        .members()
                        .get(0)
                        .errorCode())
                .isEqualTo(ErrorCode.UNKNOWN_MEMBER_ID.code());
    }

    @Test
    void leavingUnderAnOldIdIsFenced() {
        driver.joinStatic("", "two");

        var left = driver.leave(new MemberIdentity().setMemberId(follower).setGroupInstanceId("two"));

        assertThat(left.members().get(0).errorCode()).isEqualTo(ErrorCode.FENCED_INSTANCE_ID.code());
    }

    @Test
    void returnAfterAFailoverStillNeedsNoNewRound() {
        driver.failOver();

        JoinGroupResponse back = driver.joinStatic("", "two").value();

        assertThat(back.generationId()).isEqualTo(1);
        assertThat(text(driver.sync(back.memberId(), 1, Map.of()).value().assignment()))
                .isEqualTo("right");
    }
}
