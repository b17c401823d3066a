package io.tidemark.broker.architecture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PurePackagesTest {
    static Stream<Ban> bans() {
        return PurePackages.BANS.stream();
    }

    @ParameterizedTest
    @MethodSource("bans")
    void purePackagesOfTheBrokerArePure(Ban ban) {
        new PurePackages(House.broker()).rule(ban).check(House.broker().classes());
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                Arguments.of(PurePackages.CONCURRENCY, "partition.Synchronizes"),
                Arguments.of(PurePackages.IO, "partition.ThrowsIoExceptions"),
                Arguments.of(PurePackages.CLOCK_AND_LOOP, "partition.HoldsAClock"),
                Arguments.of(PurePackages.HASH_ORDER, "controller.FollowsHashOrder.<init>"),
                Arguments.of(PurePackages.HASH_ORDER, "controller.FollowsHashOrder.salted"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void catchesWhatIsNotPureAndNamesTheReplacement(Ban ban, String violation) {
        House house = House.violating();

        assertThatThrownBy(() -> new PurePackages(house).rule(ban).check(house.classes()))
                .hasMessageContaining(violation)
                .hasMessageContaining(ban.instead());
    }
}
