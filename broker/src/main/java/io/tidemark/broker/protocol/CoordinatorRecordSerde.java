package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Keys and values of the records in a coordinator's partition.
 *
 * <pre>
 * key:    int16  record type          value:  int16  version of the value
 *         bytes  the key, version 0           bytes  the value
 * </pre>
 */
public final class CoordinatorRecordSerde {
    private static final short KEY_VERSION = 0;

    private CoordinatorRecordSerde() {}

    public static byte[] writeKey(ApiMessage key) {
        MessageWriter out = new MessageWriter();
        out.writeShort(key.apiKey());
        key.write(out, KEY_VERSION);
        return out.toByteArray();
    }

    public static byte[] writeValue(ApiMessage value, short version) {
        MessageWriter out = new MessageWriter();
        out.writeShort(version);
        value.write(out, version);
        return out.toByteArray();
    }

    /**
     * Reads a key.
     *
     * @return null for a type that is not known, which a newer coordinator may have written
     * @throws InvalidMessageException if the bytes are no key of their type
     */
    public static @Nullable ApiMessage readKey(ByteBuf bytes, CoordinatorRecordTypes types) {
        MessageReader in = new MessageReader(bytes);
        ApiMessage key = types.newKey(in.readShort("coordinator record type"));
        if (key != null) {
            key.read(in, KEY_VERSION);
        }
        return key;
    }

    /**
     * Reads the value that belongs to a key.
     *
     * @param type the key's {@link ApiMessage#apiKey}
     * @throws InvalidMessageException if the bytes are no value of the type
     */
    public static VersionedMessage readValue(ByteBuf bytes, short type, CoordinatorRecordTypes types) {
        MessageReader in = new MessageReader(bytes);
        short version = in.readShort("coordinator value version");
        ApiMessage value = types.newValue(type);
        if (value == null) {
            throw new InvalidMessageException(
                    "Coordinator record type " + type + " has no value; expected a type whose key is known");
        }
        value.read(in, version);
        return new VersionedMessage(value, version);
    }
}
