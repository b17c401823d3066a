package io.tidemark.assertions;

import io.tidemark.PartitionHandle;

/**
 * The entry point, for a static import beside AssertJ's own.
 *
 * <pre>{@code
 * import static io.tidemark.assertions.TidemarkAssertions.assertThat;
 *
 * assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
 * }</pre>
 */
public final class TidemarkAssertions {
    private TidemarkAssertions() {}

    public static PartitionAssert assertThat(PartitionHandle partition) {
        return new PartitionAssert(partition);
    }
}
