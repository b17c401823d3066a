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
