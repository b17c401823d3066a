package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.Answer.Ticket;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.SyncGroupRequest;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How members fetch their assignments, and how they stay in the group. */
final class SyncRules {
    private final Rebalances rebalances;

    SyncRules(Rebalances rebalances) {
        this.rebalances = rebalances;
    }

    static Map<String, byte[]> assignmentsOf(ClassicGroup group) {
        Map<String, byte[]> assignments = new LinkedHashMap<>();
        group.members().forEach(member -> assignments.put(member.id(), member.assignment()));
        return assignments;
    }

    void sync(ClassicGroup group, SyncGroupRequest request, Ticket<SyncGroupResponse> ticket, Turn turn) {
        ErrorCode fault = check(group, request);
        Member member = group.member(request.memberId());
        if (fault != ErrorCode.NONE || member == null) {
            refuse(ticket, fault, turn);
            return;
        }
        switch (group.stateName()) {
            case EMPTY, DEAD -> refuse(ticket, ErrorCode.UNKNOWN_MEMBER_ID, turn);
            case PREPARING_REBALANCE -> refuse(ticket, ErrorCode.REBALANCE_IN_PROGRESS, turn);
            case COMPLETING_REBALANCE -> {
                // Of two SyncGroups of one member the later one counts; the earlier is told to try again.
                rebalances.answerSync(member, JoinAnswers.syncError(ErrorCode.REBALANCE_IN_PROGRESS), turn);
                member.awaitSync(ticket);
                rebalances.onSync(group, member);
                if (group.isLeader(member.id())) {
                    assign(group, request, turn);
                }
            }
            case STABLE -> {
                rebalances.onSync(group, member);
                rebalances.renewSession(group, member, turn);
                turn.answer(ticket, JoinAnswers.synced(group, member.assignment()), JoinAnswers::syncError);
            }
        }
    }

    private static ErrorCode check(ClassicGroup group, SyncGroupRequest request) {
        if (group.isIn(GroupStateName.DEAD)) {
            return ErrorCode.COORDINATOR_NOT_AVAILABLE;
        }
        ErrorCode fault = group.checkMember(request.memberId(), request.groupInstanceId());
        if (fault != ErrorCode.NONE) {
            return fault;
        }
        if (request.generationId() != group.generation()) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        return differs(request.protocolType(), group.protocolType())
                        || differs(request.protocolName(), group.protocolName())
                ? ErrorCode.INCONSISTENT_GROUP_PROTOCOL
                : ErrorCode.NONE;
    }

    /** What the client does not say (it is older than KIP-559) differs from nothing. */
    private static boolean differs(@Nullable String said, @Nullable String known) {
        return said != null && !said.equals(known);
    }

    /** The leader has spoken: the assignment goes to the log, and from there to the members. */
    private void assign(ClassicGroup group, SyncGroupRequest request, Turn turn) {
        Map<String, byte[]> assignments = new LinkedHashMap<>();
        group.members().forEach(member -> assignments.put(member.id(), Member.NO_BYTES));
        request.assignments().forEach(assigned -> assignments.replace(assigned.memberId(), assigned.assignment()));
        turn.record(GroupRecords.group(group, assignments));
        for (Member member : group.members()) {
            if (member.isAwaitingSync()) {
                byte[] assignment = assignments.getOrDefault(member.id(), Member.NO_BYTES);
                rebalances.answerSync(member, JoinAnswers.synced(group, assignment), turn);
                rebalances.renewSession(group, member, turn);
            }
        }
    }

    private static void refuse(Ticket<SyncGroupResponse> ticket, ErrorCode error, Turn turn) {
        turn.answer(ticket, JoinAnswers.syncError(error), JoinAnswers::syncError);
    }

    ErrorCode heartbeat(ClassicGroup group, HeartbeatRequest request, Turn turn) {
        if (group.isIn(GroupStateName.DEAD)) {
            return ErrorCode.COORDINATOR_NOT_AVAILABLE;
        }
        ErrorCode fault = group.checkMember(request.memberId(), request.groupInstanceId());
        Member member = group.member(request.memberId());
        if (fault != ErrorCode.NONE || member == null) {
            return fault;
        }
        if (request.generationId() != group.generation()) {
            return ErrorCode.ILLEGAL_GENERATION;
        }
        rebalances.renewSession(group, member, turn);
        return group.isIn(GroupStateName.PREPARING_REBALANCE) ? ErrorCode.REBALANCE_IN_PROGRESS : ErrorCode.NONE;
    }
}
