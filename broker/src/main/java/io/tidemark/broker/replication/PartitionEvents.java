package io.tidemark.broker.replication;

import io.tidemark.broker.partition.IsrProposal;
import java.io.IOException;

/** Hears what happens in a hosted partition. */
interface PartitionEvents {
    /** Its log has grown or shrunk, its watermark has moved, or its role has changed: who waits is to look again. */
    void onChanged(HostedPartition partition);

    /** Its high watermark has risen, on its leader. */
    void onHighWatermark(HostedPartition partition, long highWatermark);

    /** Its disk has failed, and its whole log directory with it. */
    void onDiskFailure(HostedPartition partition, String attempt, IOException cause);

    /** Its leader wants another in-sync set. */
    void onProposal(HostedPartition partition, IsrProposal proposal);
}
