package io.tidemark.assertions;

import io.tidemark.GroupHandle;
import io.tidemark.GroupState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.NotYet;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on one consumer group. Each judges the group as it is at that moment; after {@link #eventually()} each waits
 * until it holds. Nothing about a group is for ever, so none of them gives up early.
 *
 * <pre>{@code
 * // passes when both consumers have their partitions and have handled all
 * assertThat(cluster.group("billing")).eventually().hasMembers(2).hasNoLag();
 *
 * // fails after twenty seconds and shows the group: nobody has committed that far
 * assertThat(cluster.group("billing")).eventually().hasCommitted("orders", 0, 1_000_000);
 * }</pre>
 */
public final class GroupAssert extends AbstractAssert<GroupAssert, GroupHandle> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final @Nullable Eventually eventually;

    GroupAssert(GroupHandle group) {
        this(group, null);
    }

    private GroupAssert(GroupHandle group, @Nullable Eventually eventually) {
        super(group, GroupAssert.class);
        this.eventually = eventually;
    }

    /** Every assertion after this one waits until it holds, for twenty seconds at most. */
    public GroupAssert eventually() {
        return eventually(PATIENCE);
    }

    /** Every assertion after this one waits until it holds, each for so long at most. */
    public GroupAssert eventually(Duration timeout) {
        isNotNull();
        GroupAssert waiting = new GroupAssert(actual, new Eventually(timeout));
        waiting.info.description(info.description());
        return waiting;
    }

    /**
     * Its state by Kafka's name. With all consumers at work {@code hasState("Stable")} passes and
     * {@code hasState("Empty")} fails.
     */
    public GroupAssert hasState(String state) {
        return check("state", state, GroupState::state);
    }

    /** How many members it has. With two consumers {@code hasMembers(2)} passes and {@code hasMembers(1)} fails. */
    public GroupAssert hasMembers(int count) {
        return check("members", count, group -> group.members().size());
    }

    /**
     * The partitions that its members have together, in any order. With both partitions of a topic given out
     * {@code hasAssigned("orders-0", "orders-1")} passes and {@code hasAssigned("orders-0")} fails.
     */
    public GroupAssert hasAssigned(String... partitions) {
        return check("assigned partitions", Arrays.stream(partitions).sorted().toList(), GroupState::assigned);
    }

    /**
     * The committed offset of a partition. After the first record was handled {@code hasCommitted("orders", 0, 1)} passes
     * and {@code hasCommitted("orders", 0, 0)} fails.
     */
    public GroupAssert hasCommitted(String topic, int partition, long offset) {
        String name = topic + "-" + partition;
        return check(
                "committed offset of " + name,
                Long.toString(offset),
                group -> group.committed().containsKey(name)
                        ? Long.toString(group.committed().get(name))
                        : "none");
    }

    /**
     * How many committed records it has not committed yet, in all partitions that it has committed for. With three
     * records and a committed offset of 1 {@code hasLag(2)} passes and {@code hasLag(0)} fails.
     */
    public GroupAssert hasLag(long records) {
        isNotNull();
        Subject<Lag> subject = new Subject<>(actual.toString(), "group", () -> actual.snapshotIfPresent()
                .map(state -> new Lag(state, actual.lag())));
        return check(
                subject,
                new Expectation<>(
                        "lag",
                        Long.toString(records),
                        lag -> lag.sum() == records
                                ? new Met()
                                : new NotYet(lag.sum() + ", by partition " + lag.by())));
    }

    /** It has committed past every committed record. As {@link #hasLag hasLag(0)}. */
    public GroupAssert hasNoLag() {
        return hasLag(0);
    }

    private record Lag(GroupState state, SortedMap<String, Long> by) {
        long sum() {
            return by.values().stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public String toString() {
            return state.toString();
        }
    }

    private GroupAssert check(String what, Object expected, Function<GroupState, Object> actualOf) {
        isNotNull();
        Subject<GroupState> subject = new Subject<>(actual.toString(), "group", this::look);
        return check(subject, new Expectation<>(what, expected.toString(), group -> {
            Object seen = actualOf.apply(group);
            return seen.equals(expected) ? new Met() : new NotYet(seen.toString());
        }));
    }

    private Optional<GroupState> look() {
        return actual.snapshotIfPresent();
    }

    private <S> GroupAssert check(Subject<S> subject, Expectation<S> expectation) {
        UnmetExpectation unmet = subject.unmet(expectation, eventually);
        if (unmet != null) {
            throw failure("%s", unmet.message());
        }
        return this;
    }
}
