package io.tidemark.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;

class LinearPatternTest {
    @Test
    void readsWhatRe2HasToo() {
        assertThat(LinearPattern.compile("pay-[0-9]+").matcher("pay-17").matches())
                .isTrue();
        assertThat(LinearPattern.compile("(?i)PAY.*").matcher("pay-17").matches())
                .isTrue();
        assertThat(LinearPattern.compile("(?P<kind>pay|tip)-\\d{2,}?")
                        .matcher("tip-17")
                        .matches())
                .isTrue();
        assertThat(LinearPattern.compile("\\Qa*+(?=\\E\\++").matcher("a*+(?=++").matches())
                .isTrue();
        assertThat(LinearPattern.compile("[(?=*+]+").matcher("+*(").matches()).isTrue();
        assertThat(LinearPattern.compile("[]a]+").matcher("]a").matches()).isTrue();
    }

    @Test
    void refusesWhatRe2LeavesOut() {
        for (String pattern : new String[] {
            "(a)\\1", "(?=a)a", "(?!a)b", "(?<=a)b", "(?<!a)b", "(?>a)", "a*+", "a++", "a?+", "a{2}+", "\\G", "\\k<x>",
            "(", "["
        }) {
            assertThatThrownBy(() -> LinearPattern.compile(pattern))
                    .as(pattern)
                    .isInstanceOf(PatternSyntaxException.class);
        }
    }
}
