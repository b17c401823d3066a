package io.tidemark.assertions;

import io.tidemark.Cluster;
import io.tidemark.GroupHandle;
import io.tidemark.IsolationLevel;
import io.tidemark.PartitionHandle;
import io.tidemark.ReplicaSegments;
import io.tidemark.TopicHandle;
import io.tidemark.TransactionHandle;

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

    /** On the whole: nodes, controller, under-replicated and offline partitions. */
    public static ClusterAssert assertThat(Cluster cluster) {
        return new ClusterAssert(cluster, null);
    }

    /** On members, assignment, offsets and lag. */
    public static GroupAssert assertThat(GroupHandle group) {
        return new GroupAssert(group, null);
    }

    /** On the records of a topic. */
    public static TopicAssert assertThat(TopicHandle topic) {
        return new TopicAssert(topic, IsolationLevel.READ_UNCOMMITTED, null);
    }

    /** On leader, ISR, offsets, replicas, producers and open transactions. */
    public static PartitionAssert assertThat(PartitionHandle partition) {
        return new PartitionAssert(partition, null);
    }

    /** On files, sizes and compaction. */
    public static SegmentsAssert assertThat(ReplicaSegments segments) {
        return new SegmentsAssert(segments, null);
    }

    /** On what a coordinator knows of a transactional id. */
    public static TransactionAssert assertThat(TransactionHandle transaction) {
        return new TransactionAssert(transaction, null);
    }
}
