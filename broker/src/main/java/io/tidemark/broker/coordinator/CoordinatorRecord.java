package io.tidemark.broker.coordinator;

import io.tidemark.broker.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;

/**
 * A record of a coordinator's partition: a typed key, and a value with the version it is written at.
 *
 * @param key the key message; its {@code apiKey()} is the type of the record, and it has one version
 * @param value the value message, or null for a tombstone
 * @param valueVersion the version of the value; ignored for a tombstone
 */
public record CoordinatorRecord(ApiMessage key, @Nullable ApiMessage value, short valueVersion) {}
