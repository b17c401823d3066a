package io.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.assertions.TidemarkAssertions;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.evidence.Evidence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of a cluster shows every fault where it struck, and when it was over. */
@Timeout(60)
class StrikesOnTimelineIT {
    @Test
    void faultsAreToldWhereTheyStruckAndHealed() throws Exception {
        try (Cluster cluster = Cluster.builder()
                        .brokers(3)
                        .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                        .start();
                Chaos chaos = Chaos.on(cluster)) {
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("client.id", "shop"));
            producer.send(new ProducerRecord<>("orders", "zero")).get();
            int leader = cluster.partition("orders", 0).leader();
            int follower = cluster.partition("orders", 0).isr().stream()
                    .filter(id -> id != leader)
                    .findFirst()
                    .orElseThrow();
            try (Consumer<String, String> consumer =
                    cluster.clients().consumer(String.class, String.class, Map.of("group.id", "billing"))) {
                consumer.subscribe(List.of("orders"));
                Awaitility.await("a member").until(() -> {
                    consumer.poll(Duration.ofMillis(20));
                    return !consumer.assignment().isEmpty();
                });
                chaos.group("billing").moveCoordinator();
            }
            assertThat(strikes(cluster)).isEmpty();

            chaos.requests().on(ApiKey.PRODUCE).topic("orders").once().loseAnswer();
            chaos.disk(leader).slow(Duration.ofMillis(1));
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>("orders", "one")).get();
            }
            chaos.stallReplication(follower);
            producer.send(new ProducerRecord<>("orders", "two"));
            Awaitility.await("the link has struck")
                    .until(() -> chaos.linkFaults().get(0).strikes() > 0);
            chaos.skew(follower, Duration.ofSeconds(5));
            cluster.clock().advance(Duration.ofMillis(5));
            chaos.heal();
            TidemarkAssertions.assertThat(cluster.partition("orders", 0)).hasIsr(1, 2, 3);

            List<TimelineEvent> strikes = strikes(cluster);
            assertThat(strikes)
                    .anySatisfy(strike -> assertThat(strike.subject() + ": " + strike.text())
                            .matches("node " + leader
                                    + ": lose the answer: PRODUCE topic orders once struck PRODUCE v\\d+ of \\[shop\\] to node "
                                    + leader + " about orders-0"))
                    .anySatisfy(strike -> assertThat(strike.subject() + ": " + strike.text())
                            .matches("link .+ -> " + follower + ": stallReplication\\(" + follower
                                    + "\\) struck replica-fetcher.*"))
                    .anySatisfy(strike -> assertThat(strike.subject() + ": " + strike.text())
                            .matches(
                                    "broker " + leader + ": disk: slower by 1 ms struck WRITE of orders-0/0+\\.log.*"));
            assertThat(strikes)
                    .as("many strikes of one fault are folded")
                    .filteredOn(strike -> strike.text().startsWith("disk: slower"))
                    .hasSize(4)
                    .last()
                    .satisfies(strike -> assertThat(strike.text()).contains(", the last of "));
            assertThat(cluster.timeline())
                    .filteredOn(event -> event.kind() == Kind.FAULT)
                    .extracting(event -> event.subject() + ": " + event.text())
                    .contains(
                            "requests: healed lose the answer: PRODUCE topic orders once",
                            "broker " + leader + ": disk: healed",
                            "broker " + follower + ": its clock is off by PT5S",
                            "broker " + follower + ": its clock is right",
                            "clock: advanced by PT0.005S")
                    .anyMatch(line -> line.startsWith("links: healed stallReplication(" + follower + "), struck "))
                    .anyMatch(line -> line.matches("group billing: coordinated by broker \\d on purpose"));
            assertThat(Evidence.of(cluster, "strikes", null).findings()).contains("Struck by faults: ");
        }
    }

    private static List<TimelineEvent> strikes(Cluster cluster) {
        return cluster.timeline().stream()
                .filter(event -> event.kind() == Kind.STRIKE)
                .toList();
    }
}
