package io.tidemark.chaos.schedule;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.chaos.schedule.Schedule.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a cluster of three brokers whose topics have {@code min.insync.replicas=2} must survive, together with clients that
 * retry: requests that fail in ways after which Kafka's clients try again, delays that no timeout notices, one broker at a
 * time that is away, and while none is, nodes that come and go again.
 */
final class Survival {
    static final int MOST_TIMES = 5;
    static final long LONGEST_DELAY_MS = 500;
    /** Well within {@code broker.session.timeout.ms}, so that no session ends by it. */
    static final long LONGEST_ADVANCE_MS = 300;

    static final long LONGEST_SKEW_MS = 60_000;

    /** What every client asks, with the errors after which it asks again. */
    static final Map<ApiKey, List<ErrorCode>> BY_ALL = ordered(Map.of(
            ApiKey.PRODUCE, List.of(ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.NOT_ENOUGH_REPLICAS),
            ApiKey.FETCH, List.of(ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.OFFSET_NOT_AVAILABLE),
            ApiKey.METADATA, List.of()));

    /** What members of groups ask. */
    static final Map<ApiKey, List<ErrorCode>> BY_MEMBERS = ordered(Map.of(
            ApiKey.FIND_COORDINATOR, List.of(ErrorCode.COORDINATOR_NOT_AVAILABLE),
            ApiKey.JOIN_GROUP, List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
            ApiKey.SYNC_GROUP, List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.REBALANCE_IN_PROGRESS),
            ApiKey.HEARTBEAT, List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.REBALANCE_IN_PROGRESS),
            ApiKey.CONSUMER_GROUP_HEARTBEAT, List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
            ApiKey.OFFSET_FETCH, List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
            ApiKey.OFFSET_COMMIT, List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)));

    /** What transactional producers ask. */
    static final Map<ApiKey, List<ErrorCode>> BY_TRANSACTIONS = ordered(Map.of(
            ApiKey.INIT_PRODUCER_ID,
            List.of(
                    ErrorCode.NOT_COORDINATOR,
                    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
                    ErrorCode.CONCURRENT_TRANSACTIONS),
            ApiKey.ADD_OFFSETS_TO_TXN,
            List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
            ApiKey.TXN_OFFSET_COMMIT,
            List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS),
            ApiKey.END_TXN,
            List.of(ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)));

    private final List<String> excesses = new ArrayList<>();
    /** The nodes that are hurt; one whose name is not known beforehand has a number below 0, its own. */
    private final Set<Integer> hurt = new HashSet<>();
    /** At any time. */
    private final boolean isAnyoneHurt;
    /** How many brokers and controllers have come and not gone. */
    private final Map<Word, Integer> come = new EnumMap<>(Word.class);

    private Survival(boolean isAnyoneHurt) {
        this.isAnyoneHurt = isAnyoneHurt;
    }

    private static Map<ApiKey, List<ErrorCode>> ordered(Map<ApiKey, List<ErrorCode>> errors) {
        return Collections.unmodifiableMap(new EnumMap<>(errors));
    }

    /** The steps that are more than what must be survived, with why; empty where there is none. */
    static List<String> excessesOf(Schedule schedule) {
        Survival survival = new Survival(
                schedule.steps().stream().anyMatch(step -> step.deed().harm() == Harm.BROKER));
        for (Step step : schedule.steps()) {
            // When a condition holds is not known: as long as a step waits for one, it may come at any time.
            if (!step.condition().isEmpty()) {
                survival.look(step);
            }
        }
        Set<Integer> any = Set.copyOf(survival.hurt);
        for (Step step : schedule.steps()) {
            if (step.condition().isEmpty()) {
                survival.look(step);
                if (step.deed() == Deed.HEAL) {
                    survival.hurt.retainAll(any);
                }
            }
        }
        return survival.excesses;
    }

    private void look(Step step) {
        switch (step.deed().harm()) {
            case NONE -> {}
            case PASSING -> {
                String why = isMembership(step.deed()) ? tooFew(step) : tooMuch(step.deed(), step.arguments());
                if (!why.isEmpty()) {
                    excesses.add(step + ": " + why);
                }
            }
            case BROKER -> {
                List<Integer> nodes = step.deed() == Deed.SPLIT ? minority(step) : step.nodes();
                hurt.addAll(nodes.isEmpty() ? List.of(-1 - hurt.size()) : nodes);
                // A cut of two is one broker away from another, and no more than that.
                boolean isCut = step.deed() == Deed.CUT || step.deed() == Deed.CUT_ONE_WAY || isSplitOfTwo(step);
                if (hurt.size() > (isCut ? 2 : 1)) {
                    excesses.add(step
                            + (nodes.size() > 1 && !isCut
                                    ? ": more than one node is away"
                                    : ": another broker is hurt and not healed"));
                }
            }
            case BEYOND -> excesses.add(step + ": somebody may lose something by it");
        }
    }

    /** The nodes that are away from most of the others; both of two. */
    private static List<Integer> minority(Step step) {
        if (isSplitOfTwo(step)) {
            return step.nodes();
        }
        List<Set<Integer>> groups =
                new ArrayList<>(Word.groupsOf(step.arguments().get(0)));
        groups.remove(Collections.max(groups, Comparator.comparingInt(Set::size)));
        return groups.stream().flatMap(Set::stream).toList();
    }

    private static boolean isSplitOfTwo(Step step) {
        return step.deed() == Deed.SPLIT && step.nodes().size() == 2;
    }

    private static boolean isMembership(Deed deed) {
        return deed.words().contains(Word.BROKER) || deed.words().contains(Word.CONTROLLER);
    }

    private String tooFew(Step step) {
        boolean isComing = step.deed() == Deed.ADD_BROKER || step.deed() == Deed.ADD_CONTROLLER;
        Word word = step.deed().words().get(0);
        int more = come.getOrDefault(word, 0);
        if (!hurt.isEmpty() || (isAnyoneHurt && !step.condition().isEmpty())) {
            return "a node is hurt and not healed, and it takes all of them";
        }
        if (!isComing && more == 0) {
            return "the cluster has fewer than at the start";
        }
        // Whether one that waits for a condition has come is not known.
        if (step.condition().isEmpty() || !isComing) {
            come.put(word, more + (isComing ? 1 : -1));
        }
        return "";
    }

    private static String tooMuch(Deed deed, List<String> arguments) {
        return switch (deed) {
            case LOSE_ANSWER, LEAVE_UNANSWERED, CLOSE_CONNECTION -> ofRequests(arguments);
            case DELAY_REQUEST ->
                Word.millisOf(arguments.get(2)) > LONGEST_DELAY_MS
                        ? "more than " + LONGEST_DELAY_MS + " ms"
                        : ofRequests(arguments);
            case ANSWER_ERROR ->
                errorsOf(ApiKey.valueOf(arguments.get(0))).contains(ErrorCode.valueOf(arguments.get(2)))
                        ? ofRequests(arguments)
                        : "clients do not ask again after it";
            case ADVANCE_CLOCK ->
                Word.millisOf(arguments.get(0)) > LONGEST_ADVANCE_MS ? "more than " + LONGEST_ADVANCE_MS + " ms" : "";
            case SKEW ->
                Math.abs(Word.millisOf(arguments.get(1))) > LONGEST_SKEW_MS
                        ? "more than " + LONGEST_SKEW_MS + " ms"
                        : "";
            default -> "";
        };
    }

    private static String ofRequests(List<String> arguments) {
        ApiKey api = ApiKey.valueOf(arguments.get(0));
        if (!BY_ALL.containsKey(api) && !BY_MEMBERS.containsKey(api) && !BY_TRANSACTIONS.containsKey(api)) {
            return "clients do not ask again";
        }
        return Integer.parseInt(arguments.get(1)) > MOST_TIMES ? "more than " + MOST_TIMES + " times" : "";
    }

    private static List<ErrorCode> errorsOf(ApiKey api) {
        return BY_ALL.getOrDefault(api, BY_MEMBERS.getOrDefault(api, BY_TRANSACTIONS.getOrDefault(api, List.of())));
    }
}
