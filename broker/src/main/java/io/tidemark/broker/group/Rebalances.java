package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.Answer.Ticket;
import io.tidemark.broker.group.GroupDeadline.JoinPhase;
import io.tidemark.broker.group.GroupDeadline.PendingJoin;
import io.tidemark.broker.group.GroupDeadline.Session;
import io.tidemark.broker.group.GroupDeadline.SyncPhase;
import io.tidemark.broker.group.GroupState.CompletingRebalance;
import io.tidemark.broker.group.GroupState.FirstRound;
import io.tidemark.broker.group.GroupState.PreparingRebalance;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.List;
import java.util.Map;

/**
 * The rounds of a rebalance: members join, a generation begins, members fetch their assignments. Who is not there in
 * time is dropped, so that no member, and no pending one, can hold a group for ever.
 */
final class Rebalances {
    private final GroupSettings settings;
    private final Deadlines<GroupDeadline> deadlines;

    Rebalances(GroupSettings settings, Deadlines<GroupDeadline> deadlines) {
        this.settings = settings;
        this.deadlines = deadlines;
    }

    // ---- the round of joining

    /** Something changed: begins a round, or ends the one that runs if that was all it waited for. */
    void prepareOrComplete(ClassicGroup group, Turn turn) {
        if (group.canRebalance()) {
            prepare(group, turn);
        } else {
            completeIfAllJoined(group, turn);
        }
    }

    void prepare(ClassicGroup group, Turn turn) {
        if (group.isIn(GroupStateName.COMPLETING_REBALANCE)) {
            failSyncs(group, ErrorCode.REBALANCE_IN_PROGRESS, turn);
        }
        deadlines.cancel(new SyncPhase(group.id()));
        if (group.isIn(GroupStateName.EMPTY)) {
            beginFirstRound(group, turn);
            return;
        }
        group.become(new PreparingRebalance(null), turn.nowMs());
        if (group.allMembersJoined()) {
            completeJoin(group, turn);
        } else {
            deadlines.set(new JoinPhase(group.id()), turn.nowMs() + group.rebalanceTimeoutMs());
        }
    }

    private void beginFirstRound(ClassicGroup group, Turn turn) {
        long delayMs = settings.initialRebalanceDelayMs();
        long remainingMs = Math.max(group.rebalanceTimeoutMs() - delayMs, 0);
        FirstRound firstRound = new FirstRound(delayMs, remainingMs, false);
        group.become(new PreparingRebalance(firstRound), turn.nowMs());
        deadlines.set(new JoinPhase(group.id()), turn.nowMs() + delayMs);
    }

    /** Ends the round if nobody is missing; the first round of a group ends by time alone. */
    void completeIfAllJoined(ClassicGroup group, Turn turn) {
        if (group.state() instanceof PreparingRebalance preparing
                && preparing.firstRound() == null
                && group.allMembersJoined()) {
            completeJoin(group, turn);
        }
    }

    /** A member came; a first round may wait longer for more of them. */
    void memberCame(ClassicGroup group) {
        if (group.state() instanceof PreparingRebalance preparing && preparing.firstRound() != null) {
            group.update(new PreparingRebalance(preparing.firstRound().withMember()));
        }
    }

    void onJoinPhaseOver(ClassicGroup group, Turn turn) {
        if (!(group.state() instanceof PreparingRebalance preparing)) {
            return;
        }
        FirstRound firstRound = preparing.firstRound();
        FirstRound next = firstRound == null ? null : firstRound.next(settings.initialRebalanceDelayMs());
        if (next != null) {
            group.update(new PreparingRebalance(next));
            deadlines.set(new JoinPhase(group.id()), turn.nowMs() + next.delayMs());
        } else {
            completeJoin(group, turn);
        }
    }

    private void completeJoin(ClassicGroup group, Turn turn) {
        deadlines.cancel(new JoinPhase(group.id()));
        for (Member absent : group.absentDynamicMembers()) {
            drop(group, absent);
        }
        if (!group.electJoinedLeader() && group.hasMembers()) {
            // Only static members are left and all are away: they keep their places, and the round goes on.
            group.update(new PreparingRebalance(null));
            deadlines.set(new JoinPhase(group.id()), turn.nowMs() + group.rebalanceTimeoutMs());
            return;
        }
        group.beginNextGeneration(turn.nowMs());
        if (!group.hasMembers()) {
            turn.record(GroupRecords.group(group, Map.of()));
            return;
        }
        for (Member member : group.members()) {
            answerJoin(member, JoinAnswers.joined(group, member), turn);
            renewSession(group, member, turn);
            member.markNew(false);
            group.awaitSyncOf(member.id());
        }
        deadlines.set(new SyncPhase(group.id()), turn.nowMs() + group.rebalanceTimeoutMs());
    }

    // ---- the round of syncing

    /** A member has asked for its assignment. */
    void onSync(ClassicGroup group, Member member) {
        group.syncSeen(member.id());
        if (group.pendingSyncs().isEmpty()) {
            deadlines.cancel(new SyncPhase(group.id()));
        }
    }

    /** Members that joined and then never asked for an assignment make room for a new round (KAFKA-12890). */
    void onSyncPhaseOver(ClassicGroup group, Turn turn) {
        boolean awaited = group.isIn(GroupStateName.COMPLETING_REBALANCE) || group.isIn(GroupStateName.STABLE);
        if (!awaited || group.pendingSyncs().isEmpty()) {
            return;
        }
        for (String memberId : List.copyOf(group.pendingSyncs())) {
            Member member = group.member(memberId);
            if (member != null) {
                drop(group, member);
            }
        }
        prepare(group, turn);
    }

    /** The record with the assignments is in the log: they are the members', and the group is stable. */
    void onAssignmentLogged(ClassicGroup group, Map<String, byte[]> assignments, long nowMs) {
        for (Member member : group.members()) {
            byte[] assignment = assignments.get(member.id());
            if (assignment != null) {
                member.assign(assignment);
            }
        }
        if (group.state() instanceof CompletingRebalance) {
            group.become(new GroupState.Stable(), nowMs);
        }
    }

    private void failSyncs(ClassicGroup group, ErrorCode error, Turn turn) {
        for (Member member : group.members()) {
            member.assign(Member.NO_BYTES);
            if (member.isAwaitingSync()) {
                answerSync(member, JoinAnswers.syncError(error), turn);
                // It will join again; until then its session counts as that of any other member.
                renewSession(group, member, turn);
            }
        }
    }

    // ---- sessions

    void renewSession(ClassicGroup group, Member member, Turn turn) {
        deadlines.set(new Session(group.id(), member.id()), turn.nowMs() + member.sessionTimeoutMs());
    }

    void beginNewMemberSession(ClassicGroup group, Member member, Turn turn) {
        deadlines.set(new Session(group.id(), member.id()), turn.nowMs() + GroupSettings.NEW_MEMBER_JOIN_TIMEOUT_MS);
    }

    void onSessionOver(ClassicGroup group, String memberId, Turn turn) {
        Member member = group.member(memberId);
        if (member == null) {
            return;
        }
        // A wait for the coordinator proves nothing against a member, except for one whose client may be long gone.
        boolean excused = !member.isNew() && (member.isAwaitingJoin() || member.isAwaitingSync());
        if (!excused) {
            removeMember(group, member, turn);
        }
    }

    void onPendingJoinOver(ClassicGroup group, String memberId, Turn turn) {
        if (group.isPending(memberId)) {
            group.remove(memberId);
            completeIfAllJoined(group, turn);
        }
    }

    /** Takes a member out that has left or expired, and lets the others go on without it. */
    void removeMember(ClassicGroup group, Member member, Turn turn) {
        dismiss(group, member, turn);
        onMembersGone(group, turn);
    }

    /** Takes a member out and answers what it waits for. */
    void dismiss(ClassicGroup group, Member member, Turn turn) {
        answerJoin(member, JoinAnswers.joinError(ErrorCode.UNKNOWN_MEMBER_ID, ""), turn);
        answerSync(member, JoinAnswers.syncError(ErrorCode.UNKNOWN_MEMBER_ID), turn);
        drop(group, member);
    }

    /** Members were taken out: a running round may be complete now, a group at rest needs a new one. */
    void onMembersGone(ClassicGroup group, Turn turn) {
        switch (group.stateName()) {
            case STABLE, COMPLETING_REBALANCE -> prepareOrComplete(group, turn);
            case PREPARING_REBALANCE -> completeIfAllJoined(group, turn);
            case EMPTY, DEAD -> {}
        }
    }

    private void drop(ClassicGroup group, Member member) {
        deadlines.cancel(new Session(group.id(), member.id()));
        group.remove(member.id());
    }

    /** Nothing of the group is due any more. */
    void forget(ClassicGroup group) {
        deadlines.cancel(new JoinPhase(group.id()));
        deadlines.cancel(new SyncPhase(group.id()));
        group.members().forEach(member -> deadlines.cancel(new Session(group.id(), member.id())));
        group.pendingMembers().forEach(memberId -> deadlines.cancel(new PendingJoin(group.id(), memberId)));
    }

    // ---- answers

    /** Answers the member's JoinGroup, if one waits. */
    void answerJoin(Member member, JoinGroupResponse response, Turn turn) {
        Ticket<JoinGroupResponse> ticket = member.takeJoinTicket();
        if (ticket != null) {
            turn.answer(ticket, response, error -> JoinAnswers.joinError(error, response.memberId()));
        }
    }

    /** Answers the member's SyncGroup, if one waits. */
    void answerSync(Member member, SyncGroupResponse response, Turn turn) {
        Ticket<SyncGroupResponse> ticket = member.takeSyncTicket();
        if (ticket != null) {
            turn.answer(ticket, response, JoinAnswers::syncError);
        }
    }
}
