package io.tidemark.broker.group;

/** What happens when a time is up, in the group coordinator. */
sealed interface GroupDeadline {
    /** The round of joining ends. */
    record JoinPhase(String groupId) implements GroupDeadline {}

    /** Members that have not asked for their assignment are removed. */
    record SyncPhase(String groupId) implements GroupDeadline {}

    /** The member has not been heard of. */
    record Session(String groupId, String memberId) implements GroupDeadline {}

    /** The member was given an id and has not come back with it. */
    record PendingJoin(String groupId, String memberId) implements GroupDeadline {}

    /** Offsets may have outlived their retention. */
    record OffsetRetention() implements GroupDeadline {}
}
