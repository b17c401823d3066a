package io.tidemark.chaos;

/**
 * Something that was done to the cluster.
 *
 * <pre>{@code
 * chaos.kill(1);
 * System.out.println(chaos.timeline());   // each with its time, its kind and its target
 * }</pre>
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
