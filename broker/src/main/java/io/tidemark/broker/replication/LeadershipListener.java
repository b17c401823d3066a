package io.tidemark.broker.replication;

import io.tidemark.broker.types.TopicIdPartition;

/** Hears when this broker comes to lead a partition of a topic, and when it no longer does. On the loop. */
public interface LeadershipListener {
    /**
     * This broker leads the partition in this epoch; the log can be read and, with the epoch, appended to. A later
     * call for the same partition with a higher epoch means that leadership was given anew.
     */
    void onLeader(TopicIdPartition partition, int leaderEpoch);

    /**
     * This broker no longer leads the partition: another does, none does, or the partition is gone. Appends with an
     * older epoch are refused from here on, and those not yet committed have been answered NOT_LEADER_OR_FOLLOWER.
     *
     * @param leaderEpoch the epoch in which it no longer leads
     */
    void onNotLeader(TopicIdPartition partition, int leaderEpoch);
}
