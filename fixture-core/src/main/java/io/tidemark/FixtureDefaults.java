package io.tidemark;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The one place where a cluster under test differs from Apache Kafka's own defaults. Each can be set back with
 * {@link Cluster.Builder#config(String, String)}.
 *
 * <pre>{@code
 * Cluster.builder().config("group.initial.rebalance.delay.ms", "3000")
 * }</pre>
 */
public final class FixtureDefaults {
    private static final int INTERNAL_TOPIC_PARTITIONS = 5;

    private FixtureDefaults() {}

    /** The values for a cluster of so many brokers, by Kafka's name. */
    public static SortedMap<String, String> forBrokers(int brokers) {
        String replicas = Integer.toString(Math.min(3, brokers));
        String minInSync = Integer.toString(Math.min(2, brokers));
        SortedMap<String, String> values = new TreeMap<>();
        // Three replicas where there are three brokers, for the internal topics too.
        values.put("default.replication.factor", replicas);
        values.put("offsets.topic.replication.factor", replicas);
        values.put("transaction.state.log.replication.factor", replicas);
        values.put("transaction.state.log.min.isr", minInSync);
        values.put("share.coordinator.state.topic.replication.factor", replicas);
        values.put("share.coordinator.state.topic.min.isr", minInSync);
        // Few partitions: fifty of each internal topic cost time and teach a test nothing.
        values.put("offsets.topic.num.partitions", Integer.toString(INTERNAL_TOPIC_PARTITIONS));
        values.put("transaction.state.log.num.partitions", Integer.toString(INTERNAL_TOPIC_PARTITIONS));
        values.put("share.coordinator.state.topic.num.partitions", Integer.toString(INTERNAL_TOPIC_PARTITIONS));
        // A test's whole group is there at once: nobody else is worth waiting for.
        values.put("group.initial.rebalance.delay.ms", "0");
        // A dead broker is noticed within a second.
        values.put("broker.heartbeat.interval.ms", "200");
        values.put("broker.session.timeout.ms", "1000");
        // So is a dead controller, where others can take its place.
        values.put("controller.quorum.election.timeout.ms", "500");
        values.put("controller.quorum.election.backoff.max.ms", "500");
        values.put("controller.quorum.fetch.timeout.ms", "1000");
        // A follower turned away by a leader that has not taken office yet asks again soon.
        values.put("replica.fetch.backoff.ms", "20");
        // Index files are made at full size: small ones spare the disk.
        values.put("log.index.size.max.bytes", "1048576");
        return values;
    }
}
