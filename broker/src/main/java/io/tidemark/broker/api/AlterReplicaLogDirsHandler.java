package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterReplicaLogDirsRequest;
import io.tidemark.broker.protocol.message.AlterReplicaLogDirsResponse;
import io.tidemark.broker.protocol.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirPartitionResult;
import io.tidemark.broker.protocol.message.AlterReplicaLogDirsResponse.AlterReplicaLogDirTopicResult;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** AlterReplicaLogDirs (KIP-113): has replicas of this broker move to another of its log directories. */
public final class AlterReplicaLogDirsHandler implements ApiHandler<AlterReplicaLogDirsRequest> {
    private final HostedPartitions partitions;

    public AlterReplicaLogDirsHandler(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.ALTER_REPLICA_LOG_DIRS;
    }

    @Override
    public void handle(RequestContext context, AlterReplicaLogDirsRequest request) {
        context.respond(answer(request, path -> partition -> partitions.move(partition, path)));
    }

    private static AlterReplicaLogDirsResponse answer(
            AlterReplicaLogDirsRequest request, Function<String, Function<TopicPartition, ErrorCode>> outcome) {
        Map<String, AlterReplicaLogDirTopicResult> topics = new TreeMap<>();
        for (AlterReplicaLogDirsRequest.AlterReplicaLogDir directory : request.dirs()) {
            for (AlterReplicaLogDirsRequest.AlterReplicaLogDirTopic topic : directory.topics()) {
                AlterReplicaLogDirTopicResult result = topics.computeIfAbsent(
                        topic.name(), name -> new AlterReplicaLogDirTopicResult().setTopicName(name));
                for (int partition : topic.partitions()) {
                    ErrorCode error =
                            outcome.apply(directory.path()).apply(new TopicPartition(topic.name(), partition));
                    result.partitions()
                            .add(new AlterReplicaLogDirPartitionResult()
                                    .setPartitionIndex(partition)
                                    .setErrorCode(error.code()));
                }
            }
        }
        AlterReplicaLogDirsResponse response = new AlterReplicaLogDirsResponse();
        response.results().addAll(topics.values());
        return response;
    }

    @Override
    public AlterReplicaLogDirsResponse errorResponse(
            AlterReplicaLogDirsRequest request, short version, ErrorCode error) {
        return answer(request, path -> partition -> error);
    }
}
