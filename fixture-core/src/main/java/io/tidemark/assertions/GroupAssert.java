package io.tidemark.assertions;

import io.tidemark.GroupHandle;
import io.tidemark.GroupState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on one consumer group. Each judges the group as it is at that moment; after {@link #eventually()} each waits
 * until it holds. Little about a group is for ever, as offsets may be reset and members come back: one gives up early where
 * the cluster is closed, or the generation is past.
 *
 * <pre>{@code
 * // passes when both consumers have their partitions and have handled all
 * assertThat(cluster.group("billing")).eventually().hasMembers(2).hasNoLag();
 *
 * // fails after twenty seconds and shows the group: nobody has committed that far
 * assertThat(cluster.group("billing")).eventually().hasCommitted("orders", 0, 1_000_000);
 * }</pre>
 */
public final class GroupAssert extends WaitingAssert<GroupAssert, GroupHandle> {
    /** Of classic groups, and of those with Kafka's newer protocols. */
    private static final List<String> STATES = List.of(
            "Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Assigning", "Reconciling", "NotReady");

    GroupAssert(GroupHandle group, @Nullable Eventually eventually) {
        super(group, GroupAssert.class, eventually);
    }

    @Override
    GroupAssert waiting(@Nullable Eventually patience) {
        return new GroupAssert(actual, patience);
    }

    /**
     * Its state by Kafka's name. With all consumers at work {@code hasState("Stable")} passes and
     * {@code hasState("Empty")} fails.
     */
    public GroupAssert hasState(String state) {
        requireKnown("state of a group", state, STATES);
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
     * It has no committed offset of a partition. Before its first commit {@code hasNotCommitted("orders", 0)} passes, and
     * after it that fails.
     */
    public GroupAssert hasNotCommitted(String topic, int partition) {
        String name = topic + "-" + partition;
        return check(
                "committed offset of " + name,
                "none",
                group -> group.committed().containsKey(name)
                        ? Long.toString(group.committed().get(name))
                        : "none");
    }

    /**
     * How often its members were given out partitions, as its coordinator has written it. After the first member
     * {@code hasGeneration(1)} passes and {@code hasGeneration(0)} fails; an eventual one fails early where it is past.
     */
    public GroupAssert hasGeneration(int generation) {
        isNotNull();
        Subject<Generation> subject = Subject.of(
                actual, () -> actual.snapshotIfPresent().map(state -> new Generation(state, actual.generation())));
        return check(
                subject,
                new Expectation<>("generation", Integer.toString(generation), seen -> seen.judgedAgainst(generation)));
    }

    /**
     * No running broker knows of it: it has neither members nor offsets. It passes before the first member comes and fails
     * while one is there.
     */
    public GroupAssert doesNotExist() {
        isNotNull();
        return check(
                Subject.of(actual, () -> Optional.of(new Presence(actual.snapshotIfPresent()))),
                new Expectation<>(
                        "presence",
                        "nothing, as nobody needs it",
                        presence -> presence.group().isEmpty() ? new Met() : new NotYet("there")));
    }

    private record Presence(Optional<GroupState> group) {
        @Override
        public String toString() {
            return group.map(GroupState::toString).orElse("no such group");
        }
    }

    /**
     * The assignor that its members have agreed on, by its name. With Kafka's defaults {@code hasAssignor("range")}
     * passes and {@code hasAssignor("sticky")} fails.
     */
    public GroupAssert hasAssignor(String name) {
        return check("assignor", name, GroupState::protocol);
    }

    /**
     * The partitions that the members with a client.id have together, in any order. Where "biller" has the one partition
     * of a topic {@code hasAssignedTo("biller", "orders-0")} passes and {@code hasAssignedTo("biller")} fails.
     */
    public GroupAssert hasAssignedTo(String clientId, String... partitions) {
        return check(
                "partitions assigned to " + clientId,
                Arrays.stream(partitions).sorted().toList(),
                group -> group.members().stream()
                        .filter(member -> member.clientId().equals(clientId))
                        .flatMap(member -> member.assigned().stream())
                        .sorted()
                        .toList());
    }

    /**
     * How many committed records it has not committed yet, in all partitions that it has committed for. With three
     * records and a committed offset of 1 {@code hasLag(2)} passes and {@code hasLag(0)} fails.
     */
    public GroupAssert hasLag(long records) {
        return checkLag("lag", records, Lag::sum);
    }

    /**
     * How many committed records of one partition it has not committed yet. With three records and a committed offset of
     * 1 {@code hasLag("orders", 0, 2)} passes and {@code hasLag("orders", 0, 0)} fails; so does either where it has not
     * committed for the partition at all.
     */
    public GroupAssert hasLag(String topic, int partition, long records) {
        String name = topic + "-" + partition;
        return checkLag("lag in " + name, records, lag -> lag.by().getOrDefault(name, -1L));
    }

    /** It has committed past every committed record. As {@link #hasLag hasLag(0)}. */
    public GroupAssert hasNoLag() {
        return hasLag(0);
    }

    private GroupAssert checkLag(String what, long records, ToLongFunction<Lag> lagOf) {
        isNotNull();
        Subject<Lag> subject =
                Subject.of(actual, () -> actual.snapshotIfPresent().map(state -> new Lag(state, actual.lag())));
        return check(subject, new Expectation<>(what, Long.toString(records), lag -> {
            long seen = lagOf.applyAsLong(lag);
            return seen == records
                    ? new Met()
                    : new NotYet((seen < 0 ? "unknown, as it has committed nothing there" : seen) + ", by partition "
                            + lag.by());
        }));
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

    private record Generation(GroupState state, OptionalInt number) {
        Verdict judgedAgainst(int wanted) {
            if (number.isEmpty()) {
                return new NotYet("none, as its members were given out nothing yet");
            }
            String actual = Integer.toString(number.getAsInt());
            if (number.getAsInt() == wanted) {
                return new Met();
            }
            return number.getAsInt() < wanted
                    ? new NotYet(actual)
                    : new Never(actual, "a generation never goes back while the group is there");
        }

        @Override
        public String toString() {
            return state.toString();
        }
    }

    private GroupAssert check(String what, Object expected, Function<GroupState, Object> actualOf) {
        isNotNull();
        return check(
                Subject.of(actual, actual::snapshotIfPresent), new Expectation<>(what, expected.toString(), group -> {
                    Object seen = actualOf.apply(group);
                    return seen.equals(expected) ? new Met() : new NotYet(seen.toString());
                }));
    }
}
