package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the simulated producers send, and which answers are a reason to look at the metadata and try again. */
final class Writes {
    static final Set<ErrorCode> RETRIABLE = Set.of(
            ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND,
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            ErrorCode.UNKNOWN_TOPIC_ID,
            ErrorCode.REQUEST_TIMED_OUT,
            ErrorCode.KAFKA_STORAGE_ERROR,
            ErrorCode.LEADER_NOT_AVAILABLE,
            ErrorCode.FENCED_LEADER_EPOCH,
            ErrorCode.UNKNOWN_LEADER_EPOCH);

    private Writes() {}

    /** @param producerId -1 for a batch of a producer that is not idempotent */
    static ByteBuf records(
            List<String> values, long writtenAtMs, long producerId, short producerEpoch, int firstSequence) {
        RecordBatchBuilder builder = new RecordBatchBuilder();
        if (producerId >= 0) {
            builder.producer(producerId, producerEpoch, firstSequence);
        }
        for (String value : values) {
            builder.add(writtenAtMs, null, value.getBytes(StandardCharsets.UTF_8));
        }
        return builder.build();
    }

    /** @param name what the topic goes by; null where that is its id */
    static ProduceRequest request(
            Client.Topic topic, @Nullable String name, int partition, short acks, ByteBuf records) {
        ProduceRequest.TopicProduceData data = new ProduceRequest.TopicProduceData()
                .setPartitionData(new ArrayList<>(List.of(new ProduceRequest.PartitionProduceData()
                        .setIndex(partition)
                        .setRecords(new BufferRecords(records)))));
        if (name == null) {
            data.setTopicId(topic.id);
        } else {
            data.setName(name);
        }
        return new ProduceRequest().setAcks(acks).setTimeoutMs(2_000).setTopicData(new ArrayList<>(List.of(data)));
    }
}
