package io.tidemark.assertions;

import io.tidemark.GroupHandle;
import io.tidemark.PartitionHandle;
import io.tidemark.TopicHandle;

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

    public static GroupAssert assertThat(GroupHandle group) {
        return new GroupAssert(group);
    }

    public static TopicAssert assertThat(TopicHandle topic) {
        return new TopicAssert(topic);
    }

    public static PartitionAssert assertThat(PartitionHandle partition) {
        return new PartitionAssert(partition);
    }
}
