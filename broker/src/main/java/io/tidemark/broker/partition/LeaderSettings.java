package io.tidemark.broker.partition;

/**
 * @param minInsyncReplicas the topic's {@code min.insync.replicas}
 * @param replicaLagTimeMaxMs the broker's {@code replica.lag.time.max.ms}
 */
public record LeaderSettings(int minInsyncReplicas, long replicaLagTimeMaxMs) {}
