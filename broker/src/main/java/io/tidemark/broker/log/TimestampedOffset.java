package io.tidemark.broker.log;

/**
 * A record found by its timestamp.
 *
 * @param offset its offset
 * @param timestamp its timestamp in milliseconds since the epoch
 * @param leaderEpoch the leader epoch of its batch
 */
public record TimestampedOffset(long offset, long timestamp, int leaderEpoch) {}
