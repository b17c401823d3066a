package io.tidemark.broker.raft;

/**
 * Names a snapshot of the metadata (KIP-630).
 *
 * @param endOffset exclusive: the snapshot stands for all records below
 * @param leaderEpoch the epoch of the last of them
 */
public record SnapshotId(long endOffset, int leaderEpoch) {}
