package io.tidemark.broker.log;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Typed values out of a topic's configs, with a message that names the config where the text is not of the type. */
final class TopicConfigReader {
    private final Function<String, @Nullable String> values;

    TopicConfigReader(Function<String, @Nullable String> values) {
        this.values = values;
    }

    String text(String name, String ifAbsent) {
        String value = values.apply(name);
        return value == null ? ifAbsent : value.trim();
    }

    int intValue(String name, int ifAbsent) {
        long value = longValue(name, ifAbsent);
        if (value != (int) value) {
            throw new IllegalArgumentException(
                    "Topic config " + name + " is [" + value + "]; expected at most " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    long longValue(String name, long ifAbsent) {
        String value = values.apply(name);
        if (value == null) {
            return ifAbsent;
        }
        try {
            return Long.parseLong(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "Topic config " + name + " is [" + value + "]; expected a whole number", e);
        }
    }

    boolean listHolds(String name, String item, boolean ifAbsent) {
        String value = values.apply(name);
        if (value == null) {
            return ifAbsent;
        }
        for (String part : value.split(",", -1)) {
            if (part.trim().equals(item)) {
                return true;
            }
        }
        return false;
    }
}
