/**
 * Transactional ids and their transactions: {@link io.tidemark.broker.transaction.TransactionCoordinator} is the shard of
 * one partition of {@code __transaction_state}. {@code InitProducerIdRules} and {@code EndTxnRules} decide over
 * {@link io.tidemark.broker.transaction.TransactionMetadata}, whose states are
 * {@link io.tidemark.broker.transaction.TransactionState}.
 *
 * <p>Facts: the records are Kafka's own, at the version that the cluster has finalized. What is committed and what is only
 * logged are kept apart: an id is decided on only when its last record is committed and no markers are under way. Nothing
 * is sent from here: markers and time-outs leave as {@link io.tidemark.broker.transaction.TransactionEffect}, and only
 * once the record behind them is committed. A new coordinator asks anew for the markers of all that is prepared.
 *
 * <p>Pure: no I/O, threads, locks, clock or randomness; time comes as {@code nowMs}. Thread rule: a shard is used by one
 * loop only.
 */
@NullMarked
package io.tidemark.broker.transaction;

import org.jspecify.annotations.NullMarked;
