package io.tidemark.assertions;

import io.tidemark.assertions.Subject.Look;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** Looks at something until an expectation is met, never will be, or the time is up. */
final class Eventually {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(3);

    private final Duration timeout;

    Eventually(Duration timeout) {
        this.timeout = timeout;
    }

    /** Null where the expectation was met, else what is to be said. */
    @Nullable
    <S> UnmetExpectation await(Subject<S> subject, Expectation<S> expectation) {
        AtomicReference<Look<S>> last = new AtomicReference<>();
        AtomicReference<S> seen = new AtomicReference<>();
        try {
            // In this thread, and with no handler for the JVM's uncaught exceptions, so that nothing of it outlives the
            // assertion or touches another test.
            Awaitility.await(expectation.what() + " of " + subject.name())
                    .dontCatchUncaughtExceptions()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL_INTERVAL)
                    .atMost(timeout)
                    .until(() -> {
                        Look<S> look = subject.judgedBy(expectation, seen.get());
                        last.set(look);
                        if (look.state() != null) {
                            seen.set(look.state());
                        }
                        return !(look.verdict() instanceof NotYet);
                    });
        } catch (ConditionTimeoutException e) {
            // The last look tells more than the exception.
        }
        Look<S> look = last.get();
        Verdict verdict = look == null ? new NotYet("never seen") : look.verdict();
        Object state = look == null ? null : look.state();
        if (verdict instanceof Met) {
            return null;
        }
        if (verdict instanceof Never never) {
            return new UnmetExpectation(
                    subject.name(),
                    expectation,
                    never.actual(),
                    "and it never will be: " + never.reason() + ".",
                    state);
        }
        String actual = ((NotYet) verdict).actual();
        return new UnmetExpectation(subject.name(), expectation, actual, "after " + timeout.toMillis() + " ms.", state);
    }
}
