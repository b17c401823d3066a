package io.tidemark.assertions;

import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Looks at a partition until an expectation is met, never will be, or the time is up. */
final class Eventually {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(3);

    private final Duration timeout;

    Eventually(Duration timeout) {
        this.timeout = timeout;
    }

    /** Null where the expectation was met, else what is to be said. */
    @Nullable
    UnmetExpectation await(PartitionHandle partition, Expectation expectation) {
        AtomicReference<Look> last = new AtomicReference<>();
        try {
            // In this thread, and with no handler for the JVM's uncaught exceptions, so that nothing of it outlives the
            // assertion or touches another test.
            Awaitility.await(expectation.what() + " of " + partition)
                    .dontCatchUncaughtExceptions()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL_INTERVAL)
                    .atMost(timeout)
                    .until(() -> {
                        Look look = Look.at(partition, expectation);
                        last.set(look);
                        return !(look.verdict() instanceof NotYet);
                    });
        } catch (ConditionTimeoutException e) {
            // The last look tells more than the exception.
        }
        Look look = last.get();
        Verdict verdict = look == null ? new NotYet("never seen") : look.verdict();
        PartitionState state = look == null ? null : look.state();
        if (verdict instanceof Met) {
            return null;
        }
        if (verdict instanceof Never never) {
            return new UnmetExpectation(
                    partition.toString(),
                    expectation,
                    never.actual(),
                    "and it never will be: " + never.reason() + ".",
                    state);
        }
        String actual = ((NotYet) verdict).actual();
        return new UnmetExpectation(
                partition.toString(), expectation, actual, "after " + timeout.toMillis() + " ms.", state);
    }

    /** One look and what it says. */
    record Look(Verdict verdict, @Nullable PartitionState state) {
        static Look at(PartitionHandle partition, Expectation expectation) {
            PartitionState state = partition.snapshotIfPresent().orElse(null);
            return state == null
                    ? new Look(new NotYet("unknown, as there is no such partition"), null)
                    : new Look(expectation.judge().apply(state), state);
        }
    }
}
