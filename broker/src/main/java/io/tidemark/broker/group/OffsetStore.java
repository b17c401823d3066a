package io.tidemark.broker.group;

import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of all groups of a shard, twice: as the log has them, and as far as that is committed. They differ for
 * the records above the high watermark, which a failover may take back and readers must not see.
 */
final class OffsetStore {
    private final SortedMap<String, SortedMap<TopicPartition, CommittedOffset>> latest = new TreeMap<>();
    private final SortedMap<String, SortedMap<TopicPartition, CommittedOffset>> committed = new TreeMap<>();
    private final Queue<Write> uncommitted = new ArrayDeque<>();

    private record Write(
            long logOffset,
            String groupId,
            TopicPartition partition,
            @Nullable CommittedOffset value) {}

    /**
     * Takes over a record.
     *
     * @param logOffset the record's own offset in the log of the shard
     * @param value null for a tombstone
     */
    void replay(long logOffset, String groupId, TopicPartition partition, @Nullable CommittedOffset value) {
        put(latest, groupId, partition, value);
        uncommitted.add(new Write(logOffset, groupId, partition, value));
    }

    /** All records below the offset are committed. */
    void onCommitted(long endOffset) {
        Write write = uncommitted.peek();
        while (write != null && write.logOffset() < endOffset) {
            uncommitted.remove();
            put(committed, write.groupId(), write.partition(), write.value());
            write = uncommitted.peek();
        }
    }

    private static void put(
            SortedMap<String, SortedMap<TopicPartition, CommittedOffset>> groups,
            String groupId,
            TopicPartition partition,
            @Nullable CommittedOffset value) {
        if (value != null) {
            groups.computeIfAbsent(groupId, id -> new TreeMap<>()).put(partition, value);
            return;
        }
        SortedMap<TopicPartition, CommittedOffset> offsets = groups.get(groupId);
        if (offsets != null) {
            offsets.remove(partition);
            if (offsets.isEmpty()) {
                groups.remove(groupId);
            }
        }
    }

    /** A group's offsets as the log has them: what decisions are made on. */
    SortedMap<TopicPartition, CommittedOffset> latest(String groupId) {
        return Collections.unmodifiableSortedMap(latest.getOrDefault(groupId, Collections.emptySortedMap()));
    }

    /** A group's offsets that no failover can take back: what readers see. */
    SortedMap<TopicPartition, CommittedOffset> committed(String groupId) {
        return Collections.unmodifiableSortedMap(committed.getOrDefault(groupId, Collections.emptySortedMap()));
    }

    /** The groups that have offsets, by the log. */
    List<String> groupIds() {
        return new ArrayList<>(latest.keySet());
    }
}
