/**
 * Compaction of logs whose {@code cleanup.policy} holds {@code compact}: of the records of a key, the last stays.
 *
 * <p>{@link io.tidemark.broker.log.cleaner.LogCleaner} takes the log with the greatest share of uncompacted bytes
 * ({@link io.tidemark.broker.log.cleaner.DirtyRange}) and has a {@link io.tidemark.broker.log.cleaner.CleaningRun} read
 * and rewrite it; what becomes of each batch is {@link io.tidemark.broker.log.cleaner.BatchCleaner}'s to say.
 *
 * <p>Facts: offsets stand, and so do the first and last offset of a batch of which anything is left. Nothing at or above
 * the last stable offset, and nothing of the active segment, is touched. Data of aborted transactions goes at once; a
 * marker goes when the data of its transaction is gone and {@code delete.retention.ms} have passed since, as a tombstone
 * does (KIP-534). The last batch of each producer stays, without records if need be. A hole never reaches the log's end.
 *
 * <p>Thread rule: files are read and written beside the loop, a piece at a time in one lane; segments are swapped, and
 * everything else happens, on the loop.
 */
@NullMarked
package io.tidemark.broker.log.cleaner;

import org.jspecify.annotations.NullMarked;
