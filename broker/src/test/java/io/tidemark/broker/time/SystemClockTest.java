package io.tidemark.broker.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SystemClockTest {
    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    private final SystemClock clock = new SystemClock();

    @Test
    void tellsTheSystemsTimeUntilItIsPushed() {
        assertThat(clock.wallTimeMs()).isBetween(System.currentTimeMillis() - 5_000, System.currentTimeMillis());
    }

    @Test
    void movesBothTimesOnByWhatItIsPushed() {
        long wall = clock.wallTimeMs();
        long monotonic = clock.monotonicMs();

        clock.advance(DAY_MS);

        assertThat(clock.wallTimeMs()).isGreaterThanOrEqualTo(wall + DAY_MS);
        assertThat(clock.monotonicMs()).isGreaterThanOrEqualTo(monotonic + DAY_MS);
    }

    @Test
    void tellsItsListenersOfEveryPush() {
        List<String> heard = new ArrayList<>();
        Runnable listener = () -> heard.add("pushed");
        clock.addPushListener(listener);
        clock.advance(1);
        clock.removePushListener(listener);

        clock.advance(1);

        assertThat(heard).hasSize(1);
    }

    @Test
    void neverRunsBackwards() {
        assertThatThrownBy(() -> clock.advance(-1)).hasMessageContaining("[-1]");
    }

    @Test
    void resetTakesTheWallTimeBackAndNoDuration() {
        SystemClock clock = new SystemClock();
        clock.advance(1_000_000);
        long monotonicMs = clock.monotonicMs();

        clock.reset();

        assertThat(clock.wallTimeMs()).isLessThan(System.currentTimeMillis() + 1_000);
        assertThat(clock.monotonicMs()).isGreaterThanOrEqualTo(monotonicMs);
    }
}
