/**
 * Record batches of format v2 (magic 2), as producers write them, as they lie in segment files, and as consumers read
 * them: one layout from end to end, so that a batch crosses the broker without being taken apart.
 *
 * <p>{@link io.tidemark.broker.record.RecordBatch} is a flyweight over the bytes of one batch and
 * {@link io.tidemark.broker.record.RecordBatches} walks a run of them; {@link io.tidemark.broker.record.RecordBatchBuilder}
 * makes new ones; {@link io.tidemark.broker.record.ProduceValidator} says whether a producer's batch may be appended.
 *
 * <p>Facts: base offset and partition leader epoch lie outside the checksum, so that a leader stamps them without
 * computing it again. Nothing is decompressed unless records are iterated. No length is believed before it was held
 * against the bytes that are there. Bytes of other magics are refused, never converted (KIP-724).
 *
 * <p>Thread rule: a batch belongs to whoever owns its buffer; the validator and codecs hold no state.
 */
@NullMarked
package io.tidemark.broker.record;

import org.jspecify.annotations.NullMarked;
