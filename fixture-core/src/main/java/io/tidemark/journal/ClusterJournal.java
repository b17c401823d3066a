package io.tidemark.journal;

import io.tidemark.broker.journal.NodeJournal;
import io.tidemark.broker.replication.ReplicaWatch;
import io.tidemark.journal.ReplicaHistory.Moment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes of one cluster tell of themselves, in bounded memory: some megabytes at the very most. Safe from any
 * thread.
 *
 * <pre>{@code
 * ClusterJournal journal = new ClusterJournal(System::currentTimeMillis);
 * journal.connection(2, "producer-1 connects");
 * }</pre>
 */
public final class ClusterJournal {
    private static final int MOST_REPLICAS = 300;
    private static final int MOST_ENTRIES = 1_000;
    private static final int LONGEST_LINE = 400;

    private final LongSupplier clockMs;
    private final Map<Replica, ReplicaTrack> tracks = new TreeMap<>();
    private final Deque<JournalEntry> connections = new ArrayDeque<>();
    private final Deque<JournalEntry> lines = new ArrayDeque<>();

    private record Replica(String topic, int partition, int brokerId) implements Comparable<Replica> {
        @Override
        public int compareTo(Replica other) {
            int byTopic = topic.compareTo(other.topic);
            int byPartition = byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
            return byPartition != 0 ? byPartition : Integer.compare(brokerId, other.brokerId);
        }
    }

    /** @param clockMs the cluster's clock, in milliseconds since 1970 */
    public ClusterJournal(LongSupplier clockMs) {
        this.clockMs = clockMs;
    }

    /** Takes in how far the replicas of a broker are. Kafka's own topics are left out, and so are replicas beyond 300. */
    public ReplicaWatch watch(int brokerId) {
        return (partition, leads, logEndOffset, highWatermark, lastStableOffset) -> {
            if (!partition.topic().startsWith("__")) {
                ReplicaTrack track = track(new Replica(partition.topic(), partition.partition(), brokerId));
                if (track != null) {
                    track.add(new Moment(clockMs.getAsLong(), leads, logEndOffset, highWatermark, lastStableOffset));
                }
            }
        };
    }

    private synchronized @Nullable ReplicaTrack track(Replica replica) {
        ReplicaTrack track = tracks.get(replica);
        if (track == null && tracks.size() < MOST_REPLICAS) {
            track = new ReplicaTrack();
            tracks.put(replica, track);
        }
        return track;
    }

    /** Takes in what a node logs; long lines are cut. */
    public NodeJournal lines(int nodeId) {
        return (level, source, message) -> {
            String line = level + " " + source + ": " + message;
            add(lines, nodeId, line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "..." : line);
        };
    }

    /** Takes in who connects to a node, or is gone. */
    public void connection(int nodeId, String text) {
        add(connections, nodeId, text);
    }

    private synchronized void add(Deque<JournalEntry> entries, int nodeId, String text) {
        if (entries.size() == MOST_ENTRIES) {
            entries.removeFirst();
        }
        entries.addLast(new JournalEntry(clockMs.getAsLong(), nodeId, text));
    }

    /** Forgets how far replicas were, as after a reset, when the topics are others. */
    public synchronized void forgetReplicas() {
        tracks.clear();
    }

    /** How far every replica was, in the order of topic, partition and broker. */
    public synchronized List<ReplicaHistory> histories() {
        List<ReplicaHistory> all = new ArrayList<>();
        tracks.forEach((replica, track) ->
                all.add(new ReplicaHistory(replica.topic(), replica.partition(), replica.brokerId(), track.moments())));
        return all;
    }

    /** Who connected and who went, the newest 1000. */
    public synchronized List<JournalEntry> connections() {
        return List.copyOf(connections);
    }

    /** What the nodes logged from INFO up, the newest 1000. */
    public synchronized List<JournalEntry> lines() {
        return List.copyOf(lines);
    }
}
