package io.tidemark.protocol.generator.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.protocol.generator.parse.VersionRange;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private final VersionRange within = new VersionRange(2, 9);

    @Test
    void asksForNoMoreThanWhatIsNotKnown() {
        assertThat(isIn("0+")).isEqualTo("true");
        assertThat(isIn("2-9")).isEqualTo("true");
        assertThat(isIn("0-1")).isEqualTo("false");
        assertThat(isIn("none")).isEqualTo("false");
        assertThat(isIn("5+")).isEqualTo("version >= 5");
        assertThat(isIn("0-5")).isEqualTo("version <= 5");
        assertThat(isIn("4-5")).isEqualTo("version >= 4 && version <= 5");
        assertThat(isIn("9+")).isEqualTo("version == 9");
    }

    private String isIn(String part) {
        return Conditions.isIn(VersionRange.parse(part), within);
    }
}
