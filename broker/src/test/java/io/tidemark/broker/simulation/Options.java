package io.tidemark.broker.simulation;

import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a seed draws before the run: how large the cluster is, what its topics promise, which clients work on it, and
 * what goes wrong how often. Each run has some of the troubles only, so that each is met with and without the others.
 */
final class Options {
    final int brokers;
    final int controllers;
    final boolean combined;
    final boolean metadataSnapshots;
    final int topics;
    final int partitions;
    final int replicationFactor;
    final int minInsyncReplicas;
    final boolean uncleanElections;
    final boolean smallSegments;
    final int producers;
    final int consumers;
    final int hurtMs;
    final int meanQuietMs;
    final double breakRate;
    final double delayRate;
    final long delayUs;
    final boolean clockSkew;
    final int spareControllers;
    final boolean autoJoin;
    final boolean pipelined;

    /** Null where there are none. */
    final @Nullable TransactionOptions transactions;

    final int[] weights = new int[Trouble.Kind.values().length];

    private Options(SplittableRandom random, SplittableRandom apart, @Nullable TransactionOptions transactions) {
        this.transactions = transactions;
        brokers = random.nextInt(3, 6);
        int quorum = random.nextInt(20);
        controllers = quorum < 8 ? 1 : quorum < 17 ? 3 : 5;
        combined = controllers <= brokers && random.nextInt(3) == 0;
        metadataSnapshots = random.nextInt(4) == 0;
        topics = random.nextInt(1, 3);
        partitions = random.nextInt(1, 4);
        replicationFactor = random.nextInt(8) == 0 ? 2 : 3;
        minInsyncReplicas = Math.min(replicationFactor, random.nextInt(1, 4));
        uncleanElections = random.nextInt(5) == 0;
        smallSegments = random.nextInt(3) == 0;
        producers = random.nextInt(1, 4);
        consumers = random.nextInt(1, 3);
        hurtMs = random.nextInt(3) > 0 ? random.nextInt(3_000, 9_000) : random.nextInt(9_000, 20_000);
        meanQuietMs = random.nextInt(100, 2_000);
        breakRate = random.nextInt(3) == 0 ? 0.02 * random.nextDouble() : 0;
        delayRate = random.nextInt(3) == 0 ? 0.05 * random.nextDouble() : 0;
        delayUs = random.nextLong(2_000, 300_000);
        clockSkew = random.nextInt(3) == 0;
        SplittableRandom ofVoters = apart.split();
        pipelined = apart.split().nextInt(4) == 0;
        for (Trouble.Kind kind : Trouble.Kind.values()) {
            SplittableRandom source = kind.isApart() ? apart : random;
            weights[kind.ordinal()] = source.nextInt(100) < kind.sharePercent() ? source.nextInt(1, 10) : 0;
        }
        spareControllers = hasVoterChanges() ? ofVoters.nextInt(1, 4) : 0;
        // A lone voter that gives another one a vote and is cut off before that one hears of it stands still for good,
        // by
        // Kafka's own rules: see QuorumAdmin.
        autoJoin = hasVoterChanges() && ofVoters.nextInt(4) == 0 && controllers > 1;
    }

    /**
     * @param random the world's
     * @param apart a source of its own for what came later, so that the runs without it stay what they were
     * @param transactions null for a run without them
     */
    static Options draw(SplittableRandom random, SplittableRandom apart, @Nullable TransactionOptions transactions) {
        return new Options(random, apart, transactions);
    }

    boolean hasVoterChanges() {
        return weight(Trouble.Kind.VOTERS) > 0;
    }

    /** The controllers that have a vote from the start. */
    SortedSet<Integer> voterIds() {
        SortedSet<Integer> ids = new TreeSet<>();
        for (int i = 0; i < controllers; i++) {
            ids.add((combined ? 1 : Cluster.FIRST_CONTROLLER) + i);
        }
        return ids;
    }

    int weight(Trouble.Kind kind) {
        return weights[kind.ordinal()];
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(brokers).append(" brokers, ").append(controllers).append(" controllers");
        text.append(
                hasVoterChanges()
                        ? " and " + spareControllers + " spare" + (autoJoin ? ", that join by themselves" : "")
                        : "");
        text.append(combined ? ", combined" : "").append(metadataSnapshots ? ", metadata snapshots; " : "; ");
        text.append(topics).append(" topics of ").append(partitions).append(" partitions, replication factor ");
        text.append(replicationFactor).append(", min.insync.replicas ").append(minInsyncReplicas);
        text.append(uncleanElections ? ", unclean elections" : "").append(smallSegments ? ", small segments" : "");
        text.append("; ")
                .append(producers)
                .append(pipelined ? " producers and a pipelined one, " : " producers, ")
                .append(consumers)
                .append(" consumers; hurt for ");
        text.append(hurtMs).append(" ms, every ").append(meanQuietMs).append(" ms or so; links break at ");
        text.append(breakRate)
                .append(", frames are late at ")
                .append(delayRate)
                .append(" by ")
                .append(delayUs);
        text.append(" us").append(clockSkew ? "; clocks are off" : "");
        text.append(transactions == null ? "" : "; " + transactions).append("; troubles");
        for (Trouble.Kind kind : Trouble.Kind.values()) {
            if (weight(kind) > 0) {
                text.append(' ').append(kind).append(' ').append(weight(kind));
            }
        }
        return text.toString();
    }
}
