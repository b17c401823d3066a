package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.RecordType;
import io.tidemark.broker.protocol.group.GroupMetadataKey;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.group.LegacyOffsetCommitKey;
import io.tidemark.broker.protocol.group.LegacyOffsetCommitValue;
import io.tidemark.broker.protocol.group.OffsetCommitKey;
import io.tidemark.broker.protocol.group.OffsetCommitValue;
import java.util.List;

/** The records of {@code __consumer_offsets} that this coordinator reads. */
public final class GroupRecordTypes {
    public static final List<RecordType> ALL = List.of(
            new RecordType(LegacyOffsetCommitKey::new, LegacyOffsetCommitValue::new),
            new RecordType(OffsetCommitKey::new, OffsetCommitValue::new),
            new RecordType(GroupMetadataKey::new, GroupMetadataValue::new));

    private GroupRecordTypes() {}
}
