package io.tidemark.chaos;

/**
 * Something that was done to the cluster.
 *
 * @param sinceStartMs when, in milliseconds after the {@link Chaos} was made
 * @param kind what, for example {@code kill}
 * @param target to what: a node's id, or the nodes on both sides of a cut
 */
public record Fault(long sinceStartMs, String kind, String target) {
    @Override
    public String toString() {
        return "+" + sinceStartMs + " ms  " + kind + "(" + target + ")";
    }
}
