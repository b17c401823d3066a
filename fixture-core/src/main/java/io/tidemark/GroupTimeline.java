package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.group.GroupMetadataKey;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.group.OffsetCommitKey;
import io.tidemark.broker.protocol.group.OffsetCommitValue;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The history of the groups, out of the records of {@code __consumer_offsets}. */
final class GroupTimeline {
    static final String TOPIC = "__consumer_offsets";
    private static final short OFFSET_KEY = 1;
    private static final short GROUP_KEY = 2;

    private GroupTimeline() {}

    static List<TimelineEvent> of(List<ReplicaRecord> records) {
        List<TimelineEvent> events = new ArrayList<>();
        for (ReplicaRecord record : records) {
            TimelineEvent event = eventOf(record);
            if (event != null) {
                events.add(event);
            }
        }
        return events;
    }

    /** The last one that is committed to the log, empty where the group has none or was deleted. */
    static OptionalInt generation(Cluster cluster, String groupId) {
        List<PartitionState> partitions = cluster.view().partitions().stream()
                .filter(state -> state.topic().equals(TOPIC))
                .toList();
        if (partitions.isEmpty()) {
            return OptionalInt.empty();
        }
        // As Kafka does: 0 for the one number without a positive counterpart.
        int hash = groupId.hashCode();
        int positive = hash == Integer.MIN_VALUE ? 0 : Math.abs(hash);
        PartitionHandle partition = cluster.partition(TOPIC, positive % partitions.size());
        OptionalInt last = OptionalInt.empty();
        for (ReplicaRecord record : partition.committedRecords()) {
            if (groupId.equals(groupOf(record.key()))) {
                CoordinatorRecord coordinator = CoordinatorRecord.of(record);
                last = coordinator == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(
                                coordinator.value(new GroupMetadataValue()).generation());
            }
        }
        return last;
    }

    /** Whose group's a key is, of a tombstone too; null where it is another kind of key. */
    private static @Nullable String groupOf(byte @Nullable [] key) {
        ByteBuf typed = Unpooled.wrappedBuffer(key == null ? new byte[Short.BYTES] : key);
        if (typed.readShort() != GROUP_KEY) {
            return null;
        }
        GroupMetadataKey group = new GroupMetadataKey();
        group.read(new MessageReader(typed), (short) 0);
        return group.group();
    }

    /**
     * Every commit of a group, in the order of the log.
     *
     * @param where the partition of {@code __consumer_offsets}
     * @param records what is in it
     */
    static List<OffsetCommit> commits(String groupId, String where, List<ReplicaRecord> records) {
        List<OffsetCommit> commits = new ArrayList<>();
        for (ReplicaRecord record : records) {
            CoordinatorRecord coordinator = CoordinatorRecord.of(record);
            if (coordinator == null || coordinator.type() != OFFSET_KEY) {
                continue;
            }
            OffsetCommitKey offset = coordinator.key(new OffsetCommitKey());
            if (!offset.group().equals(groupId)) {
                continue;
            }
            OffsetCommitValue committed = coordinator.value(new OffsetCommitValue());
            commits.add(new OffsetCommit(
                    offset.topic() + "-" + offset.partition(),
                    committed.offset(),
                    record.timestampMs(),
                    where,
                    record.offset(),
                    record.producerId(),
                    record.producerEpoch(),
                    record.fate()));
        }
        return commits;
    }

    private static @Nullable TimelineEvent eventOf(ReplicaRecord record) {
        CoordinatorRecord coordinator = CoordinatorRecord.of(record);
        if (coordinator == null) {
            return null;
        }
        if (coordinator.type() == OFFSET_KEY) {
            OffsetCommitKey offset = coordinator.key(new OffsetCommitKey());
            return new TimelineEvent(
                    record.timestampMs(),
                    Kind.OFFSET,
                    offset.group(),
                    "committed " + coordinator.value(new OffsetCommitValue()).offset() + " of " + offset.topic() + "-"
                            + offset.partition());
        }
        if (coordinator.type() == GROUP_KEY) {
            GroupMetadataValue metadata = coordinator.value(new GroupMetadataValue());
            int members = metadata.members().size();
            return new TimelineEvent(
                    record.timestampMs(),
                    Kind.GROUP,
                    coordinator.key(new GroupMetadataKey()).group(),
                    "generation " + metadata.generation() + " with " + members
                            + (members == 1 ? " member" : " members"));
        }
        return null;
    }
}
