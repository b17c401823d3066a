package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MessageReader;
import org.jspecify.annotations.Nullable;

/**
 * A record of a coordinator's topic: a number says what its key is, another which version its value has.
 *
 * @param type of the key
 * @param key without its type
 * @param value with its version before it
 */
record CoordinatorRecord(short type, ByteBuf key, ByteBuf value) {
    /** Null for a tombstone, and for what has no key. */
    static @Nullable CoordinatorRecord of(ReplicaRecord record) {
        byte[] key = record.key();
        byte[] value = record.value();
        if (key == null || value == null) {
            return null;
        }
        ByteBuf typed = Unpooled.wrappedBuffer(key);
        return new CoordinatorRecord(typed.readShort(), typed, Unpooled.wrappedBuffer(value));
    }

    /** Reads the key into a message. */
    <T extends ApiMessage> T key(T message) {
        message.read(new MessageReader(key.duplicate()), (short) 0);
        return message;
    }

    /** Reads the value into a message. */
    <T extends ApiMessage> T value(T message) {
        ByteBuf body = value.duplicate();
        message.read(new MessageReader(body), body.readShort());
        return message;
    }
}
