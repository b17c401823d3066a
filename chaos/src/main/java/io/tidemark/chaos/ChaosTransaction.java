package io.tidemark.chaos;

import io.tidemark.Cluster;

/**
 * A transactional id, to be disturbed. Safe from any thread.
 *
 * <pre>{@code
 * chaos.transaction("payments").fence(); // its producer hears of it at its next request
 * }</pre>
 */
public final class ChaosTransaction {
    private final Chaos chaos;
    private final Cluster cluster;
    private final String transactionalId;

    ChaosTransaction(Chaos chaos, Cluster cluster, String transactionalId) {
        this.chaos = chaos;
        this.cluster = cluster;
        this.transactionalId = transactionalId;
    }

    /** Has its open transaction run into its timeout. The clock of every node is pushed over that. */
    public ChaosTransaction expire() {
        return deed("expire", () -> cluster.transactions().expire(transactionalId));
    }

    /** Fences its producer, and aborts what that has open, as another producer with the id does. */
    public ChaosTransaction fence() {
        return deed("fence", () -> cluster.transactions().fence(transactionalId));
    }

    /** Has another broker coordinate it. */
    public ChaosTransaction moveCoordinator() {
        return deed("moveCoordinator", () -> cluster.transactions().moveCoordinator(transactionalId));
    }

    /** Kills the broker that coordinates it. */
    public ChaosTransaction killCoordinator() {
        chaos.kill(cluster.transaction(transactionalId).coordinator());
        return this;
    }

    private ChaosTransaction deed(String kind, Runnable doIt) {
        chaos.damage().deed(kind, "transactional id " + transactionalId, doIt);
        return this;
    }
}
