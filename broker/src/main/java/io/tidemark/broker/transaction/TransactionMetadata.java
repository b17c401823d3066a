package io.tidemark.broker.transaction;

import io.tidemark.broker.types.TopicPartition;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a coordinator knows of a transactional id. Immutable; each step to another state is a method that gives the next
 * metadata and decides nothing.
 *
 * @param transactionalId the id
 * @param producerId the producer id in use
 * @param previousProducerId the producer id before the last step
 * @param nextProducerId the producer id that the producer goes on with once this transaction is complete, because the
 *     epochs of the present one are used up; -1 where it stays
 * @param producerEpoch the epoch in use, -1 before the first
 * @param lastProducerEpoch the epoch before, for a retry of the step that raised it; -1 where a retry may not be known.
 *     It is in no record, so a failover forgets it
 * @param timeoutMs how long a transaction may take; {@link #NO_TIMEOUT} with two-phase commit (KIP-939)
 * @param state the state
 * @param partitions the partitions of the transaction, in order
 * @param startTimestampMs when the transaction began, -1 where none did
 * @param lastUpdateTimestampMs when the last step was taken
 * @param clientVersion the version of transactions that the client was on at the last step
 */
public record TransactionMetadata(
        String transactionalId,
        long producerId,
        long previousProducerId,
        long nextProducerId,
        short producerEpoch,
        short lastProducerEpoch,
        int timeoutMs,
        TransactionState state,
        SortedSet<TopicPartition> partitions,
        long startTimestampMs,
        long lastUpdateTimestampMs,
        TransactionVersion clientVersion) {
    public static final long NO_PRODUCER_ID = -1;
    public static final short NO_PRODUCER_EPOCH = -1;
    public static final int NO_TIMEOUT = Integer.MAX_VALUE;

    static final long NOT_STARTED = -1;

    /** No producer is given the very last epoch, so that it can always be fenced. */
    static final short LAST_CLIENT_EPOCH = Short.MAX_VALUE - 1;

    public TransactionMetadata {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    }

    /** An id that nobody has initialized yet. */
    static TransactionMetadata unused(String transactionalId, long producerId, int timeoutMs, long nowMs) {
        return new TransactionMetadata(
                transactionalId,
                producerId,
                NO_PRODUCER_ID,
                NO_PRODUCER_ID,
                NO_PRODUCER_EPOCH,
                NO_PRODUCER_EPOCH,
                timeoutMs,
                TransactionState.EMPTY,
                Collections.emptySortedSet(),
                NOT_STARTED,
                nowMs,
                TransactionVersion.V0);
    }

    boolean isEpochExhausted() {
        return isEpochExhausted(producerEpoch);
    }

    static boolean isEpochExhausted(short producerEpoch) {
        return producerEpoch >= LAST_CLIENT_EPOCH;
    }

    boolean isTimedOut(long nowMs) {
        return state == TransactionState.ONGOING && timeoutMs != NO_TIMEOUT && startTimestampMs + timeoutMs < nowMs;
    }

    /** A producer starts over with the next epoch. */
    TransactionMetadata initialized(short newEpoch, short newLastEpoch, int newTimeoutMs, long nowMs) {
        Step step = new Step(TransactionState.EMPTY, nowMs);
        step.producerEpoch = newEpoch;
        step.lastProducerEpoch = newLastEpoch;
        step.timeoutMs = newTimeoutMs;
        step.partitions = Collections.emptySortedSet();
        step.startTimestampMs = NOT_STARTED;
        return step.taken();
    }

    /** A producer starts over with another producer id and epoch 0. */
    TransactionMetadata rotated(long newProducerId, short newLastEpoch, int newTimeoutMs, long nowMs) {
        Step step = new Step(TransactionState.EMPTY, nowMs);
        step.producerId = newProducerId;
        step.producerEpoch = 0;
        step.lastProducerEpoch = newLastEpoch;
        step.timeoutMs = newTimeoutMs;
        step.partitions = Collections.emptySortedSet();
        step.startTimestampMs = NOT_STARTED;
        return step.taken();
    }

    TransactionMetadata withPartitions(SortedSet<TopicPartition> added, TransactionVersion version, long nowMs) {
        Step step = new Step(TransactionState.ONGOING, nowMs);
        SortedSet<TopicPartition> all = new TreeSet<>(partitions);
        all.addAll(added);
        step.partitions = all;
        step.startTimestampMs = state.isIdle() ? nowMs : startTimestampMs;
        step.clientVersion = version;
        return step.taken();
    }

    /**
     * The end is decided.
     *
     * @param newNextProducerId the producer id to go on with, or -1
     */
    TransactionMetadata prepared(boolean commit, TransactionVersion version, long newNextProducerId, long nowMs) {
        Step step = new Step(commit ? TransactionState.PREPARE_COMMIT : TransactionState.PREPARE_ABORT, nowMs);
        if (version.bumpsEpochAtEnd()) {
            step.producerEpoch = bumpedUnlessLast();
            step.lastProducerEpoch = producerEpoch;
        }
        step.nextProducerId = newNextProducerId;
        step.startTimestampMs = state.isIdle() ? nowMs : startTimestampMs;
        step.clientVersion = version;
        return step.taken();
    }

    /** The coordinator takes the transaction from its producer: whoever writes with the old epoch is fenced. */
    TransactionMetadata fenced(TransactionVersion version, long newNextProducerId, long nowMs) {
        TransactionMetadata aborted = prepared(false, version, newNextProducerId, nowMs);
        if (version.bumpsEpochAtEnd()) {
            return aborted;
        }
        Step step = new Step(TransactionState.PREPARE_ABORT, nowMs);
        step.producerEpoch = bumpedUnlessLast();
        step.lastProducerEpoch = NO_PRODUCER_EPOCH;
        step.clientVersion = version;
        return step.taken();
    }

    private short bumpedUnlessLast() {
        return producerEpoch == Short.MAX_VALUE ? producerEpoch : (short) (producerEpoch + 1);
    }

    /** All markers are written. */
    TransactionMetadata completed(long nowMs) {
        Step step = new Step(
                state == TransactionState.PREPARE_COMMIT
                        ? TransactionState.COMPLETE_COMMIT
                        : TransactionState.COMPLETE_ABORT,
                nowMs);
        if (clientVersion.bumpsEpochAtEnd() && nextProducerId != NO_PRODUCER_ID) {
            step.producerId = nextProducerId;
            step.producerEpoch = 0;
        }
        step.nextProducerId = NO_PRODUCER_ID;
        step.partitions = Collections.emptySortedSet();
        return step.taken();
    }

    /** The next metadata in the making: what is not set stays. */
    private final class Step {
        private final TransactionState to;
        private final long nowMs;
        private long producerId = TransactionMetadata.this.producerId;
        private long nextProducerId = TransactionMetadata.this.nextProducerId;
        private short producerEpoch = TransactionMetadata.this.producerEpoch;
        private short lastProducerEpoch = TransactionMetadata.this.lastProducerEpoch;
        private int timeoutMs = TransactionMetadata.this.timeoutMs;
        private SortedSet<TopicPartition> partitions = TransactionMetadata.this.partitions;
        private long startTimestampMs = TransactionMetadata.this.startTimestampMs;
        private TransactionVersion clientVersion = TransactionMetadata.this.clientVersion;

        Step(TransactionState to, long nowMs) {
            if (!to.legalBefore().contains(state)) {
                throw new IllegalStateException("Transactional id [" + transactionalId + "] cannot go from " + state
                        + " to " + to + "; expected to come from one of " + to.legalBefore());
            }
            this.to = to;
            this.nowMs = nowMs;
        }

        TransactionMetadata taken() {
            return new TransactionMetadata(
                    transactionalId,
                    producerId,
                    TransactionMetadata.this.producerId,
                    nextProducerId,
                    producerEpoch,
                    lastProducerEpoch,
                    timeoutMs,
                    to,
                    partitions,
                    startTimestampMs,
                    nowMs,
                    clientVersion);
        }
    }
}
