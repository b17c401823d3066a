package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;

/**
 * What all logs of a log directory share.
 *
 * @param disk the node's disk
 * @param deletions where files go that are deleted later
 * @param producerIdExpirationMs {@code producer.id.expiration.ms}
 */
record LogEnvironment(Disk disk, DelayedDeletions deletions, long producerIdExpirationMs) {}
