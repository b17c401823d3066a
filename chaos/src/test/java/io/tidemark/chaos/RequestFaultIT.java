package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.requests.RequestFault;
import io.tidemark.requests.RequestStrike;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

/** What unmodified clients make of requests that are hurt on their way, and what the brokers have then. */
class RequestFaultIT extends ThreeBrokers {
    private static final Map<String, String> PLAIN = Map.of("enable.idempotence", "false", "acks", "all");

    private Producer<String, String> producer(String clientId, Map<String, String> settings) {
        Map<String, String> all = new java.util.HashMap<>(settings);
        all.put("client.id", clientId);
        all.put("retry.backoff.ms", "20");
        return cluster.clients().producer(String.class, String.class, all);
    }

    @Test
    void anErrorInThePlaceOfTheWork() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer("refused", Map.of());
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault fault = chaos.requests()
                    .on(ApiKey.PRODUCE)
                    .fromClient("refused")
                    .toBroker(1)
                    .topic(topic)
                    .once()
                    .answer(ErrorCode.POLICY_VIOLATION);

            assertThatThrownBy(() -> done(send(producer, topic)))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(PolicyViolationException.class);

            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(1, 0);
            assertThat(fault.strikes()).singleElement().satisfies(strike -> {
                assertThat(strike.clientId()).isEqualTo("refused");
                assertThat(strike.nodeId()).isEqualTo(1);
                assertThat(strike.about()).isEqualTo(topic + "-0");
            });
            assertThat(done(send(producer, topic)).offset()).isZero();
            assertThat(chaos.declared())
                    .singleElement()
                    .asString()
                    .contains("POLICY_VIOLATION", "struck once", "refused");
            assertThat(cluster.timeline())
                    .anySatisfy(event -> assertThat(event.text()).contains("struck PRODUCE"));
        }
    }

    @Test
    void aLostAcknowledgementIsADuplicateWithoutIdempotenceAndNoneWithIt() throws Exception {
        String plain = topic();
        String idempotent = topic();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.requests().on(ApiKey.PRODUCE).topic(plain).once().loseAnswer();
            chaos.requests().on(ApiKey.PRODUCE).topic(idempotent).once().loseAnswer();

            done(send(producer("plain", PLAIN), plain));
            done(send(producer("idempotent", Map.of("enable.idempotence", "true")), idempotent));
        }

        assertThat(cluster.partition(plain, 0)).eventually().hasHighWatermark(2);
        assertThat(cluster.partition(idempotent, 0)).eventually().hasHighWatermark(1);
    }

    @Test
    void anErrorAfterTheWorkWasDone() throws Exception {
        String topic = topic();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.requests()
                    .on("PRODUCE")
                    .topic(topic)
                    .times(2)
                    .answerAfterwards(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND);

            assertThat(done(send(producer("told-wrong", PLAIN), topic)).offset())
                    .isEqualTo(2);
        }

        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(3);
    }

    @Test
    void aBarrierBeforeTheWorkAndOneAfterIt() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer("patient", Map.of("max.in.flight.requests.per.connection", "1"));
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault before =
                    chaos.requests().on(ApiKey.PRODUCE).topic(topic).once().hold();
            Future<RecordMetadata> first = send(producer, topic);
            before.awaitStruck(SOON);
            assertThat(before.waiting()).isEqualTo(1);
            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(1, 0);
            assertThat(first.isDone()).isFalse();

            before.release();
            assertThat(done(first).offset()).isZero();

            RequestFault after =
                    chaos.requests().on(ApiKey.PRODUCE).topic(topic).once().holdAnswer();
            Future<RecordMetadata> second = send(producer, topic);
            assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(2);
            after.awaitStruck(SOON);
            assertThat(second.isDone()).isFalse();

            after.heal();
            assertThat(done(second).offset()).isEqualTo(1);
        }
    }

    @Test
    void aRequestThatIsHandledTwice() throws Exception {
        String topic = topic();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.requests().on(ApiKey.PRODUCE).topic(topic).once().duplicate();

            assertThat(done(send(producer("doubled", PLAIN), topic)).offset()).isEqualTo(1);
        }

        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(2);
    }

    @Test
    void aRequestThatIsNeverAnswered() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer(
                "unanswered",
                Map.of(
                        "request.timeout.ms",
                        "500",
                        "delivery.timeout.ms",
                        "600",
                        "linger.ms",
                        "0",
                        "retries",
                        "0",
                        "enable.idempotence",
                        "false"));
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.requests().on(ApiKey.PRODUCE).topic(topic).leaveUnanswered();

            assertThatThrownBy(() -> done(send(producer, topic))).hasCauseInstanceOf(TimeoutException.class);
            assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(1);
        }

        assertThat(done(send(producer, topic)).offset()).isEqualTo(1);
    }

    @Test
    void aClosedConnectionIsOpenedAgain() throws Exception {
        String topic = topic();
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.requests().on(ApiKey.PRODUCE).topic(topic).once().closeConnection();
            chaos.requests().on(ApiKey.PRODUCE).topic(topic).once().resetConnection();

            assertThat(done(send(producer("thrown-out", PLAIN), topic)).offset())
                    .isZero();
        }

        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(1);
    }

    @Test
    void aDelayIsAtLeastWhatItSays() throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer("late", Map.of());
        try (Chaos chaos = Chaos.on(cluster)) {
            chaos.requests().on(ApiKey.PRODUCE).topic(topic).delay(Duration.ofMillis(100), Duration.ofMillis(50));
            chaos.requests().on(ApiKey.PRODUCE).topic(topic).delayAnswer(Duration.ofMillis(100));
            long before = System.nanoTime();

            done(send(producer, topic));

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(190));
        }
    }

    @Test
    void strikesOnlyWhomItCoversAndWhen() throws Exception {
        String topic = topic();
        AtomicBoolean isTime = new AtomicBoolean();
        Producer<String, String> one = producer("one", Map.of("linger.ms", "0"));
        Producer<String, String> other = producer("other", Map.of());
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault third = chaos.requests()
                    .on(ApiKey.PRODUCE)
                    .fromClient("one")
                    .topic(topic)
                    .onNumber(3)
                    .answer(ErrorCode.POLICY_VIOLATION);
            RequestFault later = chaos.requests()
                    .on(ApiKey.PRODUCE)
                    .fromClient("other")
                    .partition(topic, 0)
                    .when(isTime::get)
                    .answer(ErrorCode.POLICY_VIOLATION);
            RequestFault elsewhere = chaos.requests()
                    .on(ApiKey.PRODUCE)
                    .topic(topic)
                    .toBroker(2)
                    .closeConnection()
                    .maybe();

            done(send(other, topic));
            done(send(one, topic));
            done(send(one, topic));
            assertThatThrownBy(() -> done(send(one, topic))).hasCauseInstanceOf(PolicyViolationException.class);
            done(send(one, topic));
            isTime.set(true);
            assertThatThrownBy(() -> done(send(other, topic))).hasCauseInstanceOf(PolicyViolationException.class);

            assertThat(third.struck()).isEqualTo(1);
            assertThat(later.struck()).isEqualTo(1);
            assertThat(elsewhere.struck()).isZero();
        }
        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(4);
    }

    @Test
    void aProbabilityStrikesTheSameOnesWithTheSameSeed() throws Exception {
        List<Boolean> once = refusals(0.5, 42);

        assertThat(once).contains(true, false);
        assertThat(refusals(0.5, 42)).isEqualTo(once);
        assertThat(refusals(0.5, 43)).isNotEqualTo(once);
    }

    /** Which of 20 records in a row were refused. */
    private List<Boolean> refusals(double probability, long seed) throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer("seed-" + seed + "-" + topic, Map.of("linger.ms", "0"));
        List<Boolean> refused = new ArrayList<>();
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault fault = chaos.requests()
                    .on(ApiKey.PRODUCE)
                    .topic(topic)
                    .withProbability(probability, seed)
                    .answer(ErrorCode.POLICY_VIOLATION);
            for (int i = 0; i < 20; i++) {
                try {
                    done(send(producer, topic));
                    refused.add(false);
                } catch (ExecutionException e) {
                    assertThat(e).hasCauseInstanceOf(PolicyViolationException.class);
                    refused.add(true);
                }
            }
            long accepted = refused.stream().filter(one -> !one).count();
            assertThat(fault.struck()).isEqualTo(20 - accepted);
            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(1, accepted);
            fault.heal();
            for (int i = 0; i < 5; i++) {
                done(send(producer, topic));
            }
        }
        return refused;
    }

    @Test
    void theHighWatermarkIsHeldAndConsumersSeeNoMore() throws Exception {
        String topic = topic();
        TopicPartition partition = new TopicPartition(topic, 0);
        Producer<String, String> producer = producer("alone", Map.of("acks", "1", "enable.idempotence", "false"));
        done(send(producer, topic));
        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(1);
        Consumer<String, String> reader = cluster.clients().consumer(String.class, String.class);
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault held = chaos.holdHighWatermark(topic, 0);

            assertThat(done(send(producer, topic)).offset()).isEqualTo(1);
            held.awaitStruck(2, SOON);

            assertThat(cluster.partition(topic, 0))
                    .hasLogEndOffset(1, 2)
                    .hasHighWatermark(1)
                    .hasIsr(1, 2, 3);
            assertThat(reader.endOffsets(List.of(partition), SOON)).containsEntry(partition, 1L);
            held.heal();

            assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(2);
            assertThat(reader.endOffsets(List.of(partition), SOON)).containsEntry(partition, 2L);
        }
    }

    @Test
    void aFetchIsKnownByItsSession() {
        String fetched = topic();
        TopicPartition partition = new TopicPartition(fetched, 0);
        Consumer<String, String> consumer =
                cluster.clients().consumer(String.class, String.class, Map.of("client.id", "reader"));
        consumer.assign(List.of(partition));
        // In a session that began before the fault.
        consumer.poll(Duration.ofMillis(700));
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault fault = chaos.requests()
                    .on(ApiKey.FETCH)
                    .fromClient("reader")
                    .partition(fetched, 0)
                    .answer(ErrorCode.TOPIC_AUTHORIZATION_FAILED);

            assertThatThrownBy(() -> {
                        long deadline = System.nanoTime() + SOON.toNanos();
                        while (System.nanoTime() < deadline) {
                            consumer.poll(Duration.ofMillis(100));
                        }
                    })
                    .isInstanceOf(TopicAuthorizationException.class);

            assertThat(fault.strikes())
                    .extracting(RequestStrike::about)
                    .isNotEmpty()
                    .containsOnly(fetched + "-0");
        }
    }

    @Test
    void whatNodesSendEachOtherIsStruckWhereThatIsSaid() {
        String topic = topic();
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault fetches =
                    chaos.requests().on(ApiKey.FETCH).fromNodes(3).toBroker(1).cutOff();

            send(producer("sender", Map.of("acks", "1", "enable.idempotence", "false")), topic);

            assertThat(cluster.partition(topic, 0)).eventually().hasLogEndOffset(2, 1);
            fetches.awaitStruck(SOON);
            assertThat(cluster.partition(topic, 0)).hasLogEndOffset(3, 0);
            assertThat(fetches.strikes()).extracting(RequestStrike::clientId).containsOnly("node-3-replica-fetcher");
        }

        assertThat(cluster.partition(topic, 0)).eventually().hasLogEndOffset(3, 1);
    }

    @Test
    void aFaultThatNeverStruckFailsTheTestAndSaysSo() {
        assertThatThrownBy(() -> {
                    try (Chaos chaos = Chaos.on(cluster)) {
                        chaos.requests()
                                .on(ApiKey.END_TXN)
                                .transactionalId("payments")
                                .once()
                                .hold();
                        chaos.requests().on(ApiKey.JOIN_GROUP).hold().maybe();
                        chaos.cut(1, 2);
                        chaos.healLinks().maybe();
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("A fault never struck")
                .hasMessageContaining("hold: END_TXN transactional id payments once struck nothing")
                .hasMessageContaining("hold: JOIN_GROUP struck nothing, as it may");
    }

    @Test
    void aNodeThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Chaos.on(cluster).requests().toBroker(9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("There is no node [9]");
        assertThatThrownBy(() -> Chaos.on(cluster).requests().on("PRODUCER"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Kafka has no API [PRODUCER]");
    }
}
