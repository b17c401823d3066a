package io.tidemark.broker;

import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One replica as its node sees it at one moment.
 *
 * @param topicPartition the partition
 * @param topicId the id of its topic
 * @param leader true where this node leads the partition
 * @param leaderEpoch the leader epoch that this node knows
 * @param isr the in-sync replicas that this node knows; the leader's own view, committed by the controller
 * @param highWatermark this replica's high watermark
 * @param lastStableOffset this replica's last stable offset
 * @param logStartOffset the first offset
 * @param logEndOffset the offset that the next record will have
 * @param loading true where this node leads a partition of a coordinator's topic and is still to read what it coordinates
 * @param followerLogEndOffsets on the leader, what each follower has, by broker id; -1 where it has not fetched yet.
 *     Empty on a follower
 */
public record PartitionSnapshot(
        TopicPartition topicPartition,
        Uuid topicId,
        boolean leader,
        int leaderEpoch,
        List<Integer> isr,
        long highWatermark,
        long lastStableOffset,
        long logStartOffset,
        long logEndOffset,
        boolean loading,
        Map<Integer, Long> followerLogEndOffsets) {
    public PartitionSnapshot {
        isr = List.copyOf(isr);
        followerLogEndOffsets = Collections.unmodifiableMap(new TreeMap<>(followerLogEndOffsets));
    }
}
