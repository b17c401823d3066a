package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.Answer.Ticket;
import io.tidemark.broker.group.GroupDeadline.PendingJoin;
import io.tidemark.broker.group.Member.JoinTerms;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupRequest;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Who may join a group, and what that does to it. */
final class JoinRules {
    /** From this version on a member must come back with the id it was given (KIP-394). */
    private static final short MEMBER_ID_REQUIRED_VERSION = 4;
    /** From this version on a returning leader can be told to leave the assignment as it is (KIP-814). */
    private static final short SKIP_ASSIGNMENT_VERSION = 9;

    private final GroupSettings settings;
    private final Deadlines<GroupDeadline> deadlines;
    private final Rebalances rebalances;
    private final RandomGenerator random;

    JoinRules(
            GroupSettings settings, Deadlines<GroupDeadline> deadlines, Rebalances rebalances, RandomGenerator random) {
        this.settings = settings;
        this.deadlines = deadlines;
        this.rebalances = rebalances;
        this.random = random;
    }

    /** One JoinGroup: what was asked, by whom, and who waits for the answer. */
    record Join(JoinGroupRequest request, Caller caller, Ticket<JoinGroupResponse> ticket) {
        String memberId() {
            return request.memberId();
        }

        @Nullable
        String instanceId() {
            return request.groupInstanceId();
        }

        List<MemberProtocol> protocols() {
            return request.protocols().stream()
                    .map(protocol -> new MemberProtocol(protocol.name(), protocol.metadata()))
                    .toList();
        }

        JoinTerms terms() {
            // Version 0 has no rebalance timeout of its own.
            int rebalanceTimeoutMs =
                    request.rebalanceTimeoutMs() < 0 ? request.sessionTimeoutMs() : request.rebalanceTimeoutMs();
            return new JoinTerms(
                    caller.clientId(),
                    caller.clientHost(),
                    rebalanceTimeoutMs,
                    request.sessionTimeoutMs(),
                    protocols());
        }
    }

    /** Faults that show in the request alone. */
    ErrorCode check(JoinGroupRequest request) {
        if (request.groupId().isEmpty()) {
            return ErrorCode.INVALID_GROUP_ID;
        }
        if (request.sessionTimeoutMs() < settings.minSessionTimeoutMs()
                || request.sessionTimeoutMs() > settings.maxSessionTimeoutMs()) {
            return ErrorCode.INVALID_SESSION_TIMEOUT;
        }
        return ErrorCode.NONE;
    }

    void join(ClassicGroup group, Join join, Turn turn) {
        String memberId = join.memberId();
        if (!hasRoomFor(group, memberId)) {
            group.remove(memberId);
            refuse(join, ErrorCode.GROUP_MAX_SIZE_REACHED, "", turn);
        } else if (group.isIn(GroupStateName.DEAD)) {
            refuse(join, ErrorCode.COORDINATOR_NOT_AVAILABLE, memberId, turn);
        } else if (!supportsProtocols(group, join)) {
            refuse(join, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, memberId, turn);
        } else if (memberId.isEmpty()) {
            joinWithoutId(group, join, turn);
        } else {
            joinWithId(group, join, turn);
        }
    }

    /** Members wait for one another in a round, so those who came first may stay; later the members count. */
    private boolean hasRoomFor(ClassicGroup group, String memberId) {
        Member member = group.member(memberId);
        return switch (group.stateName()) {
            case EMPTY, DEAD -> true;
            case PREPARING_REBALANCE ->
                (member != null && member.isAwaitingJoin()) || group.awaitingJoinCount() < settings.maxSize();
            case COMPLETING_REBALANCE, STABLE -> member != null || group.size() < settings.maxSize();
        };
    }

    private static boolean supportsProtocols(ClassicGroup group, Join join) {
        return group.supportsProtocols(join.request().protocolType(), join.protocols());
    }

    // ---- without a member id

    private void joinWithoutId(ClassicGroup group, Join join, Turn turn) {
        String instanceId = join.instanceId();
        String newMemberId = newMemberId(join);
        if (instanceId != null) {
            String oldMemberId = group.staticMemberId(instanceId);
            Member old = oldMemberId == null ? null : group.member(oldMemberId);
            if (old == null) {
                addMember(group, newMemberId, join, turn);
            } else {
                replaceStaticMember(group, old, newMemberId, join, turn);
            }
        } else if (join.caller().apiVersion() >= MEMBER_ID_REQUIRED_VERSION) {
            group.addPending(newMemberId);
            deadlines.set(
                    new PendingJoin(group.id(), newMemberId),
                    turn.nowMs() + join.request().sessionTimeoutMs());
            refuse(join, ErrorCode.MEMBER_ID_REQUIRED, newMemberId, turn);
        } else {
            addMember(group, newMemberId, join, turn);
        }
    }

    private String newMemberId(Join join) {
        String instanceId = join.instanceId();
        String prefix = instanceId == null ? join.caller().clientId() : instanceId;
        long most = (random.nextLong() & ~0xF000L) | 0x4000L;
        long least = (random.nextLong() & ~0xC000000000000000L) | 0x8000000000000000L;
        return prefix + "-" + new UUID(most, least);
    }

    private void addMember(ClassicGroup group, String memberId, Join join, Turn turn) {
        Member member = new Member(memberId, join.instanceId(), join.request().protocolType(), join.terms());
        member.markNew(true);
        rebalances.memberCame(group);
        deadlines.cancel(new PendingJoin(group.id(), memberId));
        group.add(member);
        member.awaitJoin(join.ticket());
        rebalances.beginNewMemberSession(group, member, turn);
        rebalances.prepareOrComplete(group, turn);
    }

    /** A static member is back under a new id. The old id is fenced, wherever it still waits (KIP-345). */
    private void replaceStaticMember(ClassicGroup group, Member old, String newMemberId, Join join, Turn turn) {
        String leaderBefore = group.leaderId();
        rebalances.answerJoin(old, JoinAnswers.joinError(ErrorCode.FENCED_INSTANCE_ID, old.id()), turn);
        rebalances.answerSync(old, JoinAnswers.syncError(ErrorCode.FENCED_INSTANCE_ID), turn);
        deadlines.cancel(new GroupDeadline.Session(group.id(), old.id()));
        Member member = group.replaceStaticMember(old, newMemberId);
        rebalances.renewSession(group, member, turn);
        member.update(join.terms());
        member.awaitJoin(join.ticket());

        if (!group.isIn(GroupStateName.STABLE)) {
            // In CompletingRebalance the leader may be assigning to the old id, so a new round is needed as well.
            rebalances.prepareOrComplete(group, turn);
        } else if (!group.selectProtocol().equals(group.protocolName())) {
            rebalances.prepareOrComplete(group, turn);
        } else {
            keepGeneration(group, member, leaderBefore, join, turn);
        }
    }

    /** The group stays as it is, and the log learns the new id. */
    private void keepGeneration(
            ClassicGroup group, Member member, @Nullable String leaderBefore, Join join, Turn turn) {
        boolean leads = group.isLeader(member.id());
        JoinGroupResponse response;
        if (join.caller().apiVersion() >= SKIP_ASSIGNMENT_VERSION) {
            response = JoinAnswers.joined(group, member, leads, leads);
        } else {
            // The old leader's id keeps an older client from assigning: it takes itself for a follower.
            response =
                    JoinAnswers.joined(group, member, false, false).setLeader(leaderBefore == null ? "" : leaderBefore);
        }
        turn.record(GroupRecords.group(group, SyncRules.assignmentsOf(group)));
        rebalances.answerJoin(member, response, turn);
    }

    // ---- with a member id

    private void joinWithId(ClassicGroup group, Join join, Turn turn) {
        String memberId = join.memberId();
        if (group.isPending(memberId)) {
            addMember(group, memberId, join, turn);
            return;
        }
        ErrorCode fault = group.checkMember(memberId, join.instanceId());
        Member member = group.member(memberId);
        if (fault != ErrorCode.NONE || member == null) {
            refuse(join, fault, memberId, turn);
            return;
        }
        boolean unchanged = member.protocols().equals(join.protocols());
        switch (group.stateName()) {
            case PREPARING_REBALANCE -> rejoin(group, member, join, turn);
            case COMPLETING_REBALANCE -> {
                // The same metadata again: the answer to the first JoinGroup was lost.
                if (unchanged) {
                    tellGeneration(group, member, join, turn);
                } else {
                    rejoin(group, member, join, turn);
                }
            }
            case STABLE -> {
                // A leader that joins again wants a new assignment, for it has seen the topics change.
                if (unchanged && !group.isLeader(memberId)) {
                    tellGeneration(group, member, join, turn);
                } else {
                    rejoin(group, member, join, turn);
                }
            }
            case EMPTY, DEAD -> refuse(join, ErrorCode.UNKNOWN_MEMBER_ID, memberId, turn);
        }
    }

    private void rejoin(ClassicGroup group, Member member, Join join, Turn turn) {
        // Of two JoinGroups of one member the later one counts; the earlier is told to try again.
        rebalances.answerJoin(member, JoinAnswers.joinError(ErrorCode.REBALANCE_IN_PROGRESS, member.id()), turn);
        member.update(join.terms());
        member.awaitJoin(join.ticket());
        rebalances.prepareOrComplete(group, turn);
    }

    private static void tellGeneration(ClassicGroup group, Member member, Join join, Turn turn) {
        boolean withMembers = group.isIn(GroupStateName.COMPLETING_REBALANCE) && group.isLeader(member.id());
        JoinGroupResponse response = JoinAnswers.joined(group, member, withMembers, false);
        turn.answer(join.ticket(), response, error -> JoinAnswers.joinError(error, member.id()));
    }

    private static void refuse(Join join, ErrorCode error, String memberId, Turn turn) {
        turn.answer(
                join.ticket(),
                JoinAnswers.joinError(error, memberId),
                failure -> JoinAnswers.joinError(failure, memberId));
    }
}
