package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * One rule taken out of the broker.
 *
 * @param name what is missing
 * @param rule the invariant that it keeps
 * @param source the source file, below {@code io/tidemark/broker}
 * @param edits what keeps the rule, and what stands there instead; several where one guard stands behind the other
 */
record Mutation(String name, String rule, String source, List<Edit> edits) {
    Mutation {
        edits = List.copyOf(edits);
    }

    Mutation(String name, String rule, String source, String snippet, String replacement) {
        this(name, rule, source, List.of(new Edit(snippet, replacement)));
    }

    /**
     * A change of the source.
     *
     * @param snippet code that is there exactly once
     * @param replacement what stands there instead
     */
    record Edit(String snippet, String replacement) {}

    /** The same with one more change. */
    Mutation and(String snippet, String replacement) {
        List<Edit> more = new ArrayList<>(edits);
        more.add(new Edit(snippet, replacement));
        return new Mutation(name, rule, source, more);
    }
}
