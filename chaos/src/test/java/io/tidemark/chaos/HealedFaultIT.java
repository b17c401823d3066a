package io.tidemark.chaos;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.LinkFault;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.requests.RequestFault;
import io.tidemark.requests.RequestRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each fault of requests and of links is over when it is healed: nothing more is struck, and all goes through. */
@Timeout(120)
class HealedFaultIT extends ThreeBrokers {
    @Override
    Cluster.Builder configured(Cluster.Builder builder) {
        return builder.config("replica.lag.time.max.ms", "1000");
    }

    private Producer<String, String> producer(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("request.timeout.ms", "400");
        all.put("linger.ms", "0");
        all.put("delivery.timeout.ms", "20000");
        all.put("reconnect.backoff.max.ms", "100");
        return cluster.clients().producer(String.class, String.class, all);
    }

    private static Arguments request(String name, Function<RequestRule, RequestFault> declare) {
        return Arguments.of(name, declare);
    }

    private static Stream<Arguments> requestFaults() {
        Duration late = Duration.ofMillis(100);
        return Stream.of(
                request("answer", rule -> rule.answer(ErrorCode.NOT_ENOUGH_REPLICAS)),
                request("answerAfterwards", rule -> rule.answerAfterwards(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)),
                request("loseAnswer", RequestRule::loseAnswer),
                request("leaveUnanswered", RequestRule::leaveUnanswered),
                request("halfOpen", RequestRule::halfOpen),
                request("drop", rule -> rule.drop(late)),
                request("closeConnection", RequestRule::closeConnection),
                request("resetConnection", RequestRule::resetConnection),
                request("delay", rule -> rule.delay(late, late)),
                request("delayAnswer", rule -> rule.delayAnswer(late)),
                request("limitBandwidth", rule -> rule.limitBandwidth(1_000)),
                request("hold", RequestRule::hold),
                request("holdAnswer", RequestRule::holdAnswer),
                request("cutOff", RequestRule::cutOff),
                request("duplicate", RequestRule::duplicate));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requestFaults")
    void aHealedFaultOfRequestsStrikesNobody(String name, Function<RequestRule, RequestFault> declare)
            throws Exception {
        String topic = topic();
        Producer<String, String> producer = producer(Map.of("enable.idempotence", "true"));
        try (Chaos chaos = Chaos.on(cluster)) {
            RequestFault fault = declare.apply(chaos.requests().on("PRODUCE").topic(topic));
            Future<RecordMetadata> first = send(producer, topic);
            fault.awaitStruck(SOON);

            fault.heal();

            assertThat(fault.isHealed()).isTrue();
            assertThat(first.get(SOON.toSeconds(), TimeUnit.SECONDS).offset()).isZero();
            long struck = fault.struck();
            assertThat(send(producer, topic)
                            .get(SOON.toSeconds(), TimeUnit.SECONDS)
                            .offset())
                    .isEqualTo(1);
            assertThat(fault.struck()).isEqualTo(struck);
            assertThat(fault.waiting()).isZero();
        }
        assertThat(cluster.partition(topic, 0)).eventually().hasHighWatermark(2).hasIsr(1, 2, 3);
    }

    private static Arguments link(String name, Consumer<Chaos> cut, int... inSyncWithoutIt) {
        return Arguments.of(name, inSyncWithoutIt, cut);
    }

    private static Stream<Arguments> linkFaults() {
        return Stream.of(
                link("cut", chaos -> chaos.cut(1, 3).cut(3, 1001), 1, 2),
                link("cutOneWay", chaos -> chaos.cutOneWay(1, 3), 1, 2),
                link("isolate", chaos -> chaos.isolate(3), 1, 2),
                link("split in three", chaos -> chaos.split(Set.of(1, 1001), Set.of(2), Set.of(3)), 1),
                link("stallReplication", chaos -> chaos.stallReplication(3), 1, 2),
                link("isolateFromControllers", chaos -> chaos.isolateFromControllers(3), 1, 2));
    }

    /** Broker 3 follows: clients wait until the ISR is without it, and it is back with the heal. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("linkFaults")
    void aHealedLinkHoldsNothingBack(String name, int[] inSyncWithoutIt, Consumer<Chaos> cut) throws Exception {
        String topic =
                cluster.createTopic(settings -> settings.replicas(0, 1, 2, 3).config("min.insync.replicas", "1"));
        Producer<String, String> producer = producer(Map.of("acks", "all"));
        send(producer, topic).get(SOON.toSeconds(), TimeUnit.SECONDS);
        try (Chaos chaos = Chaos.on(cluster)) {
            cut.accept(chaos);
            Future<RecordMetadata> sent = send(producer, topic);

            assertThat(sent.get(SOON.toSeconds(), TimeUnit.SECONDS).offset()).isEqualTo(1);
            assertThat(cluster.partition(topic, 0)).eventually().hasIsr(inSyncWithoutIt);

            Set<LinkFault> faults = Set.copyOf(chaos.linkFaults());
            chaos.healLinks();

            assertThat(chaos.linkFaults()).isEmpty();
            assertThat(faults).allMatch(LinkFault::isHealed);
            assertThat(cluster.partition(topic, 0)).eventually().hasIsr(1, 2, 3).hasLogEndOffset(3, 2);
            Map<LinkFault, Long> strikes = new HashMap<>();
            faults.forEach(fault -> strikes.put(fault, fault.strikes()));
            assertThat(send(producer, topic)
                            .get(SOON.toSeconds(), TimeUnit.SECONDS)
                            .offset())
                    .isEqualTo(2);
            assertThat(faults).allSatisfy(fault -> assertThat(fault.strikes()).isEqualTo(strikes.get(fault)));
        }
    }
}
