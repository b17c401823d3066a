package io.tidemark.broker.partition;

/** What a follower is to do to its log. */
public sealed interface FollowerEffect {
    /**
     * Remove every record at and above the offset, and every leader epoch that starts there or later.
     *
     * @param offset the log's new end
     */
    record Truncate(long offset) implements FollowerEffect {}

    /**
     * Drop the whole log and begin it anew: the leader no longer has what would join the two.
     *
     * @param offset the log's new start and end
     */
    record StartAnew(long offset) implements FollowerEffect {}

    /** Nothing: the next fetch goes on from the log's end. */
    record FetchOn() implements FollowerEffect {}
}
