package io.tidemark.broker.group;

import io.tidemark.broker.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Who commits offsets, in a transaction or without one.
 *
 * @param generation of the group as the committer knows it, or negative where it is no member of it
 * @param memberId empty where it is no member
 * @param groupInstanceId of a static member (KIP-345)
 */
record Committer(int generation, String memberId, @Nullable String groupInstanceId) {
    /** Without a generation it is a consumer that manages its partitions itself: its commit makes the group. */
    ErrorCode checkWithoutGroup(boolean knowsOfGroupsThatAreNotThere) {
        if (generation < 0) {
            return ErrorCode.NONE;
        }
        return knowsOfGroupsThatAreNotThere ? ErrorCode.GROUP_ID_NOT_FOUND : ErrorCode.ILLEGAL_GENERATION;
    }

    /**
     * Whether it may commit to a group.
     *
     * @param toStrangers the answer to one that is no member of a group that has members
     */
    ErrorCode check(ClassicGroup group, ErrorCode toStrangers) {
        if (group.isIn(GroupStateName.DEAD)) {
            return ErrorCode.COORDINATOR_NOT_AVAILABLE;
        }
        if (generation < 0 && group.isIn(GroupStateName.EMPTY)) {
            return ErrorCode.NONE;
        }
        boolean asMember = generation >= 0 || !memberId.isEmpty() || groupInstanceId != null;
        if (!asMember) {
            return toStrangers;
        }
        ErrorCode fault = group.checkMember(memberId, groupInstanceId);
        if (fault != ErrorCode.NONE) {
            return fault;
        }
        return generation == group.generation() ? ErrorCode.NONE : ErrorCode.ILLEGAL_GENERATION;
    }
}
