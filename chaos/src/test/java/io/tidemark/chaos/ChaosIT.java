package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tidemark.Cluster;
import io.tidemark.ClusterNode;
import io.tidemark.NodeState;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ChaosIT {
    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.partitions(3))
                .start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void closingHealsWhatWasHurt() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(1).pause(2);

            assertThat(cluster.brokers())
                    .extracting(ClusterNode::state)
                    .containsExactly(NodeState.KILLED, NodeState.PAUSED, NodeState.RUNNING);
        }

        assertThat(cluster.brokers()).extracting(ClusterNode::state).containsOnly(NodeState.RUNNING);
        for (int partition = 0; partition < 3; partition++) {
            assertThat(cluster.partition("orders", partition)).hasIsr(1, 2, 3);
        }
    }

    @Test
    void healsTheControllerFirst() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.kill(3).kill(1001);
        }

        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    void stopsAndRestarts() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.stop(2);
            assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 3);

            chaos.restart(2);

            assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
        }
    }

    @Test
    void aBrokerThatNobodyHearsLosesItsPlaceAndGetsItBackWithTheHeal() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.isolate(2);

            assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 3);
            assertThat(cluster.broker(2).state()).isEqualTo(NodeState.RUNNING);
            assertThat(chaos.linkFaults())
                    .singleElement()
                    .hasToString("isolate(2)")
                    .satisfies(fault -> assertThat(fault.strikes()).isPositive());
        }

        assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);
    }

    @Test
    void aBrokerCutOffFromAnotherStillFollowsTheRest() {
        String topic = cluster.createTopic(settings -> settings.partitions(3).config("min.insync.replicas", "1"));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.cut(1, 2);
            Producer<String, String> producer = cluster.clients()
                    .producer(String.class, String.class, Map.of("acks", "1", "enable.idempotence", "false"));
            for (int partition = 0; partition < 3; partition++) {
                producer.send(new ProducerRecord<>(topic, partition, "key", "value"));
            }
            producer.flush();

            assertThat(cluster.partition(topic, 2)).eventually().hasHighWatermark(1);
            assertThat(cluster.partition(topic, 0)).eventually().hasLogEndOffset(3, 1);
            assertThat(cluster.partition(topic, 1)).eventually().hasLogEndOffset(3, 1);
            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(2, 0).hasHighWatermark(0);
            assertThat(cluster.partition(topic, 1)).hasLogEndOffset(1, 0).hasHighWatermark(0);
        }

        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(1).hasLogEndOffset(2, 1);
        assertThat(cluster.partition(topic, 1)).eventually().hasHighWatermark(1).hasLogEndOffset(1, 1);
    }

    @Test
    void aFollowerThatStallsServesThoseThatItLeads() throws Exception {
        String topic = cluster.createTopic(settings -> settings.replicas(0, 3, 1, 2));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.stallReplication(3);
            chaos.linkFaults().get(0).awaitStruck(Duration.ofSeconds(20));

            cluster.clients()
                    .producer(String.class, String.class, Map.of("acks", "all"))
                    .send(new ProducerRecord<>(topic, "key", "value"))
                    .get(30, TimeUnit.SECONDS);

            assertThat(cluster.partition(topic, 0)).hasHighWatermark(1).hasIsr(1, 2, 3);
        }
    }

    @Test
    void aNodeThatIsNotThereCannotBeCutOff() {
        Chaos chaos = Chaos.on(cluster);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> chaos.cut(1, 9))
                .withMessage("There is no node [9]; the cluster has [broker 1, broker 2, broker 3, controller 1001]");
        assertThat(chaos.linkFaults()).isEmpty();
        assertThat(chaos.timeline()).isEmpty();
    }

    @Test
    void aNodeThatIsNotThereIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Chaos.on(cluster).kill(9))
                .withMessage("There is no node [9]; the cluster has [broker 1, broker 2, broker 3, controller 1001]");
    }

    @Test
    void aFaultThatCannotBeDoneFailsByNameAndIsNotRemembered() {
        Chaos chaos = Chaos.on(cluster);

        assertThatIllegalStateException()
                .isThrownBy(() -> chaos.resume(2))
                .withMessage("Cannot resume broker 2: it is [running]; only a paused node can go on");
        assertThat(chaos.timeline()).isEmpty();
    }

    @Test
    void remembersWhatWasDone() {
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.pause(2).resume(2);

            assertThat(chaos.timeline()).extracting(Fault::kind).containsExactly("pause", "resume");
            assertThat(chaos.toString()).contains("pause(2)", "resume(2)");
        }
    }
}
