package io.tidemark.chaos.schedule;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What sort of thing a word after a deed's name is. */
enum Word {
    NODE("a node's id", "\\d{1,9}"),
    /** Of one that comes or goes. */
    BROKER("a broker's id", "\\d{1,9}"),
    /** Of one that comes or goes. */
    CONTROLLER("a controller's id", "\\d{1,9}"),
    GROUPS("two groups of nodes or more, as 1/2,3", "\\d{1,9}(,\\d{1,9})*(/\\d{1,9}(,\\d{1,9})*)+"),
    API("an API by Kafka's name, as PRODUCE", isOneOf(ApiKey.values())),
    ERROR("an error by Kafka's name, as NOT_LEADER_OR_FOLLOWER", isOneOf(ErrorCode.values())),
    TIMES("a number of times from 1 on", "[1-9]\\d{0,8}"),
    TIME("a time of 0 ms or more, as 40ms", "\\d{1,12}ms"),
    OFF("a time, as 40ms or -40ms", "-?\\d{1,12}ms"),
    TOPIC("a topic", "[\\w.-]+"),
    PARTITION("a partition's number", "\\d{1,9}"),
    OFFSET("an offset", "\\d{1,18}"),
    GROUP("a group's id without spaces", "\\S+"),
    TRANSACTIONAL_ID("a transactional id without spaces", "\\S+");

    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // what is tested captures only constants
    private final Predicate<String> test;

    Word(String meaning, String pattern) {
        this(meaning, Pattern.compile(pattern).asMatchPredicate());
    }

    Word(String meaning, Predicate<String> test) {
        this.meaning = meaning;
        this.test = test;
    }

    private static Predicate<String> isOneOf(Enum<?>... values) {
        return word -> Arrays.stream(values).anyMatch(value -> value.name().equals(word));
    }

    boolean fits(String word) {
        return test.test(word);
    }

    /** What it means, for messages. */
    String meaning() {
        return meaning;
    }

    /** The nodes of each group. */
    static List<Set<Integer>> groupsOf(String word) {
        return Arrays.stream(word.split("/", -1))
                .map(group -> Arrays.stream(group.split(",", -1))
                        .map(Integer::valueOf)
                        .collect(Collectors.<Integer, Set<Integer>>toCollection(LinkedHashSet::new)))
                .toList();
    }

    static String ofGroups(Collection<? extends Collection<Integer>> groups) {
        return groups.stream()
                .map(group -> group.stream().sorted().map(String::valueOf).collect(Collectors.joining(",")))
                .collect(Collectors.joining("/"));
    }

    static String ofMillis(long ms) {
        return ms + "ms";
    }

    static long millisOf(String word) {
        return Long.parseLong(word.substring(0, word.length() - "ms".length()));
    }
}
