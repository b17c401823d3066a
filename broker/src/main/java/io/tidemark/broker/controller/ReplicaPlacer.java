package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Spreads replicas over racks first, and over the brokers of each rack then, in stripes: partition after partition, the
 * leader moves on by one. Where it starts is random, so that small topics do not all lead on the first broker. A fenced
 * broker leads nothing, and is given a replica only where its rack has nobody else left.
 *
 * <p>Brokers without a rack make a rack of their own. As in Kafka, which draws the same random numbers.
 */
final class ReplicaPlacer {
    private final RandomGenerator random;

    ReplicaPlacer(RandomGenerator random) {
        this.random = random;
    }

    /**
     * @return the replicas of each new partition, the preferred leader first
     * @throws Rejection if there are too few brokers, or none is alive
     */
    List<List<Integer>> place(ClusterImage cluster, int partitions, int replicationFactor) {
        RackStripes stripes = new RackStripes(random);
        for (BrokerRegistration broker : cluster.brokers().values()) {
            if (!broker.inControlledShutdown()) {
                stripes.add(broker.id(), broker.rack(), broker.fenced());
            }
        }
        int registered = cluster.brokers().size();
        if (replicationFactor > stripes.size()) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Replication factor " + replicationFactor + " needs as many brokers; " + registered
                            + " are registered: " + cluster.brokers().keySet()
                            + ". Start more brokers, or ask for a smaller factor");
        }
        if (stripes.liveSize() == 0) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "No broker can lead now: all " + registered + " registered ones are fenced or shutting down");
        }
        return stripes.place(partitions, replicationFactor);
    }
}
