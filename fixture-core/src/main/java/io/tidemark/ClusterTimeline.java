package io.tidemark;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts the histories of a cluster together. */
final class ClusterTimeline {
    private static final int MOST = 5_000;

    private ClusterTimeline() {}

    static List<TimelineEvent> of(Cluster cluster) {
        List<TimelineEvent> longest = List.of();
        for (ClusterNode node : cluster.nodes()) {
            // A node that was cut off or down knows less.
            List<TimelineEvent> known = MetadataTimeline.in(node.logDirectory());
            if (known.size() > longest.size()) {
                longest = known;
            }
        }
        List<TimelineEvent> events = new ArrayList<>(longest);
        events.addAll(cluster.deeds().all());
        for (PartitionState partition : cluster.partitions()) {
            if (partition.topic().equals(GroupTimeline.TOPIC)
                    && partition.leader().isPresent()) {
                events.addAll(GroupTimeline.of(cluster.partition(partition.topic(), partition.partition())
                        .recordsOn(partition.leader().getAsInt())));
            }
        }
        events.sort(Comparator.comparingLong(TimelineEvent::timestampMs));
        return List.copyOf(events.subList(Math.max(0, events.size() - MOST), events.size()));
    }
}
