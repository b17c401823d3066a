package io.tidemark.broker.api;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FindCoordinatorRequest;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse;
import io.tidemark.broker.protocol.message.FindCoordinatorResponse.Coordinator;
import io.tidemark.broker.types.Endpoint;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * FindCoordinator: the leader of the partition that a group or a transactional id lives on, at the listener that was
 * asked. The topic is made when it is first needed; until there is a leader the answer is COORDINATOR_NOT_AVAILABLE, and
 * clients ask again.
 *
 * <p>Share groups have no coordinator here. They are answered INVALID_REQUEST, which clients take as final, where
 * COORDINATOR_NOT_AVAILABLE would keep them asking for ever.
 */
public final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequest> {
    private static final short KEYS_VERSION = 4;
    private static final byte GROUP = 0;
    private static final byte TRANSACTION = 1;
    private static final int NO_NODE = -1;

    private final GroupAccess groups;
    private final ToIntFunction<String> transactionPartitions;
    private final InternalTopics internalTopics;

    /** @param transactionPartitions the partition that a transactional id lives on */
    public FindCoordinatorHandler(
            GroupAccess groups, ToIntFunction<String> transactionPartitions, InternalTopics internalTopics) {
        this.groups = groups;
        this.transactionPartitions = transactionPartitions;
        this.internalTopics = internalTopics;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.FIND_COORDINATOR;
    }

    @Override
    public void handle(RequestContext context, FindCoordinatorRequest request) {
        FindCoordinatorResponse response = new FindCoordinatorResponse();
        for (String key : keys(request, context.apiVersion())) {
            response.coordinators().add(find(request.keyType(), key, context.listenerName()));
        }
        context.respond(fit(response, context.apiVersion()));
    }

    private static List<String> keys(FindCoordinatorRequest request, short version) {
        return version >= KEYS_VERSION ? request.coordinatorKeys() : List.of(request.key());
    }

    private Coordinator find(byte keyType, String key, String listener) {
        if (keyType != GROUP && keyType != TRANSACTION) {
            return failed(
                    key,
                    ErrorCode.INVALID_REQUEST,
                    "Coordinators of key type [" + keyType
                            + "] are not served by this broker; expected 0 (group) or 1 (transaction)");
        }
        boolean isGroup = keyType == GROUP;
        MetadataImage image = groups.image();
        String topicName = isGroup ? GroupAccess.OFFSETS_TOPIC : TransactionAccess.TRANSACTIONS_TOPIC;
        TopicImage topic = image.topics().topic(topicName);
        if (topic == null) {
            internalTopics.create(topicName);
            return failed(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, null);
        }
        PartitionRegistration partition =
                topic.partition(isGroup ? groups.partitionOf(key) : transactionPartitions.applyAsInt(key));
        Endpoint endpoint = partition == null ? null : leaderEndpoint(image, partition, listener);
        if (partition == null || endpoint == null) {
            return failed(key, ErrorCode.COORDINATOR_NOT_AVAILABLE, null);
        }
        return new Coordinator()
                .setKey(key)
                .setNodeId(partition.leader())
                .setHost(endpoint.host())
                .setPort(endpoint.port());
    }

    private static @Nullable Endpoint leaderEndpoint(
            MetadataImage image, PartitionRegistration partition, String listener) {
        BrokerRegistration leader = image.cluster().broker(partition.leader());
        return leader == null || leader.fenced() ? null : leader.endpoint(listener);
    }

    private static Coordinator failed(String key, ErrorCode error, @Nullable String message) {
        return new Coordinator()
                .setKey(key)
                .setNodeId(NO_NODE)
                .setHost("")
                .setPort(NO_NODE)
                .setErrorCode(error.code())
                .setErrorMessage(message);
    }

    /** Before version 4 there is one coordinator, at the top. */
    private static FindCoordinatorResponse fit(FindCoordinatorResponse response, short version) {
        if (version >= KEYS_VERSION) {
            return response;
        }
        Coordinator only = response.coordinators().get(0);
        return new FindCoordinatorResponse()
                .setNodeId(only.nodeId())
                .setHost(only.host())
                .setPort(only.port())
                .setErrorCode(only.errorCode())
                .setErrorMessage(only.errorMessage());
    }

    @Override
    public FindCoordinatorResponse errorResponse(FindCoordinatorRequest request, short version, ErrorCode error) {
        FindCoordinatorResponse response = new FindCoordinatorResponse();
        keys(request, version).forEach(key -> response.coordinators().add(failed(key, error, null)));
        return fit(response, version);
    }
}
