package io.tidemark.broker.api;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.AppendTerms;
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
import io.tidemark.broker.verification.TransactionSupport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Produce. Each partition has its own outcome; with acks=all the answer waits until every one is known.
 *
 * <p>Versions 0 to 2 are advertised, since some clients refuse a broker that does not, and are refused.
 */
public final class ProduceHandler implements ApiHandler<ProduceRequest> {
    private static final NodeLog LOG = NodeLog.of(ProduceHandler.class);

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
    private final TransactionVerification verification;

    public ProduceHandler(HostedPartitions partitions, TransactionVerification verification) {
        this.partitions = partitions;
        this.verification = verification;
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
        String transactionalId = request.transactionalId();
        if (transactionalId == null) {
            produce(context, request, Map.of());
            return;
        }
        List<ByteBuf> kept = new ArrayList<>();
        List<TransactionVerification.Part> parts = transactionalParts(context, request, kept);
        TransactionSupport support = TransactionSupport.ofProduce(context.apiVersion());
        verification.verify(transactionalId, support, parts, leaves -> {
            try {
                produce(context, request, leaves);
            } finally {
                kept.forEach(ByteBuf::release);
            }
        });
    }

    /**
     * The transactional batches for partitions that are led here; what is wrong with others shows later.
     *
     * @param kept takes all records, retained: the frame that they lie in is otherwise gone when the leave comes
     */
    private List<TransactionVerification.Part> transactionalParts(
            RequestContext context, ProduceRequest request, List<ByteBuf> kept) {
        List<TransactionVerification.Part> parts = new ArrayList<>();
        for (ProduceRequest.TopicProduceData topic : request.topicData()) {
            for (ProduceRequest.PartitionProduceData data : topic.partitionData()) {
                Target target = target(context, topic, data.index());
                Records records = data.records();
                if (records == null) {
                    continue;
                }
                try {
                    ByteBuf batches = records.toByteBuf().retain();
                    kept.add(batches);
                    if (target.partition == null || !target.partition.isLeader()) {
                        continue;
                    }
                    if (Fault.of(batches, context.apiVersion(), true) == null) {
                        RecordBatch batch = RecordBatches.of(batches).iterator().next();
                        if (batch.isTransactional() && batch.hasProducerId()) {
                            parts.add(new TransactionVerification.Part(
                                    target.partition, batch.producerId(), batch.producerEpoch(), batch.baseSequence()));
                        }
                    }
                } catch (IOException e) {
                    LOG.debug("Records for {} could not be read", target.name, e);
                }
            }
        }
        return parts;
    }

    private void produce(RequestContext context, ProduceRequest request, Map<TopicPartition, WriteLeave> leaves) {
        short acks = request.acks();
        ProduceOperation operation = new ProduceOperation(partitions, context);
        for (ProduceRequest.TopicProduceData topic : request.topicData()) {
            ProduceResponse.TopicProduceResponse answers = operation.addTopic(
                    topic.name(), topic.topicId(), topic.partitionData().size());
            for (ProduceRequest.PartitionProduceData data : topic.partitionData()) {
                ProduceResponse.PartitionProduceResponse answer = ProduceOperation.newAnswer(data.index());
                answers.partitionResponses().add(answer);
                produce(context, request, topic, data, answer, operation, leaves);
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
            ProduceOperation operation,
            Map<TopicPartition, WriteLeave> leaves) {
        Target target = target(context, topic, data.index());
        TopicPartition name = target.name;
        HostedPartition partition = target.partition;
        if (name == null) {
            answer.setErrorCode(target.error.code());
            return;
        }
        if (partition == null) {
            operation.fail(answer, name, target.error, null);
            return;
        }
        if (INTERNAL_TOPICS.contains(name.topic()) && !ADMIN_CLIENT_ID.equals(context.clientId())) {
            operation.fail(
                    answer, name, ErrorCode.INVALID_TOPIC_EXCEPTION, "Topic " + name.topic() + " is the brokers' own");
            return;
        }
        WriteLeave leave = leaves.getOrDefault(name, WriteLeave.UNASKED).forProduce();
        if (leave.error() != ErrorCode.NONE) {
            operation.fail(answer, name, leave.error(), leave.message());
            return;
        }
        append(context, request, partition, leave, data.records(), answer, operation);
    }

    /** The replica that records are for. */
    private Target target(RequestContext context, ProduceRequest.TopicProduceData topic, int index) {
        boolean usesTopicIds = context.apiVersion() >= FIRST_VERSION_WITH_TOPIC_IDS;
        TopicImage known = usesTopicIds ? partitions.image().topics().topic(topic.topicId()) : null;
        if (usesTopicIds && known == null) {
            return new Target(null, null, ErrorCode.UNKNOWN_TOPIC_ID);
        }
        TopicPartition name = new TopicPartition(known == null ? topic.name() : known.name(), index);
        PartitionLookup lookup = partitions.find(name);
        HostedPartition partition = lookup.partition();
        boolean isOfOtherTopic =
                known != null && partition != null && !partition.id().topicId().equals(known.id());
        return isOfOtherTopic
                ? new Target(name, null, ErrorCode.UNKNOWN_TOPIC_ID)
                : new Target(name, partition, lookup.error());
    }

    /** Null for what there is not; then the error says why. */
    private record Target(
            @Nullable TopicPartition name, @Nullable HostedPartition partition, ErrorCode error) {}

    private static void append(
            RequestContext context,
            ProduceRequest request,
            HostedPartition partition,
            WriteLeave leave,
            @Nullable Records records,
            ProduceResponse.PartitionProduceResponse answer,
            ProduceOperation operation) {
        TopicPartition name = partition.topicPartition();
        try {
            ByteBuf batches = records == null ? null : records.toByteBuf();
            Fault fault = batches == null
                    ? Fault.NO_BATCH
                    : Fault.of(batches, context.apiVersion(), request.transactionalId() != null);
            if (fault != null || batches == null) {
                Fault told = fault == null ? Fault.NO_BATCH : fault;
                operation.fail(answer, name, told.error(), told.message());
                return;
            }
            int leaderEpoch = partition.leaderEpoch();
            AppendTerms terms = AppendTerms.guarded(AppendOrigin.CLIENT, leave.guard());
            LocalAppend outcome = partition.append(batches, -1, terms, request.acks() == ACKS_ALL);
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

        private static @Nullable Fault of(ByteBuf batches, short version, boolean hasTransactionalId) {
            int count = 0;
            try {
                for (RecordBatch batch : RecordBatches.of(batches)) {
                    count++;
                    if (batch.isTransactional() && !hasTransactionalId) {
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
