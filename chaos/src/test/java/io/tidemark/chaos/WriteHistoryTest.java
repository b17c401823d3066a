package io.tidemark.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.chaos.WriteHistory.Conclusion;
import io.tidemark.chaos.WriteHistory.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriteHistoryTest {
    private final WriteHistory history = new WriteHistory();

    @Test
    void holdsWhenAllThatWasAcknowledgedIsThereOnceAndNothingElse() {
        history.write("one").acknowledged();
        history.write("two", "three").acknowledged();
        history.write("four", "five").refused();

        assertThat(history.judge(List.of("three", "one", "two"))).isEqualTo(new Verdict(Conclusion.HOLDS, List.of()));
    }

    @Test
    void isIndeterminateOfAWriteThatNobodyToldOfWhetherItIsThereOrNot() {
        history.write("one").acknowledged();
        history.write("late", "later");

        assertThat(history.judge(List.of("one")))
                .isEqualTo(new Verdict(
                        Conclusion.INDETERMINATE,
                        List.of("nobody told of [late, later]: it is not there, and may still come")));
        assertThat(history.judge(List.of("one", "late", "later")))
                .isEqualTo(new Verdict(Conclusion.INDETERMINATE, List.of("nobody told of [late, later]: it is there")));
    }

    @Test
    void isBrokenByWhatIsLostDoubledTornRefusedOrNobodys() {
        history.write("one").acknowledged();
        history.write("two").acknowledged();
        history.write("three", "four");
        history.write("five").refused();

        Verdict verdict = history.judge(List.of("two", "two", "three", "five", "six"));

        assertThat(verdict.conclusion()).isEqualTo(Conclusion.BROKEN);
        assertThat(verdict.findings())
                .containsExactly(
                        "of [one], which was acknowledged, there is only []",
                        "[two] is there 2 times",
                        "of [three, four], which stands and falls together, there is only [three]",
                        "of [five], which was refused, there is [five]",
                        "[six] is there, and nobody wrote it");
    }

    @Test
    void anUnknownWriteThatIsThereTwiceIsBroken() {
        history.write("late");

        assertThat(history.judge(List.of("late", "late")).conclusion()).isEqualTo(Conclusion.BROKEN);
    }

    @Test
    void refusesAValueThatTellsNothingAndAnOutcomeThatIsToldTwice() {
        WriteHistory.Write one = history.write("one");
        one.acknowledged();

        assertThatThrownBy(() -> history.write("one")).hasMessageContaining("[one] was written before");
        assertThatThrownBy(history::write).hasMessageContaining("no value");
        assertThatThrownBy(one::refused).hasMessageContaining("told once");
    }
}
