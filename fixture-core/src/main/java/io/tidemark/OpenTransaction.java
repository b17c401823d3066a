package io.tidemark;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.EndTxnRequest;
import io.tidemark.broker.protocol.message.EndTxnResponse;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.types.Uuid;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A transaction that a producer of the fixture's own has opened, and that stays open: readers of committed records get
 * nothing past its first one. The producer lives until {@link #commit()} or {@link #abort()}; one that is never told
 * either has died, and its transaction waits for its timeout, which {@link Cluster#clock()} brings. Safe from any thread.
 *
 * <pre>{@code
 * OpenTransaction open = cluster.transactions().open("billing", cluster.partition("orders", 0), "one", "two");
 * assertThat(cluster.partition("orders", 0)).hasOpenTransaction(open.producerId(), open.firstOffset());
 * open.abort();
 * }</pre>
 */
public final class OpenTransaction {
    private final TransactionWire wire;
    private final String transactionalId;
    private final long producerId;
    private final short producerEpoch;
    private final long firstOffset;

    private OpenTransaction(
            TransactionWire wire, String transactionalId, long producerId, short producerEpoch, long firstOffset) {
        this.wire = wire;
        this.transactionalId = transactionalId;
        this.producerId = producerId;
        this.producerEpoch = producerEpoch;
        this.firstOffset = firstOffset;
    }

    static OpenTransaction begin(
            Cluster cluster, String transactionalId, PartitionHandle partition, Duration timeout, List<String> values) {
        TransactionWire wire = new TransactionWire(cluster);
        InitProducerIdResponse producer = wire.ofCoordinator(
                        transactionalId,
                        new InitProducerIdRequest()
                                .setTransactionalId(transactionalId)
                                .setTransactionTimeoutMs((int) timeout.toMillis()),
                        InitProducerIdResponse.class,
                        response -> ErrorCode.forCode(response.errorCode()),
                        "initialize")
                .response();
        requireNone(producer.errorCode(), "initialize transactional id " + transactionalId);
        String task = "produce to " + partition + " in transactional id " + transactionalId;
        // Sent again where the first could not be taken yet: the sequence number tells it from a second one.
        ProduceResponse appended = wire.ofLeader(
                        partition,
                        () -> produce(
                                cluster,
                                transactionalId,
                                partition,
                                batch(producer.producerId(), producer.producerEpoch(), cluster, values)
                                        .build()),
                        ProduceResponse.class,
                        response -> ErrorCode.forCode(answerOf(response).errorCode()),
                        task)
                .response();
        requireNone(answerOf(appended).errorCode(), task);
        return new OpenTransaction(
                wire,
                transactionalId,
                producer.producerId(),
                producer.producerEpoch(),
                answerOf(appended).baseOffset());
    }

    static RecordBatchBuilder batch(long producerId, short producerEpoch, Cluster cluster, List<String> values) {
        RecordBatchBuilder batch =
                new RecordBatchBuilder().producer(producerId, producerEpoch, 0).transactional();
        long nowMs = cluster.clock().now().toEpochMilli();
        values.forEach(value -> batch.add(nowMs, null, value.getBytes(StandardCharsets.UTF_8)));
        return batch;
    }

    private static ProduceRequest produce(
            Cluster cluster, String transactionalId, PartitionHandle partition, ByteBuf batch) {
        return new ProduceRequest()
                .setTransactionalId(transactionalId)
                .setAcks((short) -1)
                .setTimeoutMs((int) cluster.startTimeout().toMillis())
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setTopicId(topicId(cluster, partition))
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(partition.partition())
                                .setRecords(new BufferRecords(batch))))));
    }

    private static ProduceResponse.PartitionProduceResponse answerOf(ProduceResponse response) {
        return response.responses().get(0).partitionResponses().get(0);
    }

    private static Uuid topicId(Cluster cluster, PartitionHandle partition) {
        MetadataImage metadata = cluster.view().metadata();
        TopicImage topic = metadata == null ? null : metadata.topics().topic(partition.topic());
        if (topic == null) {
            throw new IllegalArgumentException("Topic [" + partition.topic() + "] does not exist");
        }
        return topic.id();
    }

    private static void requireNone(short errorCode, String task) {
        if (errorCode != ErrorCode.NONE.code()) {
            throw new ClusterException("Could not " + task + ": " + ErrorCode.forCode(errorCode));
        }
    }

    public String transactionalId() {
        return transactionalId;
    }

    public long producerId() {
        return producerId;
    }

    public int producerEpoch() {
        return producerEpoch;
    }

    /** The offset of its first record, at which the last stable offset stands still. */
    public long firstOffset() {
        return firstOffset;
    }

    /**
     * Commits. On return that is certain; the markers may still be under way.
     *
     * @throws ClusterException if the producer is fenced, or its transaction has been aborted
     */
    public void commit() {
        end(true);
    }

    /**
     * Aborts. On return that is certain; the markers may still be under way.
     *
     * @throws ClusterException if the producer is fenced, or its transaction has ended already
     */
    public void abort() {
        end(false);
    }

    private void end(boolean commit) {
        String what = commit ? "commit" : "abort";
        EndTxnResponse response = wire.ofCoordinator(
                        transactionalId,
                        new EndTxnRequest()
                                .setTransactionalId(transactionalId)
                                .setProducerId(producerId)
                                .setProducerEpoch(producerEpoch)
                                .setCommitted(commit),
                        EndTxnResponse.class,
                        answer -> ErrorCode.forCode(answer.errorCode()),
                        what)
                .response();
        requireNone(response.errorCode(), what + " transactional id " + transactionalId);
    }

    @Override
    public String toString() {
        return "open transaction of " + transactionalId + " from offset " + firstOffset;
    }
}
