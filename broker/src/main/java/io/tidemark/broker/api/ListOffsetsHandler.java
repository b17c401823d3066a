package io.tidemark.broker.api;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.log.TimestampedOffset;
import io.tidemark.broker.partition.EpochFence;
import io.tidemark.broker.partition.LeaderPartition;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * ListOffsets: the first, the last or a timestamp's offset of a partition.
 *
 * <p>How far a reader sees depends on who it is: a consumer to the high watermark, or to the last stable offset where it
 * reads committed records only; a replica to the log end. After an election, what lies at that end is not told until
 * the watermark has passed the epoch's start, lest it go back (KIP-207).
 */
public final class ListOffsetsHandler implements ApiHandler<ListOffsetsRequest> {
    private static final NodeLog LOG = NodeLog.of(ListOffsetsHandler.class);

    private static final long LATEST = -1;
    private static final long EARLIEST = -2;
    private static final long MAX_TIMESTAMP = -3;
    private static final long EARLIEST_LOCAL = -4;
    private static final long LATEST_TIERED = -5;
    private static final long EARLIEST_PENDING_UPLOAD = -6;

    private static final int CONSUMER_REPLICA_ID = -1;
    private static final int DEBUGGING_REPLICA_ID = -2;
    private static final byte READ_COMMITTED = 1;
    private static final short FIRST_VERSION_WITH_LEADER_EPOCH = 4;
    private static final short FIRST_VERSION_WITH_OFFSET_NOT_AVAILABLE = 5;

    private final HostedPartitions partitions;

    public ListOffsetsHandler(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.LIST_OFFSETS;
    }

    @Override
    public void handle(RequestContext context, ListOffsetsRequest request) {
        ListOffsetsResponse response = new ListOffsetsResponse();
        Set<TopicPartition> twice = askedTwice(request);
        for (ListOffsetsRequest.ListOffsetsTopic topic : request.topics()) {
            ListOffsetsResponse.ListOffsetsTopicResponse answers =
                    new ListOffsetsResponse.ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsRequest.ListOffsetsPartition asked : topic.partitions()) {
                TopicPartition name = new TopicPartition(topic.name(), asked.partitionIndex());
                Outcome outcome = twice.contains(name)
                        ? Outcome.failed(ErrorCode.INVALID_REQUEST)
                        : outcome(request, name, asked, context.apiVersion());
                answers.partitions().add(outcome.toAnswer(asked.partitionIndex(), context.apiVersion()));
            }
            response.topics().add(answers);
        }
        context.respond(response);
    }

    private static Set<TopicPartition> askedTwice(ListOffsetsRequest request) {
        Set<TopicPartition> once = new HashSet<>();
        Set<TopicPartition> twice = new HashSet<>();
        for (ListOffsetsRequest.ListOffsetsTopic topic : request.topics()) {
            for (ListOffsetsRequest.ListOffsetsPartition asked : topic.partitions()) {
                TopicPartition name = new TopicPartition(topic.name(), asked.partitionIndex());
                if (!once.add(name)) {
                    twice.add(name);
                }
            }
        }
        return twice;
    }

    private Outcome outcome(
            ListOffsetsRequest request,
            TopicPartition name,
            ListOffsetsRequest.ListOffsetsPartition asked,
            short version) {
        if (!isServed(asked.timestamp(), version)) {
            return Outcome.failed(ErrorCode.UNSUPPORTED_VERSION);
        }
        PartitionLookup lookup = partitions.find(name);
        HostedPartition partition = lookup.partition();
        if (partition == null) {
            return Outcome.failed(lookup.error());
        }
        ErrorCode error = request.replicaId() == DEBUGGING_REPLICA_ID
                ? EpochFence.check(asked.currentLeaderEpoch(), partition.leaderEpoch())
                : partition.checkLeader(asked.currentLeaderEpoch());
        if (error != ErrorCode.NONE) {
            return Outcome.failed(error);
        }
        ErrorCode notYet = version >= FIRST_VERSION_WITH_OFFSET_NOT_AVAILABLE
                ? ErrorCode.OFFSET_NOT_AVAILABLE
                : ErrorCode.LEADER_NOT_AVAILABLE;
        try {
            return lookUp(partition, asked.timestamp(), endOf(partition, request), notYet);
        } catch (CorruptBatchException e) {
            LOG.error(
                    "Cannot look up timestamp {} in {}, which is damaged: {}", asked.timestamp(), name, e.getMessage());
            return Outcome.failed(ErrorCode.CORRUPT_MESSAGE);
        } catch (IOException e) {
            LOG.error("Cannot look up timestamp {} in {}: {}", asked.timestamp(), name, e.getMessage());
            return Outcome.failed(ErrorCode.UNKNOWN_SERVER_ERROR);
        }
    }

    private static boolean isServed(long timestamp, short version) {
        if (timestamp >= EARLIEST) {
            return true;
        }
        if (timestamp == MAX_TIMESTAMP) {
            return version >= 7;
        }
        if (timestamp == EARLIEST_LOCAL) {
            return version >= 8;
        }
        if (timestamp == LATEST_TIERED) {
            return version >= 9;
        }
        return timestamp == EARLIEST_PENDING_UPLOAD && version >= 11;
    }

    private static long endOf(HostedPartition partition, ListOffsetsRequest request) {
        if (request.replicaId() != CONSUMER_REPLICA_ID) {
            return partition.logEndOffset();
        }
        return request.isolationLevel() == READ_COMMITTED ? partition.lastStableOffset() : partition.highWatermark();
    }

    private static Outcome lookUp(HostedPartition partition, long timestamp, long endOffset, ErrorCode notYet)
            throws IOException {
        PartitionLog log = partition.log();
        LeaderPartition leader = partition.leader();
        boolean isEndKnown = leader == null || leader.isLatestOffsetAvailable();
        if (timestamp == LATEST) {
            return isEndKnown ? Outcome.found(-1, endOffset, partition.leaderEpoch()) : Outcome.failed(notYet);
        }
        if (timestamp == EARLIEST || timestamp == EARLIEST_LOCAL) {
            OptionalInt epoch = log.epochForOffset(log.logStartOffset());
            return Outcome.found(-1, log.logStartOffset(), epoch.orElse(-1));
        }
        if (timestamp == LATEST_TIERED || timestamp == EARLIEST_PENDING_UPLOAD) {
            // There is no tiered storage: nothing was uploaded, and nothing is going to be.
            return Outcome.NOTHING;
        }
        TimestampedOffset found =
                timestamp == MAX_TIMESTAMP ? log.maxTimestampOffset() : log.offsetForTimestamp(timestamp);
        if (found != null && found.offset() < endOffset) {
            return Outcome.found(found.timestamp(), found.offset(), found.leaderEpoch());
        }
        return isEndKnown ? Outcome.NOTHING : Outcome.failed(notYet);
    }

    @Override
    public ListOffsetsResponse errorResponse(ListOffsetsRequest request, short version, ErrorCode error) {
        ListOffsetsResponse response = new ListOffsetsResponse();
        for (ListOffsetsRequest.ListOffsetsTopic topic : request.topics()) {
            ListOffsetsResponse.ListOffsetsTopicResponse answers =
                    new ListOffsetsResponse.ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsRequest.ListOffsetsPartition asked : topic.partitions()) {
                answers.partitions().add(Outcome.failed(error).toAnswer(asked.partitionIndex(), version));
            }
            response.topics().add(answers);
        }
        return response;
    }

    private record Outcome(ErrorCode error, long timestamp, long offset, int leaderEpoch) {
        private static final Outcome NOTHING = new Outcome(ErrorCode.NONE, -1, -1, -1);

        private static Outcome failed(ErrorCode error) {
            return new Outcome(error, -1, -1, -1);
        }

        private static Outcome found(long timestamp, long offset, int leaderEpoch) {
            return new Outcome(ErrorCode.NONE, timestamp, offset, leaderEpoch);
        }

        private ListOffsetsResponse.ListOffsetsPartitionResponse toAnswer(int partition, short version) {
            return new ListOffsetsResponse.ListOffsetsPartitionResponse()
                    .setPartitionIndex(partition)
                    .setErrorCode(error.code())
                    .setTimestamp(timestamp)
                    .setOffset(offset)
                    .setLeaderEpoch(version >= FIRST_VERSION_WITH_LEADER_EPOCH ? leaderEpoch : -1);
        }
    }
}
