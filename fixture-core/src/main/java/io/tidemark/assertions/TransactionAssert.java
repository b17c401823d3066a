package io.tidemark.assertions;

import io.tidemark.TransactionHandle;
import io.tidemark.TransactionSnapshot;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on one transactional id, as its coordinator has it. Each judges it as it is at that moment; after
 * {@link #eventually()} each waits until it holds.
 *
 * <pre>{@code
 * // passes when the application has committed, and every partition knows it
 * assertThat(cluster.transaction("billing")).eventually().hasState("CompleteCommit").isNotHanging();
 *
 * // fails at once where a new producer has taken over: the epoch is past
 * assertThat(cluster.transaction("billing")).eventually().hasProducerEpoch(0);
 * }</pre>
 */
public final class TransactionAssert extends WaitingAssert<TransactionAssert, TransactionHandle> {
    private static final List<String> STATES =
            List.of("Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort");

    TransactionAssert(TransactionHandle transaction, @Nullable Eventually eventually) {
        super(transaction, TransactionAssert.class, eventually);
    }

    @Override
    TransactionAssert waiting(@Nullable Eventually patience) {
        return new TransactionAssert(actual, patience);
    }

    /**
     * Its state by Kafka's name. While its producer has one open {@code hasState("Ongoing")} passes and
     * {@code hasState("CompleteCommit")} fails.
     *
     * @throws IllegalArgumentException if Kafka has no such state
     */
    public TransactionAssert hasState(String state) {
        requireKnown("state of a transaction", state, STATES);
        return check("state", state, TransactionSnapshot::state);
    }

    /**
     * The partitions that the open transaction has touched, or that are not told its end yet, in any order. While "orders-0"
     * alone has records of it {@code hasPartitions("orders-0")} passes and {@code hasPartitions()} fails.
     */
    public TransactionAssert hasPartitions(String... partitions) {
        return check("partitions", Arrays.stream(partitions).sorted().toList(), TransactionSnapshot::partitions);
    }

    /** The producer id in use. With the id 7 {@code hasProducerId(7)} passes and {@code hasProducerId(8)} fails. */
    public TransactionAssert hasProducerId(long producerId) {
        return check("producer id", producerId, TransactionSnapshot::producerId);
    }

    /**
     * The producer epoch in use, which fences those below. After the first initialization {@code hasProducerEpoch(0)}
     * passes and {@code hasProducerEpoch(1)} fails; an eventual one fails early where it is past.
     */
    public TransactionAssert hasProducerEpoch(int producerEpoch) {
        return check(new Expectation<>("producer epoch", Integer.toString(producerEpoch), seen -> {
            String shown = Integer.toString(seen.producerEpoch());
            if (seen.producerEpoch() == producerEpoch) {
                return new Met();
            }
            return seen.producerEpoch() < producerEpoch
                    ? new NotYet(shown)
                    : new Never(shown, "the epoch of a producer id never goes back");
        }));
    }

    /**
     * How long a transaction of its may stay open. With Kafka's default {@code hasTimeout(Duration.ofMinutes(1))} passes
     * and {@code hasTimeout(Duration.ofMinutes(2))} fails.
     */
    public TransactionAssert hasTimeout(Duration timeout) {
        return check("timeout", timeout, TransactionSnapshot::timeout);
    }

    /** The broker that coordinates it. With broker 2 it passes for 2 and fails for 1. */
    public TransactionAssert hasCoordinator(int brokerId) {
        return check("coordinator", brokerId, TransactionSnapshot::coordinator);
    }

    /**
     * Readers wait for it, and its producer has no say in it any more: it is decided and some partition is not told, or it
     * is open for longer than its timeout. While markers are held after a commit it passes; while the transaction is merely
     * open, and when all partitions are told, it fails.
     */
    public TransactionAssert isHanging() {
        return check(hanging("hanging", true));
    }

    /** It is not {@linkplain #isHanging() hanging}: nothing is open, or what is open may still go on. */
    public TransactionAssert isNotHanging() {
        return check(hanging("not hanging", false));
    }

    private Expectation<TransactionSnapshot> hanging(String expected, boolean wanted) {
        return new Expectation<>("progress", expected, seen -> {
            boolean hangs = seen.isHanging(actual.cluster().clock().now());
            return hangs == wanted
                    ? new Met()
                    : new NotYet(hangs ? "hanging, " + seen.state() : "not hanging, " + seen.state());
        });
    }

    private TransactionAssert check(String what, Object expected, Function<TransactionSnapshot, Object> actualOf) {
        return check(new Expectation<>(what, expected.toString(), seen -> {
            Object value = actualOf.apply(seen);
            return value.equals(expected) ? new Met() : new NotYet(value.toString());
        }));
    }

    private TransactionAssert check(Expectation<TransactionSnapshot> expectation) {
        isNotNull();
        return check(
                new Subject<>(
                        actual.toString(),
                        "transactional id at a coordinator that can be asked",
                        actual.cluster(),
                        actual::snapshotIfPresent,
                        seen -> null),
                expectation);
    }
}
