package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;

/**
 * What all logs of a log directory share.
 *
 * @param disk the node's disk
 * @param deletions where files go that are deleted later
 * @param recoveryPoints where logs tell that they are being cut
 * @param compactedLogs where logs tell that they will have holes
 */
record LogEnvironment(
        Disk disk, DelayedDeletions deletions, RecoveryPoints recoveryPoints, CompactedLogs compactedLogs) {

    /** The recovery points as they are written down. */
    interface RecoveryPoints {
        /** Sees to it that none above this offset can be found for a partition, durably, before it returns. */
        void lower(TopicPartition partition, long offset) throws IOException;
    }

    /** The logs that are known to have been compacted. */
    interface CompactedLogs {
        /** Writes those down that are now, durably, before it returns. */
        void write() throws IOException;
    }
}
