package io.tidemark.broker.coordinator;

/** Which partition of its topic a coordinator's key lives on: a group's id, or a transactional id. */
public final class CoordinatorPartition {
    private CoordinatorPartition() {}

    /** As Kafka has it: the absolute of Java's hash of the id, where the one int without an absolute counts as 0. */
    public static int of(String id, int partitions) {
        int hash = id.hashCode();
        return (hash == Integer.MIN_VALUE ? 0 : Math.abs(hash)) % partitions;
    }
}
