package io.tidemark.assertions;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.NotYet;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** When waiting ends, over looks that are given one by one; the last one is given for ever. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventuallyIT {
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final Expectation<String> DONE =
            new Expectation<>("state", "done", state -> state.equals("done") ? new Met() : new NotYet(state));

    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.builder().start();
    }

    @AfterAll
    void close() {
        cluster.close();
    }

    @Test
    void endsWhenItIsMet() {
        assertThat(unmet(LONG, true, List.of(Optional.empty(), Optional.of("half"), Optional.of("done"))))
                .isNull();
    }

    @Test
    void endsWhenWhatWasSeenIsGoneForEver() {
        assertThat(unmet(LONG, true, List.of(Optional.of("half"), Optional.empty())))
                .isEqualTo("nothing and it never will be: it was deleted. half");
    }

    @Test
    void goesOnWhenWhatWasSeenMayComeAgain() {
        assertThat(unmet(LONG, false, List.of(Optional.of("half"), Optional.empty(), Optional.of("done"))))
                .isNull();
    }

    @Test
    void goesOnForWhatWasNeverSeen() {
        assertThat(unmet(SHORT, true, List.of(Optional.empty())))
                .isEqualTo("unknown, as there is no such thing after 50 ms. null");
    }

    @Test
    void goesOnWhereALookFails() {
        Deque<Supplier<Optional<String>>> looks = new ArrayDeque<>();
        looks.add(() -> {
            throw new IllegalStateException("no leader");
        });
        looks.add(() -> {
            throw new IllegalArgumentException("no topic");
        });
        looks.add(() -> Optional.of("done"));

        assertThat(new Eventually(LONG).await(subject(false, looks), DONE)).isNull();
    }

    private String unmet(Duration timeout, boolean gone, List<Optional<String>> looks) {
        Deque<Supplier<Optional<String>>> left = new ArrayDeque<>();
        looks.forEach(look -> left.add(() -> look));
        UnmetExpectation unmet = new Eventually(timeout).await(subject(gone, left), DONE);
        return unmet == null ? null : unmet.actual() + " " + unmet.ending() + " " + unmet.state();
    }

    private Subject<String> subject(boolean gone, Deque<Supplier<Optional<String>>> looks) {
        return new Subject<>(
                "it",
                "thing",
                cluster,
                () -> (looks.size() > 1 ? looks.remove() : looks.element()).get(),
                seen -> gone ? "it was deleted" : null);
    }
}
