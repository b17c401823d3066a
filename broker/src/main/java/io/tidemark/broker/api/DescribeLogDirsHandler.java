package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeLogDirsRequest;
import io.tidemark.broker.protocol.message.DescribeLogDirsRequest.DescribableLogDirTopic;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse.DescribeLogDirsTopic;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** DescribeLogDirs: which replicas are in which folder, and how large they are. What the volumes hold is not told. */
public final class DescribeLogDirsHandler implements ApiHandler<DescribeLogDirsRequest> {
    private final HostedPartitions partitions;
    private final List<Path> directories;

    /**
     * @param directories the log directories
     */
    public DescribeLogDirsHandler(HostedPartitions partitions, List<Path> directories) {
        this.partitions = partitions;
        this.directories = List.copyOf(directories);
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_LOG_DIRS;
    }

    @Override
    public void handle(RequestContext context, DescribeLogDirsRequest request) {
        DescribeLogDirsResponse response = new DescribeLogDirsResponse();
        for (Path directory : directories) {
            DescribeLogDirsResult result = new DescribeLogDirsResult()
                    .setLogDir(directory.toAbsolutePath().toString());
            SortedMap<String, DescribeLogDirsTopic> topics = new TreeMap<>();
            for (HostedPartition partition : partitions.partitions()) {
                TopicPartition name = partition.topicPartition();
                if (directory.equals(partition.log().directory().getParent()) && isAsked(request.topics(), name)) {
                    topics.computeIfAbsent(name.topic(), topic -> new DescribeLogDirsTopic().setName(topic))
                            .partitions()
                            .add(new DescribeLogDirsPartition()
                                    .setPartitionIndex(name.partition())
                                    .setPartitionSize(partition.log().sizeInBytes())
                                    .setOffsetLag(Math.max(0, partition.highWatermark() - partition.logEndOffset())));
                }
            }
            result.topics().addAll(topics.values());
            response.results().add(result);
        }
        context.respond(response);
    }

    /** No list asks for all topics. */
    private static boolean isAsked(@Nullable List<DescribableLogDirTopic> asked, TopicPartition name) {
        return asked == null
                || asked.stream()
                        .anyMatch(topic -> Objects.equals(topic.topic(), name.topic())
                                && topic.partitions().contains(name.partition()));
    }

    @Override
    public ApiMessage errorResponse(DescribeLogDirsRequest request, short version, ErrorCode error) {
        return new DescribeLogDirsResponse().setErrorCode(error.code());
    }
}
