package io.tidemark.broker.api;

import io.tidemark.broker.disk.DiskSpace;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeLogDirsRequest;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse.DescribeLogDirsPartition;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse.DescribeLogDirsResult;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse.DescribeLogDirsTopic;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * DescribeLogDirs (KIP-113, KIP-827): what lies in each log directory of this broker, and how much room there is. A
 * directory that is offline is named with KAFKA_STORAGE_ERROR and nothing in it.
 */
public final class DescribeLogDirsHandler implements ApiHandler<DescribeLogDirsRequest> {
    /** In place of a lag that cannot be told. */
    private static final long INVALID_OFFSET_LAG = -1;

    private final HostedPartitions partitions;
    private final List<LogDirectory> directories;

    /**
     * @param directories the log directories, in the order of the configuration
     */
    public DescribeLogDirsHandler(HostedPartitions partitions, List<LogDirectory> directories) {
        this.partitions = partitions;
        this.directories = List.copyOf(directories);
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_LOG_DIRS;
    }

    @Override
    public void handle(RequestContext context, DescribeLogDirsRequest request) {
        Set<TopicPartition> asked = asked(request);
        DescribeLogDirsResponse response = new DescribeLogDirsResponse();
        for (LogDirectory directory : directories) {
            response.results().add(describe(directory, asked));
        }
        context.respond(response);
    }

    /** Null for all. */
    private static @Nullable Set<TopicPartition> asked(DescribeLogDirsRequest request) {
        List<DescribeLogDirsRequest.DescribableLogDirTopic> topics = request.topics();
        if (topics == null) {
            return null;
        }
        Set<TopicPartition> asked = new HashSet<>();
        topics.forEach(topic ->
                topic.partitions().forEach(partition -> asked.add(new TopicPartition(topic.topic(), partition))));
        return asked;
    }

    private DescribeLogDirsResult describe(LogDirectory directory, @Nullable Set<TopicPartition> asked) {
        DescribeLogDirsResult result = new DescribeLogDirsResult()
                .setLogDir(directory.path().toAbsolutePath().toString());
        if (!directory.health().isOnline()) {
            return result.setErrorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
        }
        DiskSpace space;
        try {
            space = directory.space();
        } catch (IOException e) {
            directory.health().fail("take its size", e);
            return result.setErrorCode(ErrorCode.KAFKA_STORAGE_ERROR.code());
        }
        Map<String, DescribeLogDirsTopic> topics = new TreeMap<>();
        for (PartitionLog log : directory.partitions().values()) {
            TopicPartition name = log.topicPartition();
            if (!name.equals(LogDirectory.METADATA_PARTITION) && (asked == null || asked.contains(name))) {
                topics.computeIfAbsent(name.topic(), topic -> new DescribeLogDirsTopic().setName(topic))
                        .partitions()
                        .add(new DescribeLogDirsPartition()
                                .setPartitionIndex(name.partition())
                                .setPartitionSize(log.sizeInBytes())
                                .setOffsetLag(lag(log)));
            }
        }
        for (PartitionLog copy : directory.futures().values()) {
            TopicPartition name = copy.topicPartition();
            HostedPartition partition = partitions.partition(name);
            if (partition != null && (asked == null || asked.contains(name))) {
                topics.computeIfAbsent(name.topic(), topic -> new DescribeLogDirsTopic().setName(topic))
                        .partitions()
                        .add(new DescribeLogDirsPartition()
                                .setPartitionIndex(name.partition())
                                .setPartitionSize(copy.sizeInBytes())
                                .setOffsetLag(Math.max(0, partition.logEndOffset() - copy.logEndOffset()))
                                .setIsFutureKey(true));
            }
        }
        result.topics().addAll(topics.values());
        return result.setTotalBytes(space.totalBytes()).setUsableBytes(space.usableBytes());
    }

    /** How far the log's end is behind the high watermark: 0 but for a follower that has lost its tail. */
    private long lag(PartitionLog log) {
        HostedPartition partition = partitions.partition(log.topicPartition());
        return partition == null || partition.log() != log
                ? INVALID_OFFSET_LAG
                : Math.max(0, partition.highWatermark() - log.logEndOffset());
    }

    @Override
    public DescribeLogDirsResponse errorResponse(DescribeLogDirsRequest request, short version, ErrorCode error) {
        return new DescribeLogDirsResponse().setErrorCode(error.code());
    }
}
