package io.tidemark.broker.api;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.record.RecordsRejectedException.RecordError;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.LocalAppend;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Produce. Each partition has its own outcome; with acks=all the answer waits until every one is known.
 *
 * <p>Versions 0 to 2 are advertised, since some clients refuse a broker that does not, and are refused.
 */
public final class ProduceHandler implements ApiHandler<ProduceRequest> {
    static final short ACKS_NONE = 0;
    static final short ACKS_LEADER = 1;
    static final short ACKS_ALL = -1;

    private static final short FIRST_VERSION_SERVED = 3;
    private static final short FIRST_VERSION_WITH_TOPIC_IDS = 13;
    private static final short FIRST_VERSION_WITH_ZSTD = 7;

    /** Only coordinators write to these, and the admin client of tools that repair them. */
    private static final Set<String> INTERNAL_TOPICS =
            Set.of("__consumer_offsets", "__transaction_state", "__share_group_state");

    private static final String ADMIN_CLIENT_ID = "__admin_client";

    private final HostedPartitions partitions;

    public ProduceHandler(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.PRODUCE;
    }

    @Override
    public short minVersion() {
        return 0;
    }

    @Override
    public void handle(RequestContext context, ProduceRequest request) {
        if (context.apiVersion() < FIRST_VERSION_SERVED) {
            context.closeConnection();
            return;
        }
        short acks = request.acks();
        if (acks != ACKS_NONE && acks != ACKS_LEADER && acks != ACKS_ALL) {
            context.respond(errorResponse(request, context.apiVersion(), ErrorCode.INVALID_REQUIRED_ACKS));
            return;
        }
        ProduceOperation operation = new ProduceOperation(partitions, context);
        for (ProduceRequest.TopicProduceData topic : request.topicData()) {
            ProduceResponse.TopicProduceResponse answers = operation.addTopic(
                    topic.name(), topic.topicId(), topic.partitionData().size());
            for (ProduceRequest.PartitionProduceData data : topic.partitionData()) {
                ProduceResponse.PartitionProduceResponse answer = ProduceOperation.newAnswer(data.index());
                answers.partitionResponses().add(answer);
                produce(context, request, topic, data, answer, operation);
            }
        }
        if (acks == ACKS_ALL) {
            operation.answerWhenCommitted(request.timeoutMs());
        } else if (acks == ACKS_LEADER) {
            operation.answer();
        } else {
            operation.endUnanswered();
        }
    }

    private void produce(
            RequestContext context,
            ProduceRequest request,
            ProduceRequest.TopicProduceData topic,
            ProduceRequest.PartitionProduceData data,
            ProduceResponse.PartitionProduceResponse answer,
            ProduceOperation operation) {
        boolean usesTopicIds = context.apiVersion() >= FIRST_VERSION_WITH_TOPIC_IDS;
        TopicImage known = usesTopicIds ? partitions.image().topics().topic(topic.topicId()) : null;
        if (usesTopicIds && known == null) {
            answer.setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code());
            return;
        }
        TopicPartition name = new TopicPartition(known == null ? topic.name() : known.name(), data.index());
        PartitionLookup lookup = partitions.find(name);
        HostedPartition partition = lookup.partition();
        if (partition == null) {
            operation.fail(answer, name, lookup.error(), null);
            return;
        }
        if (known != null && !partition.id().topicId().equals(known.id())) {
            operation.fail(answer, name, ErrorCode.UNKNOWN_TOPIC_ID, null);
            return;
        }
        if (INTERNAL_TOPICS.contains(name.topic()) && !ADMIN_CLIENT_ID.equals(context.clientId())) {
            operation.fail(
                    answer, name, ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic " + name.topic() + " is the brokers' own");
            return;
        }
        if (request.transactionalId() != null) {
            operation.fail(answer, name, ErrorCode.INVALID_REQUEST, "Transactions are not served by this broker");
            return;
        }
        append(context, request.acks() == ACKS_ALL, partition, data.records(), answer, operation);
    }

    private static void append(
            RequestContext context,
            boolean acksAll,
            HostedPartition partition,
            @Nullable Records records,
            ProduceResponse.PartitionProduceResponse answer,
            ProduceOperation operation) {
        TopicPartition name = partition.topicPartition();
        try {
            ByteBuf batches = records == null ? null : records.toByteBuf();
            Fault fault = batches == null ? Fault.NO_BATCH : Fault.of(batches, context.apiVersion());
            if (fault != null || batches == null) {
                Fault told = fault == null ? Fault.NO_BATCH : fault;
                operation.fail(answer, name, told.error(), told.message());
                return;
            }
            int leaderEpoch = partition.leaderEpoch();
            LocalAppend outcome = partition.append(batches, -1, AppendOrigin.CLIENT, acksAll);
            if (outcome instanceof LocalAppend.Appended appended) {
                operation.succeed(answer, partition, leaderEpoch, appended);
            } else if (outcome instanceof LocalAppend.Refused refused) {
                operation.fail(answer, name, refused.error(), refused.message());
                answer.setRecordErrors(recordErrors(refused.recordErrors()));
                answer.setLogStartOffset(partition.logStartOffset());
            }
        } catch (IOException e) {
            operation.fail(answer, name, ErrorCode.KAFKA_STORAGE_ERROR, e.getMessage());
        }
    }

    private static List<ProduceResponse.BatchIndexAndErrorMessage> recordErrors(List<RecordError> errors) {
        List<ProduceResponse.BatchIndexAndErrorMessage> told = new ArrayList<>();
        for (RecordError error : errors) {
            told.add(new ProduceResponse.BatchIndexAndErrorMessage()
                    .setBatchIndex(error.batchIndex())
                    .setBatchIndexErrorMessage(error.message()));
        }
        return told;
    }

    @Override
    public ProduceResponse errorResponse(ProduceRequest request, short version, ErrorCode error) {
        ProduceResponse response = new ProduceResponse();
        for (ProduceRequest.TopicProduceData topic : request.topicData()) {
            ProduceResponse.TopicProduceResponse answers = new ProduceResponse.TopicProduceResponse()
                    .setName(topic.name())
                    .setTopicId(topic.topicId());
            for (ProduceRequest.PartitionProduceData data : topic.partitionData()) {
                answers.partitionResponses()
                        .add(ProduceOperation.newAnswer(data.index()).setErrorCode(error.code()));
            }
            response.responses().add(answers);
        }
        return response;
    }

    /**
     * What is wrong with the records of a partition before any log has looked at them.
     *
     * @param error the error
     * @param message for the client
     */
    private record Fault(ErrorCode error, String message) {
        private static final Fault NO_BATCH = new Fault(
                ErrorCode.INVALID_RECORD, "There is no record batch; expected exactly one for each partition");

        private static @Nullable Fault of(ByteBuf batches, short version) {
            int count = 0;
            try {
                for (RecordBatch batch : RecordBatches.of(batches)) {
                    count++;
                    if (batch.isTransactional()) {
                        return new Fault(
                                ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                                "The batch is transactional and the request has no transactional id");
                    }
                    if (batch.compressionType() == CompressionType.ZSTD && version < FIRST_VERSION_WITH_ZSTD) {
                        return new Fault(
                                ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                                "Produce version " + version + " may not carry zstd; use version "
                                        + FIRST_VERSION_WITH_ZSTD + " or later");
                    }
                }
            } catch (CorruptBatchException e) {
                return new Fault(ErrorCode.CORRUPT_MESSAGE, String.valueOf(e.getMessage()));
            }
            if (count == 0) {
                return NO_BATCH;
            }
            return count == 1
                    ? null
                    : new Fault(
                            ErrorCode.INVALID_RECORD,
                            "There are " + count + " record batches; expected exactly one for each partition");
        }
    }
}
