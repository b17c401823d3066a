package io.tidemark.requests;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.types.Uuid;
import io.tidemark.requests.MessageFields.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of one version that asks for one of everything that the version can ask for. */
final class FilledRequest {
    private FilledRequest() {}

    static ApiMessage of(ApiKey apiKey, short version) {
        ApiMessage request = apiKey.newRequest();
        fill(request, request, version);
        return request;
    }

    /** Says each field, and takes back what the version cannot carry. */
    private static void fill(Object struct, ApiMessage root, short version) {
        for (Field field : MessageFields.of(struct.getClass())) {
            Object before = field.in(struct);
            Object value = value(field.isList() ? field.elementType() : field.type());
            if (value == null) {
                continue;
            }
            field.set(struct, field.isList() ? new ArrayList<>(List.of(value)) : value);
            if (!isWritable(root, version)) {
                field.set(struct, before);
            } else if (MessageFields.isStruct(value.getClass())) {
                fill(value, root, version);
            }
        }
    }

    private static @Nullable Object value(Class<?> type) {
        if (type == String.class) {
            return "some";
        }
        if (type == int.class || type == Integer.class) {
            return 3;
        }
        if (type == Records.class) {
            return new BufferRecords(Unpooled.EMPTY_BUFFER);
        }
        if (type == Uuid.class) {
            return new Uuid(1, 2);
        }
        return MessageFields.isStruct(type) ? MessageFields.newStruct(type) : null;
    }

    static boolean isWritable(ApiMessage message, short version) {
        try {
            message.write(new MessageWriter(), version);
            return true;
        } catch (InvalidMessageException e) {
            return false;
        }
    }
}
