package io.tidemark.broker.architecture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EverywhereTest {
    static Stream<Ban> bans() {
        return Everywhere.BANS.stream();
    }

    @ParameterizedTest
    @MethodSource("bans")
    void brokerStandsOnItsOwn(Ban ban) {
        Everywhere.rule(ban).check(House.broker().classes());
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                Arguments.of(Everywhere.KAFKA, "record.BorrowsFromKafka"),
                Arguments.of(Everywhere.TEST_LIBRARIES, "record.KnowsOfTests"),
                Arguments.of(Everywhere.REFLECTION, "record.LooksUpByName"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void catchesWhatTheBrokerMustNotKnowAndNamesTheReplacement(Ban ban, String violation) {
        assertThatThrownBy(() -> Everywhere.rule(ban).check(House.violating().classes()))
                .hasMessageContaining(violation)
                .hasMessageContaining(ban.instead());
    }

    @Test
    void brokerHasNoStaticMutableState() {
        Everywhere.noStaticMutableState().check(House.broker().classes());
    }

    @Test
    void catchesStaticMutableState() {
        assertThatThrownBy(() -> Everywhere.noStaticMutableState()
                        .check(House.violating().classes()))
                .hasMessageContaining("KeepsStaticState.count is static and not final")
                .hasMessageContaining("KeepsStaticState.NEXT_ID is static and of the mutable type")
                .hasMessageContaining("KeepsStaticState.CACHE is static and of the mutable type");
    }

    @Test
    void packagesOfTheBrokerAreNullMarked() {
        Everywhere.packagesAreNullMarked().check(House.broker().classes());
    }

    @Test
    void catchesPackageWithoutNullMarkedPackageInfo() {
        assertThatThrownBy(() -> Everywhere.packagesAreNullMarked()
                        .check(House.violating().classes()))
                .hasMessageContaining("violating.unmarked of Unmarked has no @NullMarked package-info");
    }
}
