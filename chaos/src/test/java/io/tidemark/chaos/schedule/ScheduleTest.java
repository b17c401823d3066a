package io.tidemark.chaos.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.chaos.schedule.Schedule.Step;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void scriptIsPrintedInTheOrderOfTime() {
        Schedule schedule = Schedule.script()
                .when("half-is-out")
                .stop(1)
                .at(Duration.ofMillis(900))
                .restart(2)
                .every(Duration.ofMillis(400))
                .until(Duration.ofMillis(900))
                .maybe()
                .cut(1, 3)
                .at(Duration.ofMillis(200))
                .kill(2)
                .build();

        assertThat(schedule).hasToString("""
                at 200 ms kill 2
                at 400 ms maybe cut 1 3
                at 800 ms maybe cut 1 3
                at 900 ms restart 2
                when half-is-out stop 1
                """);
    }

    @Test
    void textOfAnyScheduleCanBePastedBack() {
        for (long seed = 0; seed < 200; seed++) {
            Schedule schedule = random(seed).brokersAtOnce(2).build();

            assertThat(Schedule.parse("# seed " + seed + "\n\n" + schedule)).isEqualTo(schedule);
        }
    }

    @Test
    void seedDrawsTheSameAgainAndAnotherOneSomethingElse() {
        assertThat(random(7).build()).isEqualTo(random(7).build());
        assertThat(random(7).build()).isNotEqualTo(random(8).build());
    }

    @Test
    void nobodyIsHurtWhileAnotherOneIsUnlessAskedFor() {
        for (long seed = 0; seed < 200; seed++) {
            assertThat(mostHurtAtOnce(random(seed).build()))
                    .as("with seed %d", seed)
                    .isEqualTo(1);
        }
        assertThat(mostHurtAtOnce(random(1)
                        .lasting(Duration.ofMinutes(1))
                        .brokersAtOnce(3)
                        .build()))
                .isEqualTo(3);
    }

    @Test
    void everyIngredientIsDrawnAndNoOther() {
        Set<Deed> drawn = EnumSet.noneOf(Deed.class);
        Schedule.random(1, 1, 2, 3)
                .with(Deed.KILL, Deed.CUT)
                .lasting(Duration.ofMinutes(1))
                .build()
                .steps()
                .forEach(step -> drawn.add(step.deed()));

        assertThat(drawn).containsExactlyInAnyOrder(Deed.KILL, Deed.CUT, Deed.HEAL);
    }

    @Test
    void whatIsNoStepIsRefusedWithItsLine() {
        assertThatThrownBy(() -> Schedule.parse("at 1 ms kill 1\nkill 2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Line 2 is no step of a schedule: [kill 2]");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms kick 1")).hasMessageContaining("No deed is called [kick]");
        assertThatThrownBy(() -> Schedule.parse("at 1 ms cut 1")).hasMessageContaining("done to 2 nodes");
        assertThatThrownBy(() -> Schedule.script().when("two words")).hasMessageContaining("[two words]");
        assertThatThrownBy(() -> Schedule.random(1, 1).with(Deed.HEAL)).hasMessageContaining("[heal] hurts nobody");
    }

    private static RandomSchedule random(long seed) {
        return Schedule.random(seed, 1, 2, 3).with(Deed.KILL, Deed.PAUSE, Deed.CUT, Deed.ISOLATE);
    }

    private static int mostHurtAtOnce(Schedule schedule) {
        Set<List<Integer>> hurt = new HashSet<>();
        int most = 0;
        for (Step step : schedule.steps()) {
            if (step.deed() == Deed.HEAL) {
                hurt.clear();
            } else {
                hurt.add(List.of(step.nodes().get(0)));
                most = Math.max(most, hurt.size());
            }
        }
        return most;
    }
}
