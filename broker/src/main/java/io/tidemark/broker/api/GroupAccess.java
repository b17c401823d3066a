package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime;
import io.tidemark.broker.group.Caller;
import io.tidemark.broker.group.GroupCoordinator;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.TransactionMarker;
import io.tidemark.broker.types.TopicPartition;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the handlers of group requests share: which partition a group is on, and the shards of this node. */
public final class GroupAccess {
    /** The topic that keeps groups and their offsets. */
    public static final String OFFSETS_TOPIC = "__consumer_offsets";

    private final CoordinatorRuntime<GroupCoordinator> runtime;
    private final Supplier<MetadataImage> image;
    private final int configuredPartitions;
    private final long commitTimeoutMs;

    /**
     * @param image the metadata as this node knows it now
     * @param configuredPartitions {@code offsets.topic.num.partitions}, which counts until the topic is there
     * @param commitTimeoutMs {@code offsets.commit.timeout.ms}
     */
    public GroupAccess(
            CoordinatorRuntime<GroupCoordinator> runtime,
            Supplier<MetadataImage> image,
            int configuredPartitions,
            long commitTimeoutMs) {
        this.runtime = runtime;
        this.image = image;
        this.configuredPartitions = configuredPartitions;
        this.commitTimeoutMs = commitTimeoutMs;
    }

    /** This node leads the partition in that epoch, and has not read yet which groups it coordinates by it. */
    public boolean isLoading(TopicPartition partition, int leaderEpoch) {
        return runtime.isLoading(partition, leaderEpoch);
    }

    CoordinatorRuntime<GroupCoordinator> runtime() {
        return runtime;
    }

    MetadataImage image() {
        return image.get();
    }

    long commitTimeoutMs() {
        return commitTimeoutMs;
    }

    /**
     * Ends a producer's transaction in a partition of offsets. What the coordinator cannot do now it is told in the
     * terms of partitions, since that is what it knows this one as.
     */
    public void complete(int partition, TransactionMarker marker, long timeoutMs, Consumer<ErrorCode> done) {
        runtime.endTransaction(
                partition,
                marker,
                timeoutMs,
                error -> done.accept(
                        switch (error) {
                            case COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR ->
                                ErrorCode.NOT_LEADER_OR_FOLLOWER;
                            default -> error;
                        }));
    }

    /** The partition that the group lives on. */
    int partitionOf(String groupId) {
        TopicImage topic = image().topics().topic(OFFSETS_TOPIC);
        int partitions =
                topic == null ? configuredPartitions : topic.partitions().size();
        return CoordinatorPartition.of(groupId, partitions);
    }

    static Caller caller(RequestContext context) {
        String clientId = context.clientId();
        InetSocketAddress address = context.clientAddress();
        String host = address == null
                ? ""
                : address.getAddress() == null
                        ? "/" + address.getHostString()
                        : "/" + address.getAddress().getHostAddress();
        return new Caller(clientId == null ? "" : clientId, host, context.apiVersion());
    }
}
