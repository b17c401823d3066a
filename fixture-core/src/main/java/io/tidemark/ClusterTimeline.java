package io.tidemark;

import io.tidemark.TimelineEvent.Kind;
import io.tidemark.journal.JournalEntry;
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
        add(cluster.journal().connections(), Kind.CONNECTION, events);
        add(cluster.journal().lines(), Kind.LOG, events);
        for (PartitionState partition : cluster.partitions()) {
            if (partition.topic().equals(GroupTimeline.TOPIC)) {
                events.addAll(GroupTimeline.of(recordsOf(cluster, partition)));
            } else if (partition.topic().equals(TransactionTimeline.TOPIC)) {
                events.addAll(TransactionTimeline.of(recordsOf(cluster, partition)));
            }
        }
        events.sort(Comparator.comparingLong(TimelineEvent::timestampMs));
        return List.copyOf(events.subList(Math.max(0, events.size() - MOST), events.size()));
    }

    private static List<ReplicaRecord> recordsOf(Cluster cluster, PartitionState partition) {
        return partition.leader().isEmpty()
                ? List.of()
                : cluster.partition(partition.topic(), partition.partition())
                        .recordsOn(partition.leader().getAsInt());
    }

    private static void add(List<JournalEntry> entries, Kind kind, List<TimelineEvent> events) {
        for (JournalEntry entry : entries) {
            events.add(new TimelineEvent(entry.timestampMs(), kind, nameOf(entry.nodeId()), entry.text()));
        }
    }

    /** Of a node that was removed too. */
    private static String nameOf(int nodeId) {
        return (nodeId < ClusterSpec.CONTROLLER_ID ? "broker " : "controller ") + nodeId;
    }
}
