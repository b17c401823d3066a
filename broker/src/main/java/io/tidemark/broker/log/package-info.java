/**
 * A partition's log on disk, in Kafka's files: {@link io.tidemark.broker.log.LogDirectory} is one folder of
 * {@code log.dirs}, {@link io.tidemark.broker.log.PartitionLog} one partition in it, made of segments, a cache of
 * leader epochs and the state of idempotent producers.
 *
 * <p>Facts: offsets are dense but for compaction. The log knows nothing of the high watermark; who owns the partition
 * passes it in where it matters. Appends go to the page cache, never through a force; what a power loss may take is
 * what was not flushed. The recovery point never passes the log's end, and after an unclean stop everything from it on
 * is read again, cut at the first batch whose checksum is wrong, and its indexes are rebuilt.
 *
 * <p>Thread rule: all of a log is used on its node's loop. The exceptions say so: work that is handed out to run
 * beside the loop, and {@code abandon} of a node whose loop is gone.
 */
@NullMarked
package io.tidemark.broker.log;

import org.jspecify.annotations.NullMarked;
