package io.tidemark.broker.group;

import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The offsets of all groups of a shard, twice: as the log has them, and as far as that is committed. They differ for
 * the records above the high watermark, which a failover may take back and readers must not see. Beside them those in
 * open transactions, which count from the marker on that commits them.
 */
final class OffsetStore {
    private final SortedMap<String, SortedMap<TopicPartition, CommittedOffset>> latest = new TreeMap<>();
    private final SortedMap<String, SortedMap<TopicPartition, CommittedOffset>> committed = new TreeMap<>();
    private final SortedMap<String, SortedMap<TopicPartition, Long>> logOffsets = new TreeMap<>();
    private final PendingOffsets pending = new PendingOffsets();
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
     * @param value null for a tombstone, which takes what is pending along
     */
    void replay(long logOffset, String groupId, TopicPartition partition, @Nullable CommittedOffset value) {
        if (value == null) {
            pending.forget(groupId, partition);
        }
        write(logOffset, logOffset, groupId, partition, value);
    }

    /** Takes over a record in a transaction. */
    void replayPending(
            long logOffset, long producerId, String groupId, TopicPartition partition, CommittedOffset value) {
        pending.add(producerId, new PendingOffsets.Pending(logOffset, groupId, partition, value));
    }

    /**
     * A producer's transaction has ended. What it committed counts, unless something was written since.
     *
     * @param logOffset the offset of the marker
     */
    void endTransaction(long logOffset, long producerId, boolean commit) {
        for (PendingOffsets.Pending ended : pending.end(producerId)) {
            if (commit && ended.logOffset() > logOffsetOf(ended.groupId(), ended.partition())) {
                write(logOffset, ended.logOffset(), ended.groupId(), ended.partition(), ended.value());
            }
        }
    }

    private long logOffsetOf(String groupId, TopicPartition partition) {
        SortedMap<TopicPartition, Long> ofGroup = logOffsets.get(groupId);
        return ofGroup == null ? -1 : ofGroup.getOrDefault(partition, -1L);
    }

    private void write(
            long countsFrom,
            long logOffset,
            String groupId,
            TopicPartition partition,
            @Nullable CommittedOffset value) {
        put(latest, groupId, partition, value);
        put(logOffsets, groupId, partition, value == null ? null : Long.valueOf(logOffset));
        uncommitted.add(new Write(countsFrom, groupId, partition, value));
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

    private static <V> void put(
            SortedMap<String, SortedMap<TopicPartition, V>> groups,
            String groupId,
            TopicPartition partition,
            @Nullable V value) {
        if (value != null) {
            groups.computeIfAbsent(groupId, id -> new TreeMap<>()).put(partition, value);
            return;
        }
        SortedMap<TopicPartition, V> ofGroup = groups.get(groupId);
        if (ofGroup != null) {
            ofGroup.remove(partition);
            if (ofGroup.isEmpty()) {
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

    /** Whether an open transaction may change the group's offset there. */
    boolean isPending(String groupId, TopicPartition partition) {
        return pending.contains(groupId, partition);
    }

    boolean hasPending(String groupId) {
        return !pending.partitionsOf(groupId).isEmpty();
    }

    /** Where a group has an offset by the log, or one that is pending: what goes with the group. */
    List<TopicPartition> written(String groupId) {
        TreeSet<TopicPartition> written = new TreeSet<>(latest(groupId).keySet());
        written.addAll(pending.partitionsOf(groupId));
        return new ArrayList<>(written);
    }

    /** The groups that have offsets, by the log, or such that are pending. */
    List<String> groupIds() {
        TreeSet<String> ids = new TreeSet<>(latest.keySet());
        ids.addAll(pending.groupIds());
        return new ArrayList<>(ids);
    }
}
