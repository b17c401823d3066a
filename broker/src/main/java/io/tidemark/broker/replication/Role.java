package io.tidemark.broker.replication;

import io.tidemark.broker.partition.FollowerPartition;
import io.tidemark.broker.partition.LeaderPartition;

/** What this broker is to a partition. */
sealed interface Role {
    int leaderEpoch();

    long highWatermark();

    /**
     * It leads.
     *
     * @param leader the leader's state
     */
    record Leading(LeaderPartition leader) implements Role {
        @Override
        public int leaderEpoch() {
            return leader.leaderEpoch();
        }

        @Override
        public long highWatermark() {
            return leader.highWatermark();
        }
    }

    /**
     * It follows, or waits for a leader to follow.
     *
     * @param follower the follower's state
     */
    record Following(FollowerPartition follower) implements Role {
        @Override
        public int leaderEpoch() {
            return follower.leaderEpoch();
        }

        @Override
        public long highWatermark() {
            return follower.highWatermark();
        }
    }
}
