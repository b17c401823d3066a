package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.types.Uuid;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Asks one broker about partition 0 of one topic, in the newest version of each request and with no client in between
 * that would look for another broker or ask again.
 */
final class WireQuestions {
    static final long LATEST = -1;
    static final long EARLIEST = -2;
    private static final long TIMEOUT_MS = 20_000;

    private final Cluster cluster;
    private final String topic;

    WireQuestions(Cluster cluster, String topic) {
        this.cluster = cluster;
        this.topic = topic;
    }

    ListOffsetsResponse.ListOffsetsPartitionResponse listOffsets(int brokerId, long timestamp) {
        ListOffsetsRequest request = new ListOffsetsRequest()
                .setReplicaId(-1)
                .setTopics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                        .setName(topic)
                        .setPartitions(
                                List.of(new ListOffsetsRequest.ListOffsetsPartition().setTimestamp(timestamp)))));
        ListOffsetsResponse response = call(brokerId, request, ListOffsetsResponse.class);
        return response.topics().get(0).partitions().get(0);
    }

    /** @param rackId the consumer's rack, empty for none */
    FetchResponse.PartitionData fetch(int brokerId, long offset, String rackId) {
        FetchRequest request = new FetchRequest()
                .setMaxBytes(1_000_000)
                .setMinBytes(0)
                .setSessionEpoch(-1)
                .setRackId(rackId)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopicId(topicId())
                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1_000_000)))));
        FetchResponse response = call(brokerId, request, FetchResponse.class);
        return response.responses().get(0).partitions().get(0);
    }

    /** One record with acks=all, as an idempotent producer sends it. */
    ProduceResponse.PartitionProduceResponse produce(int brokerId, long producerId, int sequence) {
        ByteBuf batch = new RecordBatchBuilder()
                .producer(producerId, (short) 0, sequence)
                .add(System.currentTimeMillis(), null, ("value-" + sequence).getBytes(StandardCharsets.UTF_8))
                .build();
        ProduceRequest request = new ProduceRequest()
                .setAcks((short) -1)
                .setTimeoutMs(10_000)
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setTopicId(topicId())
                        .setPartitionData(List.of(
                                new ProduceRequest.PartitionProduceData().setRecords(new BufferRecords(batch))))));
        ProduceResponse response = call(brokerId, request, ProduceResponse.class);
        return response.responses().get(0).partitionResponses().get(0);
    }

    private Uuid topicId() {
        return cluster.view().snapshots().values().stream()
                .filter(snapshot -> snapshot.partition(topic, 0) != null)
                .map(snapshot -> snapshot.partition(topic, 0).topicId())
                .findFirst()
                .orElseThrow();
    }

    private <R> R call(int brokerId, ApiMessage request, Class<R> type) {
        return type.cast(
                Outcome.await(cluster.broker(brokerId).current().call(request), TIMEOUT_MS, "ask broker " + brokerId));
    }
}
