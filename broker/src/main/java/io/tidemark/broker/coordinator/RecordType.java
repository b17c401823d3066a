package io.tidemark.broker.coordinator;

import io.tidemark.broker.protocol.ApiMessage;
import java.util.function.Supplier;

/**
 * A kind of record in a coordinator's partition. Its type id is the {@code apiKey()} of the key message.
 *
 * @param newKey makes an empty key
 * @param newValue makes an empty value
 */
public record RecordType(Supplier<ApiMessage> newKey, Supplier<ApiMessage> newValue) {
    public short id() {
        return newKey.get().apiKey();
    }
}
