package io.tidemark.broker.api;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The patterns that clients may send. Kafka reads them with RE2/J, which matches in linear time and so leaves out what
 * cannot be: back references, looking around, atomic groups and possessive quantifiers. Here the JDK's matcher reads
 * them, without a dependency more, and refuses the same. What stays different are the finer points of character classes
 * (in RE2 there is no class in a class, and no intersection) and the time that a bad pattern may take.
 */
final class LinearPattern {
    private static final String ESCAPES = "AbBdDsSwWzpPQEaftnrvx0";
    private static final String QUANTIFIERS = "*+?}";

    private final String text;
    private final StringBuilder read = new StringBuilder();
    private boolean isInClass;
    private int at;

    private LinearPattern(String text) {
        this.text = text;
    }

    /** @throws PatternSyntaxException if it is no pattern, or has what RE2 leaves out */
    static Pattern compile(String text) {
        return new LinearPattern(text).compile();
    }

    private Pattern compile() {
        while (at < text.length()) {
            char next = text.charAt(at);
            if (next == '\\') {
                escape();
            } else if (isInClass) {
                isInClass = next != ']';
                take(1);
            } else if (next == '(') {
                group();
            } else if (next == '+' && at > 0 && QUANTIFIERS.indexOf(text.charAt(at - 1)) >= 0 && !isEscaped(at - 1)) {
                throw refused("possessive quantifiers");
            } else {
                isInClass = next == '[';
                take(1);
            }
        }
        return Pattern.compile(read.toString());
    }

    private void escape() {
        if (at + 1 < text.length()) {
            char escaped = text.charAt(at + 1);
            if (escaped >= '1' && escaped <= '9') {
                throw refused("back references");
            }
            if (Character.isLetterOrDigit(escaped) && ESCAPES.indexOf(escaped) < 0) {
                throw refused("this escape");
            }
        }
        boolean isQuote = text.startsWith("\\Q", at);
        int end = text.indexOf("\\E", at);
        take(isQuote ? (end < 0 ? text.length() : end + 2) - at : Math.min(2, text.length() - at));
    }

    private void group() {
        if (text.startsWith("(?P<", at)) {
            // RE2's way to name a group.
            read.append("(?<");
            at += 4;
            return;
        }
        for (String around : new String[] {"(?=", "(?!", "(?<=", "(?<!", "(?>"}) {
            if (text.startsWith(around, at)) {
                throw refused("looking around and atomic groups");
            }
        }
        take(1);
    }

    private boolean isEscaped(int index) {
        int backslashes = 0;
        while (index - backslashes > 0 && text.charAt(index - backslashes - 1) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    private void take(int count) {
        read.append(text, at, at + count);
        at += count;
    }

    private PatternSyntaxException refused(String what) {
        return new PatternSyntaxException("RE2 has no " + what, text, at);
    }
}
