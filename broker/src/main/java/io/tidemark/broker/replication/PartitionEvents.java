package io.tidemark.broker.replication;

import io.tidemark.broker.partition.IsrProposal;

/** Hears what happens in a hosted partition. */
interface PartitionEvents {
    /** Its log has grown or shrunk, its watermark has moved, or its role has changed: who waits is to look again. */
    void onChanged(HostedPartition partition);

    /** Its high watermark has risen, on its leader. */
    void onHighWatermark(HostedPartition partition, long highWatermark);

    /** Its leader wants another in-sync set. */
    void onProposal(HostedPartition partition, IsrProposal proposal);
}
