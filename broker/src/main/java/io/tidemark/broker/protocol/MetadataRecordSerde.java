package io.tidemark.broker.protocol;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.metadata.MetadataRecordTypes;

/**
 * The value of a record in {@code __cluster_metadata}.
 *
 * <pre>
 * uvarint  frame version, 1
 * uvarint  record type
 * uvarint  version of the record
 * bytes    the record
 * </pre>
 */
public final class MetadataRecordSerde {
    private static final int FRAME_VERSION = 1;

    private MetadataRecordSerde() {}

    public static byte[] write(ApiMessage message, short version) {
        MessageWriter out = new MessageWriter();
        out.writeUnsignedVarint(FRAME_VERSION);
        out.writeUnsignedVarint(message.apiKey());
        out.writeUnsignedVarint(version);
        message.write(out, version);
        return out.toByteArray();
    }

    /**
     * Reads all readable bytes.
     *
     * @throws InvalidMessageException if they are not one metadata record
     */
    public static VersionedMessage read(ByteBuf bytes) {
        MessageReader in = new MessageReader(bytes);
        int frameVersion = in.readUnsignedVarint("metadata frame version");
        if (frameVersion != FRAME_VERSION) {
            throw InvalidMessageException.unexpected(
                    "metadata frame version", 0, Integer.toString(FRAME_VERSION), Integer.toString(frameVersion));
        }
        short type = readShort(in, "metadata record type");
        short version = readShort(in, "metadata record version");
        ApiMessage message = MetadataRecordTypes.newRecord(type);
        if (message == null) {
            throw InvalidMessageException.unexpected("metadata record type", 1, "a known type", Short.toString(type));
        }
        message.read(in, version);
        if (in.remaining() > 0) {
            throw InvalidMessageException.unexpected(
                    "metadata record of type " + type,
                    in.position(),
                    "the end of the record",
                    in.remaining() + " bytes more");
        }
        return new VersionedMessage(message, version);
    }

    private static short readShort(MessageReader in, String field) {
        int at = in.position();
        int value = in.readUnsignedVarint(field);
        if (value < 0 || value > Short.MAX_VALUE) {
            throw InvalidMessageException.unexpected(
                    field, at, "a number of 0 to " + Short.MAX_VALUE, Integer.toUnsignedString(value));
        }
        return (short) value;
    }
}
