package io.tidemark.broker.architecture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Execution(ExecutionMode.CONCURRENT)
class DoorsTest {
    static Stream<Ban> bans() {
        return Doors.BANS.stream();
    }

    @ParameterizedTest
    @MethodSource("bans")
    void brokerUsesTheOutsideWorldOnlyThroughItsDoors(Ban ban) {
        new Doors(House.broker()).rule(ban).check(House.broker().classes());
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                Arguments.of(Doors.SYSTEM_TIME, "log.ReadsTheSystemsClock.now()"),
                Arguments.of(Doors.SYSTEM_TIME, "references method <java.lang.System.nanoTime()>"),
                Arguments.of(Doors.THREADS, "log.StartsThreads.onAThread"),
                Arguments.of(Doors.THREADS, "log.StartsThreads.onTheCommonPool"),
                Arguments.of(Doors.FILES, "log.OpensFiles"),
                Arguments.of(Doors.SOCKETS, "log.OpensSockets"),
                Arguments.of(Doors.NETTY_TRANSPORT, "log.UsesNettyChannels"),
                Arguments.of(Doors.PROCESS, "log.PrintsToTheConsole"),
                Arguments.of(Doors.UNSEEDED_RANDOM, "log.DrawsUnseeded"),
                Arguments.of(Doors.NATIVE_CODE, "log.CallsNativeCode"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void catchesWhatPassesADoorByAndNamesTheReplacement(Ban ban, String violation) {
        House house = House.violating();

        assertThatThrownBy(() -> new Doors(house).rule(ban).check(house.classes()))
                .hasMessageContaining(violation)
                .hasMessageContaining(ban.instead());
    }
}
