package io.tidemark.broker.replication;

/** Hears of the partitions of a topic, as their leader. On the loop, after the turn in which it happened. */
interface PartitionListener {
    void onLeader(HostedPartition partition, int leaderEpoch);

    void onNotLeader(HostedPartition partition);

    void onHighWatermark(HostedPartition partition, long highWatermark);
}
