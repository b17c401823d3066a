package io.tidemark.assertions;

import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Something that what is looked at shall be, and how one look at it is judged.
 *
 * @param <S> one look, for example a partition's state
 * @param what the fact, for example {@code high watermark}
 * @param expected its value
 * @param judge decides; it keeps no memory of looks before
 */
record Expectation<S>(String what, String expected, Function<S, Verdict> judge) {
    private static final String NO_LEADER = "unknown, as no leader has taken office";

    static Expectation<PartitionState> leader(int brokerId) {
        return new Expectation<>("leader", Integer.toString(brokerId), state -> {
            String actual =
                    state.leader().isPresent() ? Integer.toString(state.leader().getAsInt()) : "none";
            if (actual.equals(Integer.toString(brokerId))) {
                return new Met();
            }
            return state.replicaIds().contains(brokerId)
                    ? new NotYet(actual)
                    : new Never(actual, noReplica(state, List.of(brokerId)));
        });
    }

    static Expectation<PartitionState> leaderEpoch(int leaderEpoch) {
        return new Expectation<>("leader epoch", Integer.toString(leaderEpoch), state -> {
            int actual = state.leaderEpoch();
            if (actual == leaderEpoch) {
                return new Met();
            }
            return actual < leaderEpoch
                    ? new NotYet(Integer.toString(actual))
                    : new Never(Integer.toString(actual), "a leader epoch never goes back");
        });
    }

    static Expectation<PartitionState> isr(int... brokerIds) {
        return brokers("ISR", PartitionState::isr, brokerIds);
    }

    static Expectation<PartitionState> elr(int... brokerIds) {
        return brokers("ELR", PartitionState::elr, brokerIds);
    }

    private static Expectation<PartitionState> brokers(
            String what, Function<PartitionState, List<Integer>> seen, int... brokerIds) {
        List<Integer> expected = Arrays.stream(brokerIds).sorted().boxed().toList();
        return new Expectation<>(what, expected.toString(), state -> {
            if (seen.apply(state).equals(expected)) {
                return new Met();
            }
            String actual = seen.apply(state).toString();
            List<Integer> strangers = expected.stream()
                    .filter(id -> !state.replicaIds().contains(id))
                    .toList();
            return strangers.isEmpty() ? new NotYet(actual) : new Never(actual, noReplica(state, strangers));
        });
    }

    static Expectation<PartitionState> highWatermark(long offset) {
        return reaches("high watermark", PartitionState::highWatermark, offset);
    }

    static Expectation<PartitionState> lastStableOffset(long offset) {
        return reaches("last stable offset", PartitionState::lastStableOffset, offset);
    }

    /** Of an offset that a leader only moves on: what is committed stays so, unless a replica out of sync may lead. */
    private static Expectation<PartitionState> reaches(
            String what, Function<PartitionState, OptionalLong> seen, long offset) {
        return new Expectation<>(what, Long.toString(offset), state -> {
            OptionalLong actual = seen.apply(state);
            if (actual.isEmpty()) {
                return new NotYet(NO_LEADER);
            }
            if (actual.getAsLong() == offset) {
                return new Met();
            }
            return actual.getAsLong() < offset || state.uncleanElection()
                    ? new NotYet(Long.toString(actual.getAsLong()))
                    : new Never(Long.toString(actual.getAsLong()), "a " + what + " never goes back");
        });
    }

    static Expectation<PartitionState> noLeader() {
        return new Expectation<>(
                "leader",
                "none",
                state -> state.leader().isPresent()
                        ? new NotYet(Integer.toString(state.leader().getAsInt()))
                        : new Met());
    }

    static Expectation<PartitionState> underReplicated() {
        return new Expectation<>(
                "ISR",
                "fewer than the replicas",
                state -> state.isr().size() < state.replicas().size()
                        ? new Met()
                        : new NotYet(state.isr() + " of " + state.replicaIds()));
    }

    static Expectation<PartitionState> logStartOffset(long offset) {
        return new Expectation<>("log start offset", Long.toString(offset), state -> {
            OptionalLong actual = state.logStartOffset();
            if (actual.isEmpty()) {
                return new NotYet(NO_LEADER);
            }
            if (actual.getAsLong() == offset) {
                return new Met();
            }
            return actual.getAsLong() < offset || state.uncleanElection()
                    ? new NotYet(Long.toString(actual.getAsLong()))
                    : new Never(Long.toString(actual.getAsLong()), "a log start offset never goes back");
        });
    }

    static Expectation<PartitionState> logEndOffset(int brokerId, long offset) {
        return new Expectation<>("log end offset on broker " + brokerId, Long.toString(offset), state -> {
            ReplicaState replica = state.replica(brokerId);
            if (replica == null) {
                return new Never("none", noReplica(state, List.of(brokerId)));
            }
            OptionalLong actual = state.logEndOffset(brokerId);
            if (actual.isEmpty()) {
                return new NotYet("unknown: " + replica);
            }
            // No early end where it is past: a replica may still truncate what was never committed.
            return actual.getAsLong() == offset ? new Met() : new NotYet(Long.toString(actual.getAsLong()));
        });
    }

    static Expectation<PartitionState> fullIsr() {
        return new Expectation<>("ISR", "every replica", state -> {
            return state.isr().size() == state.replicas().size()
                    ? new Met()
                    : new NotYet(state.isr() + " of " + state.replicaIds());
        });
    }

    private static String noReplica(PartitionState state, List<Integer> brokerIds) {
        return (brokerIds.size() == 1 ? "broker " + brokerIds.get(0) + " holds" : "brokers " + brokerIds + " hold")
                + " no replica of " + state.name() + ", the brokers " + state.replicaIds() + " do";
    }
}
