package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.TransactionalWriter;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponsePartition;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse.TxnOffsetCommitResponseTopic;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.verification.TransactionSupport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * TxnOffsetCommit: how far a group has come, if the producer's transaction is committed. The group's partition of
 * {@code __consumer_offsets} is a part of the transaction like any other, so its coordinator is asked first (KIP-890).
 */
public final class TxnOffsetCommitHandler implements ApiHandler<TxnOffsetCommitRequest> {
    /** From this version on topics are named by their ids (KIP-1319). */
    private static final short TOPIC_ID_VERSION = 6;

    private final GroupAccess groups;
    private final HostedPartitions partitions;
    private final TransactionVerification verification;

    public TxnOffsetCommitHandler(
            GroupAccess groups, HostedPartitions partitions, TransactionVerification verification) {
        this.groups = groups;
        this.partitions = partitions;
        this.verification = verification;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.TXN_OFFSET_COMMIT;
    }

    @Override
    public void handle(RequestContext context, TxnOffsetCommitRequest request) {
        short version = context.apiVersion();
        TxnOffsetCommitRequest known = known(request, version);
        if (known.topics().isEmpty()) {
            context.respond(merge(request, version, new TxnOffsetCommitResponse()));
            return;
        }
        if (request.groupId().isEmpty()) {
            context.respond(merge(request, version, answer(known, ErrorCode.INVALID_GROUP_ID)));
            return;
        }
        int offsetsPartition = groups.partitionOf(request.groupId());
        TopicPartition name = new TopicPartition(GroupAccess.OFFSETS_TOPIC, offsetsPartition);
        HostedPartition hosted = partitions.partition(name);
        if (hosted == null || !hosted.isLeader()) {
            context.respond(merge(request, version, answer(known, ErrorCode.NOT_COORDINATOR)));
            return;
        }
        verification.verify(
                request.transactionalId(),
                TransactionSupport.ofTxnOffsetCommit(version),
                List.of(new TransactionVerification.Part(
                        hosted, request.producerId(), request.producerEpoch(), RecordBatch.NO_SEQUENCE)),
                leaves -> commit(
                        context, request, known, offsetsPartition, leaves.getOrDefault(name, WriteLeave.UNASKED)));
    }

    private void commit(
            RequestContext context,
            TxnOffsetCommitRequest request,
            TxnOffsetCommitRequest known,
            int offsetsPartition,
            WriteLeave leave) {
        short version = context.apiVersion();
        if (leave.error() != ErrorCode.NONE) {
            context.respond(merge(request, version, answer(known, leave.errorForOffsets())));
            return;
        }
        groups.runtime()
                .writeInTransaction(
                        offsetsPartition,
                        groups.commitTimeoutMs(),
                        new TransactionalWriter(request.producerId(), request.producerEpoch(), leave.guard()),
                        (shard, nowMs) -> shard.commitOffsetsInTransaction(known, version, nowMs),
                        new Respond<TxnOffsetCommitResponse>(
                                outcome -> context.respond(merge(request, version, outcome)),
                                error -> context.respond(merge(request, version, answer(known, error)))));
    }

    private CommitTopics topics(short version) {
        return new CommitTopics(groups.image(), version >= TOPIC_ID_VERSION);
    }

    /** The request with the topics and partitions that there are, each with its name and its id. */
    private TxnOffsetCommitRequest known(TxnOffsetCommitRequest request, short version) {
        TxnOffsetCommitRequest known = new TxnOffsetCommitRequest()
                .setGroupId(request.groupId())
                .setGenerationIdOrMemberEpoch(request.generationIdOrMemberEpoch())
                .setMemberId(request.memberId())
                .setGroupInstanceId(request.groupInstanceId());
        for (TxnOffsetCommitRequestTopic topic : request.topics()) {
            TopicImage image = topics(version).find(topic.name(), topic.topicId());
            if (image == null) {
                continue;
            }
            TxnOffsetCommitRequestTopic kept =
                    new TxnOffsetCommitRequestTopic().setName(image.name()).setTopicId(image.id());
            for (TxnOffsetCommitRequestPartition partition : topic.partitions()) {
                if (image.partition(partition.partitionIndex()) != null) {
                    kept.partitions().add(partition);
                }
            }
            if (!kept.partitions().isEmpty()) {
                known.topics().add(kept);
            }
        }
        return known;
    }

    /** Every partition of the request in its order: as the coordinator decided, or as a partition that is not there. */
    private TxnOffsetCommitResponse merge(
            TxnOffsetCommitRequest request, short version, TxnOffsetCommitResponse outcome) {
        Map<TopicPartition, Short> errors = new HashMap<>();
        for (TxnOffsetCommitResponseTopic topic : outcome.topics()) {
            topic.partitions()
                    .forEach(partition -> errors.put(
                            new TopicPartition(topic.name(), partition.partitionIndex()), partition.errorCode()));
        }
        CommitTopics topics = topics(version);
        return answer(request, (topic, partition) -> topics.error(topic.name(), topic.topicId(), partition, errors));
    }

    private static TxnOffsetCommitResponse answer(TxnOffsetCommitRequest request, ErrorCode error) {
        return answer(request, (topic, partition) -> error.code());
    }

    private static TxnOffsetCommitResponse answer(
            TxnOffsetCommitRequest request, BiFunction<TxnOffsetCommitRequestTopic, Integer, Short> errorOf) {
        TxnOffsetCommitResponse response = new TxnOffsetCommitResponse();
        for (TxnOffsetCommitRequestTopic topic : request.topics()) {
            TxnOffsetCommitResponseTopic answers =
                    new TxnOffsetCommitResponseTopic().setName(topic.name()).setTopicId(topic.topicId());
            for (TxnOffsetCommitRequestPartition partition : topic.partitions()) {
                answers.partitions()
                        .add(new TxnOffsetCommitResponsePartition()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(errorOf.apply(topic, partition.partitionIndex())));
            }
            response.topics().add(answers);
        }
        return response;
    }

    @Override
    public TxnOffsetCommitResponse errorResponse(TxnOffsetCommitRequest request, short version, ErrorCode error) {
        return answer(request, error);
    }
}
