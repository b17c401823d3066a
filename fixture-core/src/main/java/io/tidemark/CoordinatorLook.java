package io.tidemark;

import io.tidemark.backend.BackendNode;
import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks brokers for what a coordinator knows, through their own routers, while they come and go. */
final class CoordinatorLook {

    private CoordinatorLook() {}

    /**
     * The brokers, the coordinator of an id first: who was it before may not have heard of that yet, and answers as if it
     * still was.
     *
     * @param topic the one whose partitions' leaders coordinate
     */
    static List<ClusterNode> coordinatorFirst(Cluster cluster, String topic, String id) {
        int coordinator = coordinator(cluster, topic, id);
        return cluster.brokers().stream()
                .sorted(Comparator.comparing(broker -> broker.id() != coordinator))
                .toList();
    }

    /** Who coordinates an id as the controller has it; negative where nobody does now. */
    static int coordinator(Cluster cluster, String topic, String id) {
        MetadataImage metadata = cluster.view().metadata();
        TopicImage image = metadata == null ? null : metadata.topics().topic(topic);
        if (image == null) {
            return -1;
        }
        PartitionRegistration partition =
                image.partition(CoordinatorPartition.of(id, image.partitions().size()));
        return partition == null || !partition.hasLeader() ? -1 : partition.leader();
    }

    /**
     * What a broker answers; null where it does not run, or was killed, paused or restarted before it did.
     *
     * @throws ClusterException if it runs and does not answer in time
     */
    static <R extends ApiMessage> @Nullable R ask(
            ClusterNode broker, ApiMessage request, Class<R> answer, long timeoutMs) {
        BackendNode life = broker.current();
        if (broker.state() != NodeState.RUNNING) {
            return null;
        }
        ApiMessage answered = Outcome.awaitUnless(
                () -> broker.state() != NodeState.RUNNING || broker.current() != life,
                life.call(request),
                timeoutMs,
                "ask " + broker);
        return answered == null ? null : answer.cast(answered);
    }
}
