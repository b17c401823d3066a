package io.tidemark.broker.protocol;

/**
 * A message with the version that it was read at, or is to be written at.
 *
 * @param message the message
 * @param version one of its versions
 */
public record VersionedMessage(ApiMessage message, short version) {}
