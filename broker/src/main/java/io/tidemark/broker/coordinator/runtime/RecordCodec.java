package io.tidemark.broker.coordinator.runtime;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import org.jspecify.annotations.Nullable;

/** How the records of one internal topic look as bytes. */
public interface RecordCodec {
    byte[] encodeKey(CoordinatorRecord record);

    /** @return null for a tombstone */
    byte @Nullable [] encodeValue(CoordinatorRecord record);

    /**
     * @return null for a record of a type that this version does not know, which is skipped
     * @throws io.tidemark.broker.protocol.InvalidMessageException if the bytes are not such a record
     */
    @Nullable
    CoordinatorRecord decode(ByteBuf key, @Nullable ByteBuf value);
}
