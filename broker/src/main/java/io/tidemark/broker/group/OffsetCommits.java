package io.tidemark.broker.group;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.TopicPartition;
import org.jspecify.annotations.Nullable;

/** How one offset is committed by who may do so, in a transaction or without one. */
final class OffsetCommits {
    private OffsetCommits() {}

    /** @return OFFSET_METADATA_TOO_LARGE where nothing is written */
    static ErrorCode write(
            GroupSettings settings, String groupId, TopicPartition partition, CommittedOffset offset, Turn turn) {
        if (offset.metadata().length() > settings.offsetMetadataMaxLength()) {
            return ErrorCode.OFFSET_METADATA_TOO_LARGE;
        }
        turn.record(GroupRecords.offset(groupId, partition, offset));
        return ErrorCode.NONE;
    }

    /** What clients leave out is empty. */
    static String metadata(@Nullable String given) {
        return given == null ? "" : given;
    }
}
