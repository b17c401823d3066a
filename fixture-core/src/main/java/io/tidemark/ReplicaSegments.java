package io.tidemark;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;

/**
 * The segments of a partition on one broker, as they lie on disk, whatever state the broker is in. Each call reads them
 * anew. Safe from any thread.
 *
 * <pre>{@code
 * ReplicaSegments segments = cluster.partition("orders", 0).segments(1);
 * assertThat(segments).eventually().hasSegments(2).isCompacted();
 * }</pre>
 */
public final class ReplicaSegments {
    private final ClusterNode broker;
    private final PartitionHandle partition;

    ReplicaSegments(ClusterNode broker, PartitionHandle partition) {
        this.broker = broker;
        this.partition = partition;
    }

    /** The id of the broker. */
    public int brokerId() {
        return broker.id();
    }

    /** The partition. */
    public PartitionHandle partition() {
        return partition;
    }

    /**
     * Every segment that is there, in order; empty where the broker holds no replica. One that retention or compaction
     * takes meanwhile is left out.
     *
     * @throws ClusterException if a file cannot be read; the message names it
     */
    public List<SegmentState> snapshot() {
        Path folder = broker.logDirectory().resolve(partition.toString());
        SortedMap<Long, SortedMap<String, Long>> files = ReplicaFiles.segmentFiles(folder);
        return files.entrySet().stream()
                .map(segment -> new SegmentState(
                        segment.getKey(),
                        segment.getKey().equals(files.lastKey()),
                        segment.getValue(),
                        ReplicaFiles.recordsOfSegment(folder, segment.getKey())))
                .toList();
    }

    /** For example {@code segments of orders-0 on broker 1}. */
    @Override
    public String toString() {
        return "segments of " + partition + " on " + broker;
    }
}
