package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddOffsetsToTxnRequest;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse;
import io.tidemark.broker.protocol.message.EndTxnRequest;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestPartition;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest.TxnOffsetCommitRequestTopic;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.types.Uuid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The requests of a transactional producer, in the versions that it speaks.
 *
 * @param transactionalId its id
 * @param isVersionTwo whether partitions add themselves (KIP-890)
 */
record TransactionalRequests(String transactionalId, boolean isVersionTwo) {
    static final int INIT_PRODUCER_ID = 4;
    static final int ADD_PARTITIONS = 3;
    static final int ADD_OFFSETS = 3;
    private static final int NO_GENERATION = -1;

    /** Whom a request is of. */
    record Owner(long producerId, short producerEpoch) {
        static final Owner NOBODY = new Owner(-1, (short) -1);
    }

    /** The records for one partition. */
    record Part(int partition, int firstSequence, List<String> values) {}

    int produceVersion() {
        return isVersionTwo ? 12 : 11;
    }

    int offsetCommitVersion() {
        return isVersionTwo ? 5 : 4;
    }

    int endVersion() {
        return isVersionTwo ? 5 : 4;
    }

    InitProducerIdRequest initialize(int timeoutMs, Owner expected) {
        return new InitProducerIdRequest()
                .setTransactionalId(transactionalId)
                .setTransactionTimeoutMs(timeoutMs)
                .setProducerId(expected.producerId())
                .setProducerEpoch(expected.producerEpoch());
    }

    AddPartitionsToTxnRequest add(Owner owner, String topic, Collection<Integer> partitions) {
        return new AddPartitionsToTxnRequest()
                .setV3AndBelowTransactionalId(transactionalId)
                .setV3AndBelowProducerId(owner.producerId())
                .setV3AndBelowProducerEpoch(owner.producerEpoch())
                .setV3AndBelowTopics(new ArrayList<>(List.of(
                        new AddPartitionsToTxnTopic().setName(topic).setPartitions(new ArrayList<>(partitions)))));
    }

    /** Where some are not tried, those that are at fault count. */
    static ErrorCode errorOfAdd(ApiMessage response) {
        ErrorCode worst = ErrorCode.NONE;
        for (AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult topic :
                ((AddPartitionsToTxnResponse) response).resultsByTopicV3AndBelow()) {
            for (AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult partition : topic.resultsByPartition()) {
                ErrorCode error = ErrorCode.forCode(partition.partitionErrorCode());
                if (error != ErrorCode.NONE && error != ErrorCode.OPERATION_NOT_ATTEMPTED) {
                    worst = error;
                }
            }
        }
        return worst;
    }

    AddOffsetsToTxnRequest addOffsets(Owner owner, String group) {
        return new AddOffsetsToTxnRequest()
                .setTransactionalId(transactionalId)
                .setProducerId(owner.producerId())
                .setProducerEpoch(owner.producerEpoch())
                .setGroupId(group);
    }

    /** @param member an empty one is nobody's in particular */
    TxnOffsetCommitRequest commitOffset(Owner owner, String group, String member, String topic, long offset) {
        TxnOffsetCommitRequestPartition partition = new TxnOffsetCommitRequestPartition()
                .setPartitionIndex(0)
                .setCommittedOffset(offset)
                .setCommittedMetadata("");
        return new TxnOffsetCommitRequest()
                .setTransactionalId(transactionalId)
                .setGroupId(group)
                .setProducerId(owner.producerId())
                .setProducerEpoch(owner.producerEpoch())
                .setGenerationIdOrMemberEpoch(member.isEmpty() ? NO_GENERATION : 1)
                .setMemberId(member)
                .setTopics(new ArrayList<>(List.of(new TxnOffsetCommitRequestTopic()
                        .setName(topic)
                        .setPartitions(new ArrayList<>(List.of(partition))))));
    }

    static ErrorCode errorOfCommit(ApiMessage response) {
        return ErrorCode.forCode(((TxnOffsetCommitResponse) response)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode());
    }

    EndTxnRequest end(Owner owner, boolean isCommit) {
        return new EndTxnRequest()
                .setTransactionalId(transactionalId)
                .setProducerId(owner.producerId())
                .setProducerEpoch(owner.producerEpoch())
                .setCommitted(isCommit);
    }

    ProduceRequest produce(Owner owner, String topic, Uuid topicId, List<Part> parts, long nowMs) {
        ProduceRequest.TopicProduceData data =
                new ProduceRequest.TopicProduceData().setName(topic).setTopicId(topicId);
        for (Part part : parts) {
            data.partitionData()
                    .add(new ProduceRequest.PartitionProduceData()
                            .setIndex(part.partition())
                            .setRecords(new BufferRecords(records(owner, part, nowMs))));
        }
        return new ProduceRequest()
                .setTransactionalId(transactionalId)
                .setAcks((short) -1)
                .setTimeoutMs(2_000)
                .setTopicData(new ArrayList<>(List.of(data)));
    }

    private static ByteBuf records(Owner owner, Part part, long nowMs) {
        RecordBatchBuilder builder = new RecordBatchBuilder()
                .producer(owner.producerId(), owner.producerEpoch(), part.firstSequence())
                .transactional();
        for (String value : part.values()) {
            builder.add(nowMs, null, value.getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }
}
