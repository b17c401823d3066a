package io.tidemark.chaos.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTest {
    @Test
    void scriptIsPrintedInTheOrderOfTime() {
        Schedule schedule = Schedule.script()
                .when("half-is-out")
                .stop(1)
                .at(Duration.ofMillis(900))
                .restart(2)
                .every(Duration.ofMillis(400))
                .until(Duration.ofMillis(900))
                .maybe()
                .cut(1, 3)
                .at(Duration.ofMillis(200))
                .kill(2)
                .build();

        assertThat(schedule).hasToString("""
                at 200 ms kill 2
                at 400 ms maybe cut 1 3
                at 800 ms maybe cut 1 3
                at 900 ms restart 2
                when half-is-out stop 1
                """);
    }

    @Test
    void scriptHasAWordForEveryDeed() {
        assertThat(Arrays.stream(Script.Moment.class.getMethods())
                        .filter(method -> method.getReturnType() == Script.class)
                        .map(Method::getName))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Deed.values()).map(Deed::verb).toList());
    }

    @Test
    void stepsOfEverySortCanBePastedBack() {
        Schedule schedule = Schedule.script()
                .at(Duration.ofMillis(1))
                .loseAnswer(ApiKey.PRODUCE, 3)
                .every(Duration.ofMillis(5))
                .until(Duration.ofMillis(10))
                .answerError(ApiKey.FETCH, 1, ErrorCode.NOT_LEADER_OR_FOLLOWER)
                .when("half-is-out")
                .maybe()
                .delayRequest(ApiKey.END_TXN, 2, Duration.ofMillis(40))
                .when("half-is-out")
                .skew(2, Duration.ofSeconds(-3))
                .when("half-is-out")
                .elect("orders.eu", 1, 3)
                .when("all-is-out")
                .killGroupCoordinator("billing/eu")
                .when("all-is-out")
                .fromClient("orders-app")
                .toBroker(2)
                .topic("orders.eu")
                .loseAnswer(ApiKey.PRODUCE, 1)
                .when("all-is-out")
                .group("billing/eu")
                .transactionalId("a=b")
                .answerError(ApiKey.TXN_OFFSET_COMMIT, 1, ErrorCode.NOT_COORDINATOR)
                .when("all-is-out")
                .holdHighWatermark("orders.eu", 1)
                .when("all-is-out")
                .split(Set.of(1), Set.of(2), Set.of(1_001, 3))
                .when("all-is-out")
                .addBroker(4)
                .when("all-is-out")
                .removeBroker(4)
                .when("all-is-out")
                .addController(1_002)
                .when("all-is-out")
                .removeController(1_002)
                .build();

        assertThat(schedule).hasToString("""
                at 1 ms loseAnswer PRODUCE 3
                at 5 ms answerError FETCH 1 NOT_LEADER_OR_FOLLOWER
                at 10 ms answerError FETCH 1 NOT_LEADER_OR_FOLLOWER
                when half-is-out maybe delayRequest END_TXN 2 40ms
                when half-is-out skew 2 -3000ms
                when half-is-out elect orders.eu 1 3
                when all-is-out killGroupCoordinator billing/eu
                when all-is-out loseAnswer PRODUCE 1 client=orders-app broker=2 topic=orders.eu
                when all-is-out answerError TXN_OFFSET_COMMIT 1 NOT_COORDINATOR group=billing/eu transactionalId=a=b
                when all-is-out holdHighWatermark orders.eu 1
                when all-is-out split 1/2/3,1001
                when all-is-out addBroker 4
                when all-is-out removeBroker 4
                when all-is-out addController 1002
                when all-is-out removeController 1002
                """);
        assertThat(Schedule.parse(schedule.toString())).isEqualTo(schedule);
    }

    @Test
    void textOfAnyScheduleCanBePastedBack() {
        for (long seed = 0; seed < 500; seed++) {
            Schedule schedule = ofEverything(seed).brokersAtOnce(2).build();

            assertThat(Schedule.parse("# seed " + seed + "\n\n" + schedule))
                    .isEqualTo(schedule)
                    .hasToString(schedule.toString());
        }
    }

    @Test
    void seedDrawsTheSameAgainAndAnotherOneSomethingElse() {
        assertThat(ofEverything(7).build()).isEqualTo(ofEverything(7).build());
        assertThat(ofEverything(7).build()).isNotEqualTo(ofEverything(8).build());
    }

    @Test
    void whatIsDrawnMustBeSurvivedUnlessMoreIsAskedFor() {
        for (long seed = 0; seed < 500; seed++) {
            Schedule schedule = ofEverything(seed).passingAtOnce(5).build();

            assertThat(schedule.excesses())
                    .as("with seed %d:\n%s", seed, schedule)
                    .isEmpty();
        }
        assertThat(ofEverything(1)
                        .lasting(Duration.ofMinutes(1))
                        .brokersAtOnce(3)
                        .build()
                        .excesses())
                .isNotEmpty()
                .allMatch(line -> line.endsWith("another broker is hurt and not healed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at 1 ms kill 1\nat 2 ms pause 2",
                "at 1 ms kill 1\nat 2 ms restart 1\nat 3 ms kill 2",
                "at 1 ms isolate 1\nat 2 ms healLinks\nat 3 ms stallReplication 3",
                "at 1 ms cut 1 2\nat 2 ms cut 1 3",
                "at 1 ms kill 1\nat 2 ms killGroupCoordinator billing",
                "at 1 ms kill 1\nat 2 ms heal\nwhen later kill 2",
                "when later kill 1\nwhen even-later kill 2",
                "at 1 ms flipBit 1 orders 0 0",
                "at 1 ms electUnclean orders 0",
                "at 1 ms loseAnswer PRODUCE 6",
                "at 1 ms loseAnswer CREATE_TOPICS 1",
                "at 1 ms answerError PRODUCE 1 INVALID_PRODUCER_EPOCH",
                "at 1 ms delayRequest FETCH 1 501ms",
                "at 1 ms advanceClock 301ms",
                "at 1 ms skew 1 -60001ms",
                "at 1 ms killGroupCoordinator billing\nat 2 ms killTransactionCoordinator shop",
                "at 1 ms holdHighWatermark orders 0\nat 2 ms kill 1",
                "at 1 ms split 1/2/3",
                "at 1 ms split 1,2/3,1001",
                "at 1 ms split 1/2,3\nat 2 ms kill 2",
                "at 1 ms split 1/2\nat 2 ms kill 2",
                "at 1 ms loseAnswer PRODUCE 6 broker=1",
                "at 1 ms answerError PRODUCE 1 NOT_CONTROLLER topic=orders",
                "at 1 ms removeBroker 3",
                "at 1 ms addBroker 4\nat 2 ms removeBroker 4\nat 3 ms removeBroker 3",
                "at 1 ms addBroker 4\nat 2 ms removeController 1001",
                "at 1 ms kill 1\nat 2 ms addBroker 4",
                "at 1 ms addBroker 4\nat 2 ms kill 1\nat 3 ms removeBroker 4",
                "at 1 ms addController 1002\nat 2 ms isolate 1\nat 3 ms removeController 1001",
                "when later addBroker 4\nat 1 ms removeBroker 3",
                "at 1 ms addBroker 4\nwhen later removeBroker 3",
                "when later addBroker 4\nat 1 ms kill 1"
            })
    void saysWhatIsMoreThanMustBeSurvived(String text) {
        assertThat(Schedule.parse(text).excesses()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "at 1 ms kill 1\nat 2 ms heal\nat 3 ms kill 2\nat 4 ms heal\nat 5 ms failWrites 3",
                "at 1 ms pause 1\nat 2 ms resume 1\nat 3 ms kill 1",
                "at 1 ms cut 1 2\nat 2 ms heal\nat 3 ms killTransactionCoordinator shop",
                "at 1 ms loseAnswer PRODUCE 5\nat 1 ms answerError FETCH 5 NOT_LEADER_OR_FOLLOWER\nat 1 ms kill 1",
                "at 1 ms skew 1 -60000ms\nat 1 ms skew 2 60000ms\nat 2 ms advanceClock 300ms\nat 3 ms shuffleLeaders",
                "when later kill 1\nat 1 ms heal\nat 2 ms pause 1",
                "at 1 ms holdHighWatermark orders 0\nat 2 ms heal\nat 3 ms split 1/2,3,1001\nat 4 ms stop 1",
                "at 1 ms split 1/2\nat 2 ms heal\nat 3 ms split 1,2,1001/3",
                "at 1 ms loseAnswer PRODUCE 5 client=app broker=1 topic=orders\nat 1 ms kill 1",
                "at 1 ms addBroker 4\nat 2 ms removeBroker 3\nat 3 ms kill 1",
                "at 1 ms addController 1002\nat 1 ms addBroker 4\nat 2 ms removeController 1001\nat 3 ms removeBroker 4",
                "when later addBroker 4\nwhen later addController 1002"
            })
    void whatMustBeSurvivedIsNoExcess(String text) {
        assertThat(Schedule.parse(text).excesses()).isEmpty();
    }

    @Test
    void everyIngredientIsDrawnAndNoOther() {
        assertThat(drawnBy(Schedule.random(1, 1, 2, 3).with(Deed.KILL, Deed.CUT)))
                .containsExactlyInAnyOrder(Deed.KILL, Deed.CUT, Deed.HEAL);
        Set<Deed> all = EnumSet.allOf(Deed.class);
        all.removeIf(deed -> deed.harm() == Harm.NONE || deed.harm() == Harm.BEYOND);
        all.add(Deed.HEAL);
        assertThat(drawnBy(ofEverything(1))).isEqualTo(all);
        assertThat(drawnBy(Schedule.random(1, 1).withAll()))
                .contains(Deed.KILL, Deed.LOSE_ANSWER, Deed.FILL_DISK, Deed.SKEW, Deed.REMOVE_BROKER)
                .doesNotContain(
                        Deed.CUT,
                        Deed.SPLIT,
                        Deed.HOLD_HIGH_WATERMARK,
                        Deed.ELECT,
                        Deed.REBALANCE,
                        Deed.MOVE_TRANSACTION,
                        Deed.HOLD_MARKERS);
    }

    private static Set<Deed> drawnBy(RandomSchedule random) {
        Set<Deed> drawn = EnumSet.noneOf(Deed.class);
        random.lasting(Duration.ofMinutes(10)).build().steps().forEach(step -> drawn.add(step.deed()));
        return drawn;
    }

    @Test
    void whoComesIsThereBeforeItGoesAndGoneAtTheEnd() {
        for (long seed = 0; seed < 50; seed++) {
            Schedule schedule = Schedule.random(seed, 1, 2, 3)
                    .with(Deed.ADD_BROKER, Deed.REMOVE_BROKER, Deed.ADD_CONTROLLER, Deed.REMOVE_CONTROLLER)
                    .build();
            Map<Integer, Boolean> there = new HashMap<>(Map.of(4, false, 1_901, false));

            schedule.steps().stream().filter(step -> step.deed() != Deed.HEAL).forEach(step -> assertThat(
                            there.put(step.nodes().get(0), step.deed().verb().startsWith("add")))
                    .as("before [%s] of\n%s", step, schedule)
                    .isEqualTo(step.deed().verb().startsWith("remove")));

            assertThat(there)
                    .as("at the end of\n%s", schedule)
                    .containsOnly(Map.entry(4, false), Map.entry(1_901, false));
        }
    }

    @Test
    void drawnRequestFaultsAreLimitedToWhatWasSaid() {
        Set<String> limits = new TreeSet<>();
        RandomSchedule random = ofEverything(1).clientIds("orders-app").lasting(Duration.ofMinutes(10));

        random.build().steps().stream()
                .filter(step -> step.deed().isOfRequests())
                .flatMap(step -> step.arguments().stream())
                .filter(word -> word.contains("="))
                .forEach(limits::add);

        assertThat(limits)
                .containsExactlyInAnyOrder(
                        "broker=1",
                        "broker=2",
                        "broker=3",
                        "client=orders-app",
                        "group=billing",
                        "topic=bills",
                        "topic=orders",
                        "transactionalId=billing-1",
                        "transactionalId=shop");
    }

    @Test
    void moreThanMustBeSurvivedIsDrawnOnlyWhereAskedFor() {
        RandomSchedule asked = Schedule.random(1, 1, 2, 3).topic("orders", 1).with(Deed.FLIP_BIT);

        assertThatThrownBy(asked::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[flipBit] is more than a cluster must survive; ask for it with beyond()");
        assertThat(drawnBy(asked.beyond())).containsExactlyInAnyOrder(Deed.FLIP_BIT, Deed.HEAL);
    }

    @Test
    void whatIsNoStepIsRefusedWithItsLine() {
        assertThatThrownBy(() -> Schedule.parse("at 1 ms kill 1\nkill 2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Line 2 is no step of a schedule: [kill 2]");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms kick 1")).hasMessageContaining("No deed is called [kick]");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms cut 1"))
                .hasMessageContaining("[cut] is done to a node's id, then a node's id, and not to [1]");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms loseAnswer PRODUSE 1"))
                .hasMessageContaining("an API by Kafka's name");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms loseAnswer PRODUCE 1 topik=orders"))
                .hasMessageContaining("then any of client=..., broker=..., topic=...");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms loseAnswer PRODUCE 1 broker=1 broker=2"))
                .hasMessageContaining("then any of client=...");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms kill 1 broker=1")).hasMessageContaining("[1, broker=1]");
        assertThatThrownBy(() ->
                        Schedule.script().at(Duration.ZERO).topic("orders").kill(1))
                .hasMessageContaining("[1, topic=orders]");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms split 1,2,3")).hasMessageContaining("two groups of nodes");
        assertThatThrownBy(() -> Schedule.random(1, 1).with(Deed.ELECT).build())
                .hasMessageContaining("[elect] is done to a topic, and no topic");
        assertThatThrownBy(() -> Schedule.script().when("two words")).hasMessageContaining("[two words]");
        assertThatThrownBy(() -> Schedule.random(1, 1).with(Deed.HEAL)).hasMessageContaining("[heal] hurts nobody");
    }

    private static RandomSchedule ofEverything(long seed) {
        return Schedule.random(seed, 1, 2, 3)
                .topic("orders", 2)
                .topic("bills", 1)
                .groups("billing")
                .transactionalIds("shop", "billing-1")
                .withAll();
    }
}
