package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.TimelineEvent.Kind;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrikesTest {
    private final Strikes strikes = new Strikes();

    @Test
    void firstStrikesOfEachFaultAreToldAndTheRestIsFolded() {
        IntStream.range(0, 50).forEach(i -> strikes.add(i, "cut", "link 1 -> 2", "frame " + i));
        strikes.add(7, "slow", "node 3", "WRITE");

        assertThat(strikes.events())
                .allMatch(event -> event.kind() == Kind.STRIKE)
                .extracting(event -> "+" + event.timestampMs() + " " + event.subject() + ": " + event.text())
                .containsExactly(
                        "+0 link 1 -> 2: cut struck frame 0",
                        "+1 link 1 -> 2: cut struck frame 1",
                        "+2 link 1 -> 2: cut struck frame 2",
                        "+49 link 1 -> 2: cut struck frame 49, the last of 47 more",
                        "+7 node 3: slow struck WRITE");
    }

    @Test
    void fourthStrikeIsToldAsItIs() {
        IntStream.range(0, 4).forEach(i -> strikes.add(i, "cut", "link 1 -> 2", "frame " + i));

        assertThat(strikes.events())
                .hasSize(4)
                .last()
                .extracting(TimelineEvent::text)
                .isEqualTo("cut struck frame 3");
    }

    @Test
    void newestFaultsAreKept() {
        IntStream.range(0, 1_000).forEach(i -> strikes.add(i, "fault " + i, "node 1", "x"));

        assertThat(strikes.events())
                .hasSize(300)
                .last()
                .extracting(TimelineEvent::timestampMs)
                .isEqualTo(999L);
    }
}
