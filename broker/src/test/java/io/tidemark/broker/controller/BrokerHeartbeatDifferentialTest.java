package io.tidemark.broker.controller;

import static io.tidemark.broker.controller.ControllerFixture.assigned;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.message.BrokerHeartbeatRequestData;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.controller.BrokerControlState;
import org.apache.kafka.controller.BrokerHeartbeatManager;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a heartbeat makes of a broker, in each state, with each wish, with and without leaderships, before and after the
 * others know that these are gone: as Apache Kafka's controller decides, whose classes for it are not public.
 */
class BrokerHeartbeatDifferentialTest {
    private static final int BROKER = 1;

    private final ControllerFixture fixture = new ControllerFixture();

    /** Where a broker is in its life. */
    enum Start {
        FENCED,
        RUNNING,
        STOPPING
    }

    /**
     * @param leads whether there is a partition that it leads
     * @param othersKnow whether the others have applied all metadata
     * @param isCaughtUp whether it has itself applied its own registration
     */
    record Case(
            Start start,
            boolean wantsFence,
            boolean wantsShutDown,
            boolean leads,
            boolean othersKnow,
            boolean isCaughtUp) {}

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Start start : Start.values()) {
            for (int bits = 0; bits < 32; bits++) {
                Case drawn = new Case(
                        start, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, (bits & 16) != 0);
                // Who is fenced leads nothing, and neither does one whose leaderships were moved as it began to stop.
                if (!drawn.leads() || start == Start.RUNNING) {
                    cases.add(drawn);
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void decidesAsKafkaDoes(Case drawn) throws ReflectiveOperationException {
        fixture.withBrokers(3);
        if (drawn.start() == Start.FENCED) {
            fixture.loseAllBut(2, 3);
        }
        if (drawn.leads() || drawn.start() == Start.STOPPING) {
            fixture.create(assigned("orders", List.of(BROKER, 2, 3)));
        }
        if (drawn.start() == Start.STOPPING) {
            fixture.heartbeat(BROKER, fixture.image().lastOffset(), true);
        }
        long shutdownOffset = fixture.image().lastOffset();
        if (drawn.othersKnow()) {
            fixture.heartbeat(2);
            fixture.heartbeat(3);
        }
        long brokerEpoch = fixture.image().cluster().brokerEpoch(BROKER);
        long offset = drawn.isCaughtUp() ? fixture.image().lastOffset() : brokerEpoch - 1;

        BrokerHeartbeatResponse answer = fixture.commit(fixture.controller.heartbeat(
                new BrokerHeartbeatRequest()
                        .setBrokerId(BROKER)
                        .setBrokerEpoch(brokerEpoch)
                        .setCurrentMetadataOffset(offset)
                        .setWantFence(drawn.wantsFence())
                        .setWantShutDown(drawn.wantsShutDown()),
                fixture.nowMs));

        BrokerControlState expected =
                decidedByKafka(drawn, brokerEpoch, offset, shutdownOffset, drawn.othersKnow() ? shutdownOffset : 0);
        assertThat(answer.isFenced()).as("is fenced").isEqualTo(expected.fenced());
        assertThat(answer.shouldShutDown()).as("should shut down").isEqualTo(expected.shouldShutDown());
        assertThat(answer.isCaughtUp()).as("is caught up").isEqualTo(offset >= brokerEpoch);
        assertThat(fixture.image().cluster().broker(BROKER).fenced()).isEqualTo(expected.fenced());
        if (!expected.fenced()) {
            assertThat(fixture.image().cluster().broker(BROKER).inControlledShutdown())
                    .as("in controlled shutdown")
                    .isEqualTo(expected.inControlledShutdown());
        }
    }

    private static BrokerControlState decidedByKafka(
            Case drawn, long brokerEpoch, long offset, long shutdownOffset, long othersOffset)
            throws ReflectiveOperationException {
        Constructor<BrokerHeartbeatManager> constructor =
                BrokerHeartbeatManager.class.getDeclaredConstructor(LogContext.class, Time.class, long.class);
        constructor.setAccessible(true);
        BrokerHeartbeatManager manager = constructor.newInstance(new LogContext(), Time.SYSTEM, Long.MAX_VALUE / 4);
        for (int broker = 1; broker <= 3; broker++) {
            boolean isFenced = broker == BROKER && drawn.start() == Start.FENCED;
            call(manager, "register", broker, isFenced);
            call(manager, "touch", broker, isFenced, broker == BROKER ? offset : othersOffset);
        }
        if (drawn.start() == Start.STOPPING) {
            call(manager, "maybeUpdateControlledShutdownOffset", BROKER, shutdownOffset);
        }
        BrokerHeartbeatRequestData request = new BrokerHeartbeatRequestData()
                .setBrokerId(BROKER)
                .setCurrentMetadataOffset(offset)
                .setWantFence(drawn.wantsFence())
                .setWantShutDown(drawn.wantsShutDown());
        Supplier<Boolean> leads = drawn::leads;
        Object states = call(manager, "calculateNextBrokerState", BROKER, request, brokerEpoch, leads);
        Method next = states.getClass().getDeclaredMethod("next");
        next.setAccessible(true);
        return (BrokerControlState) next.invoke(states);
    }

    private static Object call(BrokerHeartbeatManager manager, String name, Object... arguments)
            throws ReflectiveOperationException {
        for (Method method : BrokerHeartbeatManager.class.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method.invoke(manager, arguments);
            }
        }
        throw new NoSuchMethodException(name);
    }
}
