package io.tidemark.broker.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.ClusterImage;
import io.tidemark.broker.types.Uuid;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.metadata.placement.ClusterDescriber;
import org.apache.kafka.metadata.placement.PartitionAssignment;
import org.apache.kafka.metadata.placement.PlacementSpec;
import org.apache.kafka.metadata.placement.StripedReplicaPlacer;
import org.apache.kafka.metadata.placement.UsableBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same random numbers make the same placements here and in Apache Kafka. */
class ReplicaPlacementDifferentialTest {
    private static final List<String> RACKS = List.of("a", "b", "c");

    @Test
    void placesAsKafkaDoes() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            ClusterImage cluster = draw(random);
            int partitions = 1 + random.nextInt(20);
            int factor = 1 + random.nextInt(cluster.brokers().size());
            assertThat(new ReplicaPlacer(new Random(seed)).place(cluster, partitions, factor))
                    .as("seed %d, %d partitions of factor %d on %s", seed, partitions, factor, cluster.brokers())
                    .isEqualTo(byKafka(new Random(seed), cluster, partitions, factor));
        }
    }

    private static ClusterImage draw(Random random) {
        TreeMap<Integer, BrokerRegistration> brokers = new TreeMap<>();
        int size = 1 + random.nextInt(8);
        int racks = random.nextInt(RACKS.size() + 1);
        for (int id = 1; id <= size; id++) {
            String rack = racks == 0 || random.nextInt(10) == 0 ? null : RACKS.get(random.nextInt(racks));
            brokers.put(id, broker(id, rack, id > 1 && random.nextInt(4) == 0));
        }
        return new ClusterImage(brokers, new TreeMap<>());
    }

    private static BrokerRegistration broker(int id, @Nullable String rack, boolean isFenced) {
        return new BrokerRegistration(id, id, new Uuid(1, id), List.of(), rack, isFenced, false, List.of());
    }

    private static List<List<Integer>> byKafka(Random random, ClusterImage cluster, int partitions, int factor) {
        ClusterDescriber describer = new ClusterDescriber() {
            @Override
            public Iterator<UsableBroker> usableBrokers() {
                return cluster.brokers().values().stream()
                        .map(broker ->
                                new UsableBroker(broker.id(), Optional.ofNullable(broker.rack()), broker.fenced()))
                        .iterator();
            }

            @Override
            public org.apache.kafka.common.Uuid defaultDir(int brokerId) {
                return new org.apache.kafka.common.Uuid(99, brokerId);
            }
        };
        return new StripedReplicaPlacer(random)
                .place(new PlacementSpec(0, partitions, (short) factor), describer).assignments().stream()
                        .map(PartitionAssignment::replicas)
                        .toList();
    }
}
