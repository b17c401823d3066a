package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.NodeState;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.requests.RequestFault;
import io.tidemark.requests.RequestStrike;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Test;

/** Networks that are bad in other ways than a clean cut: of clients, of followers, of controllers. */
class NetworkFaultIT extends ThreeBrokers {
    private static final Map<String, String> LEADER_ALONE = Map.of("acks", "1", "enable.idempotence", "false");

    /** Longer than any machine needs: nobody lags but by a push. */
    private static final Duration LAG = Duration.ofSeconds(15);

    @Override
    Cluster.Builder configured(Cluster.Builder builder) {
        return builder.config("replica.lag.time.max.ms", String.valueOf(LAG.toMillis()))
                .config("broker.session.timeout.ms", "2000")
                .config("broker.heartbeat.interval.ms", "200");
    }

    private String ledBy(int leader) {
        return cluster.createTopic(topic -> topic.replicas(0, leader, leader % 3 + 1, (leader + 1) % 3 + 1));
    }

    private Producer<String, String> producer(String clientId, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("client.id", clientId);
        all.put("reconnect.backoff.max.ms", "100");
        return cluster.clients().producer(String.class, String.class, all);
    }

    @Test
    void aClientIsCutOffFromOneBrokerOnly() throws Exception {
        String here = ledBy(1);
        String there = ledBy(2);
        Producer<String, String> exile = producer("exile", Map.of());
        done(send(exile, here));
        done(send(exile, there));
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault cut = chaos.cutClient("exile", 1);
            Future<RecordMetadata> stuck = send(exile, here);
            cut.awaitStruck(SOON);

            done(send(producer("citizen", Map.of()), here));
            done(send(exile, there));

            assertThat(stuck.isDone()).isFalse();
            assertThat(cluster.partition(here, 0)).hasHighWatermark(2).hasIsr(1, 2, 3);
            assertThat(cut.strikes()).extracting(RequestStrike::clientId).containsOnly("exile");
            cut.heal();
            assertThat(done(stuck).offset()).isEqualTo(2);
        }
    }

    @Test
    void aBrokerThatLivesAndRefuses() throws Exception {
        String topic = ledBy(1);
        Producer<String, String> producer = producer("refused", Map.of());
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.refuseConnections(1);
            Future<RecordMetadata> later = send(producer, topic);
            cluster.transactions().orphan(cluster.partition(topic, 0), "behind its door");

            // Nobody follows it any more, and it says so to the controller, which it reaches.
            cluster.clock().advance(LAG.plusSeconds(1));
            assertThat(cluster.partition(topic, 0)).eventually().hasIsr(1);
            assertThat(cluster.broker(1).state()).isEqualTo(NodeState.RUNNING);
            assertThat(later.isDone()).isFalse();
            chaos.acceptConnections(1);

            assertThat(done(later).offset()).isEqualTo(2);
        }
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3);
    }

    @Test
    void aSlowWayToTheController() throws Exception {
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault slow = chaos.between(2, 1001).delay(Duration.ofMillis(40), Duration.ofMillis(40));

            String topic = ledBy(2);
            done(send(producer("unaware", Map.of()), topic));

            slow.awaitStruck(SOON);
            assertThat(slow.strikes()).allSatisfy(strike -> {
                assertThat(strike.clientId()).startsWith("node-2-");
                assertThat(strike.nodeId()).isEqualTo(1001);
            });
            assertThat(cluster.partition(topic, 0))
                    .eventually()
                    .hasHighWatermark(1)
                    .hasIsr(1, 2, 3);
        }
    }

    @Test
    void replicationOverANarrowLine() throws Exception {
        String topic = ledBy(1);
        Producer<String, String> producer = producer("wide", Map.of("acks", "all"));
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.between(1, 2).limitBandwidth(100_000);
            long before = System.nanoTime();

            done(producer.send(new ProducerRecord<>(topic, 0, "key", "x".repeat(40_000))));

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(390));
        }
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3).hasLogEndOffset(2, 2);
    }

    @Test
    void aFollowerComesBackAfterResetsAndLosses() throws Exception {
        String topic = ledBy(1);
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault resets = chaos.between(1, 2).on(ApiKey.FETCH).times(3).resetConnection();
            RequestFault losses = chaos.between(1, 2).on(ApiKey.FETCH).times(2).drop(Duration.ofMillis(100));
            done(send(producer("steady", Map.of("acks", "all")), topic));
            resets.awaitStruck(3, SOON);
            losses.awaitStruck(2, SOON);

            assertThat(cluster.partition(topic, 0)).eventually().hasLogEndOffset(2, 1);
        }
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3);
    }

    @Test
    void aHalfOpenConnectionStallsItsFollowerUntilSomebodySaysSo() throws Exception {
        String topic = ledBy(1);
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault halfOpen = chaos.requests()
                    .on(ApiKey.FETCH)
                    .fromNodes(3)
                    .toBroker(1)
                    .halfOpen()
                    .awaitStruck(SOON);
            done(send(producer("first", LEADER_ALONE), topic));

            assertThat(cluster.partition(topic, 0)).eventually().hasLogEndOffset(2, 1);
            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(3, 0);
            halfOpen.heal();

            assertThat(cluster.partition(topic, 0)).eventually().hasLogEndOffset(3, 1);
        }
    }

    @Test
    void aLeaderThatDoesNotHearThatItWasReplaced() throws Exception {
        String topic = ledBy(3);
        Producer<String, String> believer =
                producer("believer", Map.of("acks", "1", "enable.idempotence", "false", "linger.ms", "0"));
        done(send(believer, topic));
        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(1);
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.isolateFromControllers(3);
            // A high watermark is only told by a leader that has taken office.
            assertThat(cluster.partition(topic, 0))
                    .eventually()
                    .hasLeader(1)
                    .hasLeaderEpoch(1)
                    .hasHighWatermark(1);

            assertThat(done(send(believer, topic)).offset()).isEqualTo(1);
            assertThat(cluster.partition(topic, 0).recordsOn(3)).hasSize(2);
            assertThat(cluster.broker(3).state()).isEqualTo(NodeState.RUNNING);
        }

        // What it acknowledged alone was never committed.
        assertThat(cluster.partition(topic, 0))
                .hasIsr(1, 2, 3)
                .hasHighWatermark(1)
                .hasLogEndOffset(3, 1);
    }

    @Test
    void replicationOfOnePartitionStallsAtAnOffset() throws Exception {
        String stalled = ledBy(1);
        String other = ledBy(1);
        Producer<String, String> producer = producer("writer", LEADER_ALONE);
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault stall = chaos.replicationOf(3).partition(stalled, 0).stallAt(2);
            for (int i = 0; i < 4; i++) {
                done(send(producer, stalled));
            }
            done(send(producer, other));

            assertThat(cluster.partition(stalled, 0))
                    .eventually()
                    .hasLogEndOffset(2, 4)
                    .hasLogEndOffset(3, 2)
                    .hasHighWatermark(2);
            assertThat(cluster.partition(other, 0))
                    .eventually()
                    .hasHighWatermark(1)
                    .hasLogEndOffset(3, 1);
            stall.awaitStruck(SOON);

            // It falls out of the ISR, and the high watermark is free.
            cluster.clock().advance(LAG.plusSeconds(1));
            assertThat(cluster.partition(stalled, 0)).eventually().hasIsr(1, 2).hasHighWatermark(4);
            assertThat(cluster.partition(stalled, 0)).hasLogEndOffset(3, 2);
            assertThat(cluster.partition(other, 0)).hasIsr(1, 2, 3);
            stall.heal();

            assertThat(cluster.partition(stalled, 0))
                    .eventually()
                    .hasIsr(1, 2, 3)
                    .hasLogEndOffset(3, 4);
        }
    }

    @Test
    void replicationOfATopicStallsWhereItIs() throws Exception {
        String topic = ledBy(2);
        Producer<String, String> producer = producer("writer-of-all", Map.of("acks", "all"));
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault stall = chaos.replicationOf(1).topic(topic).stall();
            Future<RecordMetadata> waiting = send(producer, topic);
            stall.awaitStruck(SOON);

            assertThat(waiting.isDone()).isFalse();
            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(1, 1).hasHighWatermark(1);
            stall.heal();
            assertThat(done(waiting).offset()).isEqualTo(1);
        }
    }

    @Test
    void aSlowNode() throws Exception {
        String topic = ledBy(2);
        Producer<String, String> producer = producer("slowed", Map.of());
        done(send(producer, topic));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.slow(2, Duration.ofMillis(150));
            long before = System.nanoTime();

            done(send(producer, topic));

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(140));
        }
        assertThat(cluster.partition(topic, 0)).hasIsr(1, 2, 3).hasHighWatermark(2);
    }
}
