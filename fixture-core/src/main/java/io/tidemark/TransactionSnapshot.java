package io.tidemark;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A transactional id at one moment, as its coordinator had it. Immutable.
 *
 * <pre>{@code
 * TransactionSnapshot billing = cluster.transaction("billing").snapshot();
 * System.out.println(billing.state() + " in " + billing.partitions());
 * }</pre>
 *
 * @param transactionalId the id
 * @param coordinator the broker that coordinates it
 * @param state by Kafka's name: {@code Empty}, {@code Ongoing}, {@code PrepareCommit}, {@code PrepareAbort},
 *     {@code CompleteCommit} or {@code CompleteAbort}
 * @param producerId the producer id in use
 * @param producerEpoch the epoch in use; a producer with a lower one is fenced
 * @param timeout how long a transaction may stay open
 * @param startTime when the open transaction began, by the cluster's clock; empty where none is open
 * @param partitions what the open transaction has touched, each as {@code topic-partition}, in order; while it ends,
 *     those where its end is not written yet
 */
public record TransactionSnapshot(
        String transactionalId,
        int coordinator,
        String state,
        long producerId,
        int producerEpoch,
        Duration timeout,
        Optional<Instant> startTime,
        List<String> partitions) {
    /** The states in which a transaction is decided, and some partition may not know it yet. */
    private static final Set<String> PREPARED = Set.of("PrepareCommit", "PrepareAbort");

    public TransactionSnapshot {
        partitions = List.copyOf(partitions);
    }

    /** True where it is decided, and its end is still to be written to {@link #partitions()}. */
    public boolean isPrepared() {
        return PREPARED.contains(state);
    }

    /** True where it is open for longer than its timeout, so that its coordinator should have aborted it. */
    public boolean isOverdue(Instant now) {
        return state.equals("Ongoing")
                && startTime.isPresent()
                && startTime.get().plus(timeout).isBefore(now);
    }

    /**
     * True where it holds up readers and its producer has no say in it any more: decided, with partitions that are not
     * told yet, or {@linkplain #isOverdue overdue}. A transaction that is merely open does not hang; one that commits is
     * decided for the moment that its markers take.
     */
    public boolean isHanging(Instant now) {
        return (isPrepared() && !partitions.isEmpty()) || isOverdue(now);
    }

    /** One line, with all of it. */
    @Override
    public String toString() {
        return "transactional id " + transactionalId + ": " + state + " on broker " + coordinator + ", producer id "
                + producerId + ", producer epoch " + producerEpoch + ", timeout " + timeout.toMillis() + " ms"
                + startTime.map(start -> ", open since " + start).orElse("") + ", partitions " + partitions;
    }
}
