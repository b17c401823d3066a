package io.tidemark.assertions;

import io.tidemark.assertions.Verdict.NotYet;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an assertion looks at.
 *
 * @param name for messages
 * @param kind what is missing where a look finds nothing, for example {@code partition}
 * @param look takes one look
 */
record Subject<S>(String name, String kind, Supplier<Optional<S>> look) {
    /** One look and what it says. */
    record Look(Verdict verdict, @Nullable Object state) {}

    Look judgedBy(Expectation<S> expectation) {
        S state = look.get().orElse(null);
        return state == null
                ? new Look(new NotYet("unknown, as there is no such " + kind), null)
                : new Look(expectation.judge().apply(state), state);
    }

    /** Null where the expectation is met, at once or, with patience, in time. */
    @Nullable
    UnmetExpectation unmet(Expectation<S> expectation, @Nullable Eventually eventually) {
        if (eventually != null) {
            return eventually.await(this, expectation);
        }
        Look once = judgedBy(expectation);
        Verdict verdict = once.verdict();
        if (verdict instanceof Verdict.Met) {
            return null;
        }
        String seen = verdict instanceof Verdict.Never never
                ? never.actual() + " (" + never.reason() + ")"
                : ((NotYet) verdict).actual();
        return new UnmetExpectation(name, expectation, seen, null, once.state());
    }
}
