package io.tidemark.broker.partition;

/** What the owner of a {@link LeaderPartition} is to do after an event. */
public sealed interface LeaderEffect {
    /**
     * Ask the controller for another in-sync set, and tell the partition the answer.
     *
     * @param proposal what to ask for
     */
    record ProposeIsr(IsrProposal proposal) implements LeaderEffect {}

    /**
     * Everything below this offset is committed: wake who waits for it.
     *
     * @param highWatermark the new high watermark
     */
    record HighWatermarkAdvanced(long highWatermark) implements LeaderEffect {}
}
