package io.tidemark.broker.simulation;

/**
 * One rule taken out of the broker.
 *
 * @param name what is missing
 * @param rule the invariant that it keeps
 * @param source the source file, below {@code io/tidemark/broker}
 * @param snippet the code that keeps the rule; it is there exactly once
 * @param replacement what stands there instead
 */
record Mutation(String name, String rule, String source, String snippet, String replacement) {}
