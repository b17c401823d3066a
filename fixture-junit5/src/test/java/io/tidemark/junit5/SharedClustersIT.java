package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.NodeState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Isolated;

/** Clusters that tests hand on to each other. What they saw is kept in a static list, so this class runs alone. */
@Isolated
class SharedClustersIT {
    private static final List<Cluster> SEEN = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void equalClustersAreHandedOnAsNew() {
        InnerRun.of(First.class, Second.class, InCode.class, Different.class).passed(5);

        assertThat(SEEN).hasSize(5).allMatch(Cluster::isClosed);
        assertThat(new HashSet<>(SEEN.subList(0, 4))).hasSize(1);
        assertThat(SEEN.get(4)).isNotSameAs(SEEN.get(0));
    }

    @KafkaCluster(shared = true, topics = @Topic(name = "orders"))
    static class First {
        @Test
        void leavesMuchBehind(Cluster cluster, Producer<String, String> producer, @Topic String more) throws Exception {
            use(cluster);
            assertThat(cluster.topics()).hasSize(2).contains(more);
            producer.send(new ProducerRecord<>("orders", "value")).get();
            cluster.broker(1).kill();
        }
    }

    static class Second {
        @RepeatedTest(2)
        @KafkaCluster(shared = true, topics = @Topic(name = "orders"))
        void findsNothing(Cluster cluster, Producer<String, String> producer) throws Exception {
            use(cluster);
            assertThat(cluster.topics()).containsExactly("orders");
            assertThat(producer.send(new ProducerRecord<>("orders", "value"))
                            .get()
                            .offset())
                    .isZero();
        }
    }

    static class InCode {
        @RegisterExtension
        static final ClusterExtension KAFKA =
                ClusterExtension.of(cluster -> cluster.topic("orders")).shared();

        @Test
        void findsNothing(Cluster cluster) {
            use(cluster);
        }
    }

    @KafkaCluster(shared = true)
    static class Different {
        @Test
        void hasAnother(Cluster cluster) {
            use(cluster);
        }
    }

    @Test
    void inParallelEachHasItsOwn() {
        InnerRun.inParallel(SideBySide.class).passed(4);

        assertThat(SEEN).hasSize(4).allMatch(Cluster::isClosed);
        assertThat(new HashSet<>(SEEN)).hasSizeBetween(1, 4);
    }

    static class SideBySide {
        private static final List<String> IN_USE = Collections.synchronizedList(new ArrayList<>());

        @RepeatedTest(4)
        @KafkaCluster(shared = true)
        void hasItAlone(Cluster cluster, @Topic String topic) {
            use(cluster);
            assertThat(IN_USE).doesNotContain(cluster.clusterId());
            IN_USE.add(cluster.clusterId());
            assertThat(cluster.topics()).containsExactly(topic);
            IN_USE.remove(cluster.clusterId());
        }
    }

    private static void use(Cluster cluster) {
        SEEN.add(cluster);
        assertThat(cluster.nodes()).allMatch(node -> node.state() == NodeState.RUNNING);
    }
}
