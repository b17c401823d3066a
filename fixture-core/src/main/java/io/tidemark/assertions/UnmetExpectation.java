package io.tidemark.assertions;

import io.tidemark.ClusterState;
import io.tidemark.PartitionState;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a failed assertion says: the fact, what was expected, what was there, why the waiting ended, and the partition
 * with all its replicas.
 *
 * @param name the partition
 * @param expectation what was expected
 * @param actual what was seen last
 * @param ending why no more looks were taken; null where there was only one
 * @param state the last look, or null where there was nothing to see
 */
record UnmetExpectation(
        String name,
        Expectation<?> expectation,
        String actual,
        @Nullable String ending,
        @Nullable Object state) {
    String message() {
        StringBuilder text = new StringBuilder("\nExpecting ")
                .append(expectation.what())
                .append(" of ")
                .append(name)
                .append(ending == null ? " to be:\n  " : " eventually to be:\n  ")
                .append(expectation.expected())
                .append("\nbut it was:\n  ")
                .append(actual);
        if (ending != null) {
            text.append('\n').append(ending);
        }
        if (state != null) {
            text.append("\n\n").append(state);
        }
        OptionalLong seed = seed();
        if (seed.isPresent()) {
            text.append("\nseed ").append(seed.getAsLong());
        }
        return text.append('\n').toString();
    }

    private OptionalLong seed() {
        if (state instanceof PartitionState partition) {
            return OptionalLong.of(partition.seed());
        }
        if (state instanceof PartitionProducers producers) {
            return OptionalLong.of(producers.state().seed());
        }
        return state instanceof ClusterState cluster ? OptionalLong.of(cluster.seed()) : OptionalLong.empty();
    }
}
