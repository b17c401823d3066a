package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Spreads replicas over the brokers in stripes: partition after partition, the leader moves on by one broker, and the
 * followers stand behind it. Where it starts is random, so that small topics do not all lead on the first broker. Live
 * brokers come first; fenced ones fill up what the replication factor asks beyond them. Racks are not looked at.
 */
final class ReplicaPlacer {
    private final RandomGenerator random;

    ReplicaPlacer(RandomGenerator random) {
        this.random = random;
    }

    /**
     * @param firstPartition goes on where an existing topic ends
     * @return the replicas of each new partition, the preferred leader first
     * @throws Rejection if there are too few brokers, or none is alive
     */
    List<List<Integer>> place(ClusterImage cluster, int firstPartition, int partitions, int replicationFactor) {
        List<Integer> live = new ArrayList<>();
        List<Integer> fenced = new ArrayList<>();
        for (BrokerRegistration broker : cluster.brokers().values()) {
            if (!broker.inControlledShutdown()) {
                (broker.fenced() ? fenced : live).add(broker.id());
            }
        }
        int registered = cluster.brokers().size();
        if (replicationFactor > live.size() + fenced.size()) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Replication factor " + replicationFactor + " needs as many brokers; " + registered
                            + " are registered: " + cluster.brokers().keySet()
                            + ". Start more brokers, or ask for a smaller factor");
        }
        if (live.isEmpty()) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "No broker can lead now: all " + registered + " registered ones are fenced or shutting down");
        }
        int liveStart = random.nextInt(live.size()) + firstPartition;
        int fencedStart = fenced.isEmpty() ? 0 : random.nextInt(fenced.size()) + firstPartition;
        List<List<Integer>> placed = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<Integer> replicas = new ArrayList<>();
            for (int i = 0; i < replicationFactor; i++) {
                replicas.add(
                        i < live.size()
                                ? live.get((liveStart + partition + i) % live.size())
                                : fenced.get((fencedStart + partition + i - live.size()) % fenced.size()));
            }
            placed.add(replicas);
        }
        return placed;
    }
}
