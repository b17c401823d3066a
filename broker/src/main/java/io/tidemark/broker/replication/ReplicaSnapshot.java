package io.tidemark.broker.replication;

import io.tidemark.broker.types.TopicIdPartition;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A replica of this broker at one moment.
 *
 * @param partition its partition
 * @param isLeader whether this broker leads it
 * @param leaderId the leader, or -1
 * @param leaderEpoch the leader epoch
 * @param partitionEpoch the partition epoch of the in-sync set
 * @param isr the committed in-sync set
 * @param highWatermark as this replica knows it
 * @param lastStableOffset as this replica knows it
 * @param logStartOffset the first offset
 * @param logEndOffset the offset after the last record
 * @param followerLogEndOffsets where each follower is, as a leader knows it (-1 before its first fetch in this epoch);
 *     empty on a follower
 */
public record ReplicaSnapshot(
        TopicIdPartition partition,
        boolean isLeader,
        int leaderId,
        int leaderEpoch,
        int partitionEpoch,
        List<Integer> isr,
        long highWatermark,
        long lastStableOffset,
        long logStartOffset,
        long logEndOffset,
        SortedMap<Integer, Long> followerLogEndOffsets) {
    public ReplicaSnapshot {
        isr = List.copyOf(isr);
        followerLogEndOffsets = Collections.unmodifiableSortedMap(new TreeMap<>(followerLogEndOffsets));
    }
}
