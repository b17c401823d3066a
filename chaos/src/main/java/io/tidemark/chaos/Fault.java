package io.tidemark.chaos;

/**
 * Something that was done to a node.
 *
 * @param sinceStartMs when, in milliseconds after the {@link Chaos} was made
 * @param kind what, for example {@code kill}
 * @param nodeId to which node
 */
public record Fault(long sinceStartMs, String kind, int nodeId) {
    @Override
    public String toString() {
        return "+" + sinceStartMs + " ms  " + kind + "(" + nodeId + ")";
    }
}
