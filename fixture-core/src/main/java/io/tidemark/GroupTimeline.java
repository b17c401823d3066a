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
            byte[] key = record.key();
            if (key != null && groupId.equals(groupOf(Unpooled.wrappedBuffer(key)))) {
                byte[] value = record.value();
                last = value == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(
                                metadataOf(Unpooled.wrappedBuffer(value)).generation());
            }
        }
        return last;
    }

    private static @Nullable String groupOf(ByteBuf key) {
        if (key.readShort() != GROUP_KEY) {
            return null;
        }
        GroupMetadataKey group = new GroupMetadataKey();
        group.read(new MessageReader(key), (short) 0);
        return group.group();
    }

    private static GroupMetadataValue metadataOf(ByteBuf value) {
        GroupMetadataValue metadata = new GroupMetadataValue();
        short version = value.readShort();
        metadata.read(new MessageReader(value), version);
        return metadata;
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
            byte[] keyBytes = record.key();
            byte[] valueBytes = record.value();
            if (keyBytes == null || valueBytes == null) {
                continue;
            }
            ByteBuf key = Unpooled.wrappedBuffer(keyBytes);
            if (key.readShort() != OFFSET_KEY) {
                continue;
            }
            OffsetCommitKey offset = new OffsetCommitKey();
            offset.read(new MessageReader(key), (short) 0);
            if (!offset.group().equals(groupId)) {
                continue;
            }
            ByteBuf value = Unpooled.wrappedBuffer(valueBytes);
            OffsetCommitValue committed = new OffsetCommitValue();
            committed.read(new MessageReader(value), value.readShort());
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
        byte[] keyBytes = record.key();
        byte[] valueBytes = record.value();
        if (keyBytes == null || valueBytes == null) {
            return null;
        }
        ByteBuf key = Unpooled.wrappedBuffer(keyBytes);
        ByteBuf value = Unpooled.wrappedBuffer(valueBytes);
        short type = key.readShort();
        short version = value.readShort();
        if (type == OFFSET_KEY) {
            OffsetCommitKey offset = new OffsetCommitKey();
            offset.read(new MessageReader(key), (short) 0);
            OffsetCommitValue committed = new OffsetCommitValue();
            committed.read(new MessageReader(value), version);
            return new TimelineEvent(
                    record.timestampMs(),
                    Kind.OFFSET,
                    offset.group(),
                    "committed " + committed.offset() + " of " + offset.topic() + "-" + offset.partition());
        }
        if (type == GROUP_KEY) {
            GroupMetadataKey group = new GroupMetadataKey();
            group.read(new MessageReader(key), (short) 0);
            GroupMetadataValue metadata = new GroupMetadataValue();
            metadata.read(new MessageReader(value), version);
            int members = metadata.members().size();
            return new TimelineEvent(
                    record.timestampMs(),
                    Kind.GROUP,
                    group.group(),
                    "generation " + metadata.generation() + " with " + members
                            + (members == 1 ? " member" : " members"));
        }
        return null;
    }
}
