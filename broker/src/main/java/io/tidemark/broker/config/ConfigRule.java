package io.tidemark.broker.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a value must keep beyond its type. */
public sealed interface ConfigRule {
    /** What would do, to follow the word "expected"; null where the value keeps the rule. */
    @Nullable
    String broken(Object value);

    /** Any value of the type. */
    ConfigRule NONE = new None();

    static ConfigRule atLeast(long least) {
        return new Range(least, Long.MAX_VALUE);
    }

    static ConfigRule between(long least, long most) {
        return new Range(least, most);
    }

    /** A number between two, both included. */
    static ConfigRule betweenReal(double least, double most) {
        return new RealRange(least, most);
    }

    /** One of these words, or for a list only such words. */
    static ConfigRule oneOf(String... words) {
        return new Words(List.of(words), false);
    }

    /** As {@link #oneOf}, in capitals or not. */
    static ConfigRule oneOfIgnoringCase(String... words) {
        return new Words(List.of(words), true);
    }

    /** Keeps every value. */
    record None() implements ConfigRule {
        @Override
        public @Nullable String broken(Object value) {
            return null;
        }
    }

    /** A whole number between two, both included. */
    record Range(long least, long most) implements ConfigRule {
        @Override
        public @Nullable String broken(Object value) {
            long number = ((Number) value).longValue();
            if (number >= least && number <= most) {
                return null;
            }
            return most == Long.MAX_VALUE ? "at least " + least : "between " + least + " and " + most;
        }
    }

    /** A real number between two, both included. */
    record RealRange(double least, double most) implements ConfigRule {
        @Override
        public @Nullable String broken(Object value) {
            double number = ((Number) value).doubleValue();
            return number >= least && number <= most ? null : "between " + least + " and " + most;
        }
    }

    /** One of some words, or a list of such. */
    record Words(List<String> words, boolean ignoreCase) implements ConfigRule {
        @Override
        public @Nullable String broken(Object value) {
            List<?> asked = value instanceof List<?> list ? list : List.of(value);
            for (Object word : asked) {
                if (!allows((String) word)) {
                    return "one of " + words;
                }
            }
            return null;
        }

        private boolean allows(String asked) {
            for (String word : words) {
                if (ignoreCase ? word.equalsIgnoreCase(asked) : word.equals(asked)) {
                    return true;
                }
            }
            return false;
        }
    }
}
