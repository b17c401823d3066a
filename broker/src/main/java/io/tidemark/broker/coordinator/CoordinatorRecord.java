package io.tidemark.broker.coordinator;

import io.tidemark.broker.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * A record of a coordinator's partition: a typed key and value, each with the version it is written at.
 *
 * @param key the key message
 * @param keyVersion which for Kafka's internal topics is also the record's type
 * @param value the value message, or null for a tombstone
 * @param valueVersion the version of the value; ignored for a tombstone
 */
public record CoordinatorRecord(
        ApiMessage key, short keyVersion, @Nullable ApiMessage value, short valueVersion) {}
