package io.tidemark.broker.coordinator.runtime;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.RecordType;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MessageWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the records of an internal topic look as bytes.
 *
 * <pre>
 *   key    int16 type of the record, then the key message at its one version
 *   value  int16 version of the value, then the value message; null for a tombstone
 * </pre>
 */
public final class RecordCodec {
    private static final short KEY_VERSION = 0;

    private final Map<Short, RecordType> types = new HashMap<>();

    public RecordCodec(List<RecordType> recordTypes) {
        for (RecordType type : recordTypes) {
            types.put(type.id(), type);
        }
    }

    byte[] encodeKey(CoordinatorRecord record) {
        MessageWriter out = new MessageWriter();
        out.writeShort(record.key().apiKey());
        record.key().write(out, KEY_VERSION);
        return out.toByteArray();
    }

    /** Null for a tombstone. */
    byte @Nullable [] encodeValue(CoordinatorRecord record) {
        ApiMessage value = record.value();
        if (value == null) {
            return null;
        }
        MessageWriter out = new MessageWriter();
        out.writeShort(record.valueVersion());
        value.write(out, record.valueVersion());
        return out.toByteArray();
    }

    /**
     * @return null for a record of a type that is not known here, as a newer version or another kind of group may write
     * @throws InvalidMessageException if the bytes are not such a record
     */
    @Nullable
    CoordinatorRecord decode(ByteBuf key, @Nullable ByteBuf value) {
        MessageReader keyReader = new MessageReader(key.duplicate());
        RecordType type = types.get(keyReader.readShort("record type"));
        if (type == null) {
            return null;
        }
        ApiMessage keyMessage = type.newKey().get();
        keyMessage.read(keyReader, KEY_VERSION);
        if (value == null) {
            return new CoordinatorRecord(keyMessage, null, (short) 0);
        }
        MessageReader valueReader = new MessageReader(value.duplicate());
        short version = valueReader.readShort("value version");
        ApiMessage valueMessage = type.newValue().get();
        valueMessage.read(valueReader, version);
        return new CoordinatorRecord(keyMessage, valueMessage, version);
    }
}
