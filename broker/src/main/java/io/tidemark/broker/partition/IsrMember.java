package io.tidemark.broker.partition;

/**
 * A member of a proposed in-sync set (KIP-903).
 *
 * @param brokerId its broker
 * @param brokerEpoch the epoch with which it last fetched, or -1 where the leader does not know one
 */
public record IsrMember(int brokerId, long brokerEpoch) {}
