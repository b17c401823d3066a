package io.tidemark.broker.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The type of a config's value, with Kafka's id for it in DescribeConfigs responses. */
public enum ConfigType {
    BOOLEAN(1, "true or false"),
    STRING(2, "text"),
    INT(3, "a whole number of 32 bits"),
    SHORT(4, "a whole number of 16 bits"),
    LONG(5, "a whole number of 64 bits"),
    DOUBLE(6, "a number"),
    LIST(7, "values separated by commas"),
    CLASS(8, "a class name"),
    PASSWORD(9, "text");

    private final byte id;
    private final String description;

    ConfigType(int id, String description) {
        this.id = (byte) id;
        this.description = description;
    }

    /** Kafka's id on the wire. */
    public byte id() {
        return id;
    }

    /** Reads a value: a Boolean, String, Integer, Short, Long, Double or immutable list of String. */
    Object parse(String name, String text) {
        String trimmed = text.trim();
        try {
            return switch (this) {
                case BOOLEAN -> parseBoolean(name, trimmed);
                case STRING, CLASS -> trimmed;
                case PASSWORD -> text;
                case INT -> Integer.valueOf(trimmed);
                case SHORT -> Short.valueOf(trimmed);
                case LONG -> Long.valueOf(trimmed);
                case DOUBLE -> Double.valueOf(trimmed);
                case LIST -> parseList(trimmed);
            };
        } catch (NumberFormatException e) {
            throw InvalidConfigException.of(name, text, description);
        }
    }

    private Object parseBoolean(String name, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw InvalidConfigException.of(name, text, description);
        };
    }

    private static List<String> parseList(String text) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<String> parts = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            parts.add(part.trim());
        }
        return List.copyOf(parts);
    }
}
