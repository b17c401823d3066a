package io.tidemark.assertions;

import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * What all assertions on a cluster have in common: each judges one look, and after {@link #eventually()} each looks again
 * until it holds, the time is up, or it can be seen that it never will: the cluster is closed, the topic is deleted, or
 * what only grows is past what is asked for. A node that is down is no reason to give up, as a test may restart it.
 *
 * <pre>{@code
 * assertThat(cluster.partition("orders", 0)).eventually().hasHighWatermark(3);                      // 20 s at most
 * assertThat(cluster.group("billing")).eventually(Duration.ofMinutes(1)).hasNoLag();
 * }</pre>
 *
 * @param <A> the assertions themselves
 * @param <T> what they are about
 */
public abstract class WaitingAssert<A extends WaitingAssert<A, T>, T> extends AbstractAssert<A, T> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final @Nullable Eventually eventually;

    WaitingAssert(T actual, Class<A> type, @Nullable Eventually eventually) {
        super(actual, type);
        this.eventually = eventually;
    }

    /** Every assertion after this one waits until it holds, for twenty seconds at most. */
    public A eventually() {
        return eventually(PATIENCE);
    }

    /** Every assertion after this one waits until it holds, each for so long at most. */
    public A eventually(Duration timeout) {
        isNotNull();
        A waiting = waiting(new Eventually(timeout));
        waiting.info.description(info.description());
        return waiting;
    }

    /** The same about the same, with patience. */
    abstract A waiting(@Nullable Eventually patience);

    @Nullable
    Eventually patience() {
        return eventually;
    }

    <S> A check(Subject<S> subject, Expectation<S> expectation) {
        UnmetExpectation unmet = subject.unmet(expectation, eventually);
        if (unmet != null) {
            throw failure("%s", unmet.message());
        }
        return myself;
    }

    /** A name that Kafka does not have is never met, and is a mistake in the test. */
    static void requireKnown(String what, String given, List<String> known) {
        if (!known.contains(given)) {
            throw new IllegalArgumentException("There is no " + what + " [" + given + "]; Kafka has " + known);
        }
    }
}
