package io.tidemark.broker.verification;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.transport.Peers;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.TopicPartition;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks coordinators over the network, this node's own too. */
public final class CoordinatorVerifier implements TransactionVerifier {
    private static final String STATE_TOPIC = "__transaction_state";
    private static final String PURPOSE = "transaction-verification";

    private final Supplier<MetadataImage> image;
    private final Peers peers;
    private final String listener;
    private final long timeoutMs;
    private final Map<Integer, CoordinatorQueue> queues = new TreeMap<>();

    /**
     * @param listener the name of the listener that brokers are reached by
     * @param timeoutMs {@code request.timeout.ms}: how long a coordinator may take to answer
     */
    public CoordinatorVerifier(Supplier<MetadataImage> image, Peers peers, String listener, long timeoutMs) {
        this.image = image;
        this.peers = peers;
        this.listener = listener;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public void ask(TransactionQuestion question, Consumer<Map<TopicPartition, ErrorCode>> answer) {
        BrokerRegistration coordinator = coordinatorOf(question.transactionalId());
        Endpoint endpoint = coordinator == null ? null : coordinator.endpoint(listener);
        if (coordinator == null || endpoint == null) {
            answer.accept(TransactionVerifier.everywhere(question, ErrorCode.COORDINATOR_NOT_AVAILABLE));
            return;
        }
        queue(coordinator.id(), endpoint).add(question, answer);
    }

    private CoordinatorQueue queue(int brokerId, Endpoint endpoint) {
        CoordinatorQueue queue = queues.get(brokerId);
        if (queue == null || !queue.endpoint().equals(endpoint)) {
            if (queue != null) {
                queue.close();
            }
            queue = new CoordinatorQueue(endpoint, peers.open(endpoint.host(), endpoint.port(), PURPOSE), timeoutMs);
            queues.put(brokerId, queue);
        }
        return queue;
    }

    private @Nullable BrokerRegistration coordinatorOf(String transactionalId) {
        MetadataImage now = image.get();
        TopicImage topic = now.topics().topic(STATE_TOPIC);
        if (topic == null) {
            return null;
        }
        PartitionRegistration partition = topic.partition(
                CoordinatorPartition.of(transactionalId, topic.partitions().size()));
        BrokerRegistration leader = partition == null ? null : now.cluster().broker(partition.leader());
        return leader == null || leader.fenced() ? null : leader;
    }

    /** Closes the links; who waits is told NETWORK_EXCEPTION. */
    public void close() {
        queues.values().forEach(CoordinatorQueue::close);
        queues.clear();
    }
}
