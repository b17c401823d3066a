package io.tidemark.broker.api;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.controller.TopicNames;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeTopicPartitionsRequest;
import io.tidemark.broker.protocol.message.DescribeTopicPartitionsResponse;
import io.tidemark.broker.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponsePartition;
import io.tidemark.broker.protocol.message.DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic;
import io.tidemark.broker.quorum.MetadataSource;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** DescribeTopicPartitions (KIP-966): topics in name order, page by page, with their eligible leaders. */
public final class DescribeTopicPartitionsHandler implements ApiHandler<DescribeTopicPartitionsRequest> {
    private final MetadataSource metadata;
    private final int maxPartitions;

    public DescribeTopicPartitionsHandler(MetadataSource metadata, ConfigValues values) {
        this.metadata = metadata;
        this.maxPartitions = values.intValue(BrokerConfigs.MAX_REQUEST_PARTITION_SIZE_LIMIT);
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_TOPIC_PARTITIONS;
    }

    @Override
    public void handle(RequestContext context, DescribeTopicPartitionsRequest request) {
        ClusterView view = new ClusterView(metadata.image(), context.listenerName());
        DescribeTopicPartitionsRequest.Cursor cursor = request.cursor();
        String firstTopic = cursor == null ? "" : cursor.topicName();
        DescribeTopicPartitionsResponse response = new DescribeTopicPartitionsResponse();
        int left = Math.max(1, Math.min(request.responsePartitionLimit(), maxPartitions));
        for (Map.Entry<String, @Nullable TopicImage> entry :
                wanted(request, view).tailMap(firstTopic).entrySet()) {
            if (left == 0) {
                next(response, entry.getKey(), 0);
                break;
            }
            TopicImage topic = entry.getValue();
            if (topic == null) {
                response.topics().add(unknown(entry.getKey()));
                continue;
            }
            int firstPartition =
                    cursor != null && topic.name().equals(cursor.topicName()) ? cursor.partitionIndex() : 0;
            DescribeTopicPartitionsResponseTopic described = new DescribeTopicPartitionsResponseTopic()
                    .setName(topic.name())
                    .setTopicId(topic.id())
                    .setIsInternal(TopicNames.isInternal(topic.name()))
                    .setTopicAuthorizedOperations(AuthorizedOperations.TOPIC);
            response.topics().add(described);
            for (Map.Entry<Integer, PartitionRegistration> partition :
                    topic.partitions().tailMap(firstPartition).entrySet()) {
                if (left == 0) {
                    next(response, topic.name(), partition.getKey());
                    break;
                }
                described.partitions().add(partition(partition.getKey(), partition.getValue(), view));
                left--;
            }
            if (response.nextCursor() != null) {
                break;
            }
        }
        context.respond(response);
    }

    private static SortedMap<String, @Nullable TopicImage> wanted(
            DescribeTopicPartitionsRequest request, ClusterView view) {
        SortedMap<String, @Nullable TopicImage> wanted = new TreeMap<>();
        if (request.topics().isEmpty()) {
            wanted.putAll(view.image().topics().byName());
        } else {
            request.topics()
                    .forEach(topic ->
                            wanted.put(topic.name(), view.image().topics().topic(topic.name())));
        }
        return wanted;
    }

    private static void next(DescribeTopicPartitionsResponse response, String topic, int partition) {
        response.setNextCursor(
                new DescribeTopicPartitionsResponse.Cursor().setTopicName(topic).setPartitionIndex(partition));
    }

    private static DescribeTopicPartitionsResponseTopic unknown(String name) {
        ErrorCode error = TopicNames.problem(name) == null
                ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                : ErrorCode.INVALID_TOPIC_EXCEPTION;
        return new DescribeTopicPartitionsResponseTopic().setName(name).setErrorCode(error.code());
    }

    private static DescribeTopicPartitionsResponsePartition partition(
            int number, PartitionRegistration partition, ClusterView view) {
        boolean hasLeader = view.leaderEndpoint(partition) != null;
        return new DescribeTopicPartitionsResponsePartition()
                .setPartitionIndex(number)
                .setErrorCode((hasLeader ? ErrorCode.NONE : view.leaderProblem(partition, true)).code())
                .setLeaderId(hasLeader ? partition.leader() : PartitionRegistration.NO_LEADER)
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(partition.replicas())
                .setIsrNodes(partition.isr())
                .setEligibleLeaderReplicas(partition.elr())
                .setLastKnownElr(partition.lastKnownElr())
                .setOfflineReplicas(view.offlineReplicas(partition));
    }

    @Override
    public DescribeTopicPartitionsResponse errorResponse(
            DescribeTopicPartitionsRequest request, short version, ErrorCode error) {
        DescribeTopicPartitionsResponse response = new DescribeTopicPartitionsResponse();
        request.topics().forEach(topic -> response.topics()
                .add(new DescribeTopicPartitionsResponseTopic()
                        .setName(topic.name())
                        .setErrorCode(error.code())));
        return response;
    }
}
