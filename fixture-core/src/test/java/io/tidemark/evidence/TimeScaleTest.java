package io.tidemark.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class TimeScaleTest {
    private final TimeScale scale = new TimeScale(List.of(5_000L, 5_500L, 65_500L, 66_000L));

    @Test
    void waitsAreCutToASecond() {
        double quarter = scale.at(5_500);

        assertThat(scale.at(5_000)).isZero();
        assertThat(scale.at(65_500)).isCloseTo(3 * quarter, within(1e-9));
        assertThat(scale.at(66_000)).isCloseTo(4 * quarter, within(1e-9)).isLessThan(1);
    }

    @Test
    void momentsOutsideStayOnTheAxis() {
        assertThat(scale.at(0)).isZero();
        assertThat(scale.at(1_000_000)).isBetween(0.99, 1.0);
        assertThat(new TimeScale(List.of()).at(7)).isZero();
        assertThat(new TimeScale(List.of()).momentAt(0.5)).isZero();
    }

    @Test
    void placesAreFoundBack() {
        assertThat(scale.momentAt(0)).isEqualTo(5_000);
        assertThat(scale.momentAt(1)).isEqualTo(66_000);
        assertThat(scale.momentAt(scale.at(65_500))).isEqualTo(65_500);
    }
}
