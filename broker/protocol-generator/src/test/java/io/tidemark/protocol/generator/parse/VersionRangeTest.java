package io.tidemark.protocol.generator.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VersionRangeTest {
    @Test
    void readsEveryFormThatSpecsUse() {
        assertThat(VersionRange.parse("none")).isEqualTo(VersionRange.NONE);
        assertThat(VersionRange.parse("3")).isEqualTo(new VersionRange(3, 3));
        assertThat(VersionRange.parse("0-7")).isEqualTo(new VersionRange(0, 7));
        assertThat(VersionRange.parse(" 2+ ")).isEqualTo(new VersionRange(2, Short.MAX_VALUE));
    }

    @Test
    void writesThemBack() {
        for (String text : new String[] {"none", "3", "0-7", "2+"}) {
            assertThat(VersionRange.parse(text)).hasToString(text);
        }
    }

    @Test
    void refusesEverythingElse() {
        assertThatThrownBy(() -> VersionRange.parse("two"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("[two]", "N-M");
    }

    @Test
    void intersects() {
        assertThat(VersionRange.parse("2+").intersect(VersionRange.parse("0-5")))
                .isEqualTo(new VersionRange(2, 5));
        assertThat(VersionRange.parse("0-1").intersect(VersionRange.parse("2+")))
                .isEqualTo(VersionRange.NONE);
    }

    @Test
    void coversWhatIsWithin() {
        assertThat(VersionRange.parse("2+").covers(VersionRange.parse("3-5"))).isTrue();
        assertThat(VersionRange.parse("2+").covers(VersionRange.parse("1-5"))).isFalse();
        assertThat(VersionRange.NONE.covers(VersionRange.NONE)).isTrue();
    }
}
