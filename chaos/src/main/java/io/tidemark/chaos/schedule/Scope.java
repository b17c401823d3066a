package io.tidemark.chaos.schedule;

import io.tidemark.requests.RequestRule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which requests of an API are meant, in words like {@code client=orders-app} that follow a deed's own; all where none do. */
enum Scope {
    CLIENT("client", "\\S+", RequestRule::fromClient),
    BROKER("broker", "\\d{1,9}", (rule, id) -> rule.toBroker(Integer.parseInt(id))),
    TOPIC("topic", "[\\w.-]+", RequestRule::topic),
    GROUP("group", "\\S+", RequestRule::group),
    TRANSACTIONAL_ID("transactionalId", "\\S+", RequestRule::transactionalId);

    private final String key;
    private final Pattern value;

    @SuppressWarnings("ImmutableEnumChecker") // what limits a rule captures nothing
    private final BiFunction<RequestRule, String, RequestRule> limit;

    Scope(String key, String value, BiFunction<RequestRule, String, RequestRule> limit) {
        this.key = key;
        this.value = Pattern.compile(value);
        this.limit = limit;
    }

    String of(Object what) {
        return key + "=" + what;
    }

    /** The value of this scope among some words. */
    Optional<String> in(List<String> words) {
        return words.stream()
                .filter(word -> word.startsWith(key + "="))
                .map(word -> word.substring(key.length() + 1))
                .findFirst();
    }

    /** True if each of these is the word of a scope, and no scope has two. */
    static boolean fit(List<String> words) {
        return Arrays.stream(values())
                        .filter(scope -> scope.in(words)
                                .filter(what -> scope.value.matcher(what).matches())
                                .isPresent())
                        .count()
                == words.size();
    }

    /** The requests of a rule that are within what these words say. */
    static RequestRule limit(RequestRule rule, List<String> words) {
        RequestRule limited = rule;
        for (Scope scope : values()) {
            Optional<String> what = scope.in(words);
            limited = what.isPresent() ? scope.limit.apply(limited, what.get()) : limited;
        }
        return limited;
    }

    /** What they look like, for messages. */
    static String shapes() {
        return Arrays.stream(values()).map(scope -> scope.of("...")).collect(Collectors.joining(", "));
    }
}
