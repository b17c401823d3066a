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
        InitProducerIdResponse producer = wire.untilServed(
                transactionalId,
                new InitProducerIdRequest().setTransactionalId(transactionalId).setTransactionTimeoutMs((int)
                        timeout.toMillis()),
                InitProducerIdResponse.class,
                response -> ErrorCode.forCode(response.errorCode()),
                "initialize");
        requireNone(producer.errorCode(), "initialize transactional id " + transactionalId);
        RecordBatchBuilder batch = batch(producer.producerId(), producer.producerEpoch(), cluster, values);
        ProduceResponse.PartitionProduceResponse appended =
                produce(cluster, wire, transactionalId, partition, batch.build());
        requireNone(appended.errorCode(), "produce to " + partition + " in transactional id " + transactionalId);
        return new OpenTransaction(
                wire, transactionalId, producer.producerId(), producer.producerEpoch(), appended.baseOffset());
    }

    static RecordBatchBuilder batch(long producerId, short producerEpoch, Cluster cluster, List<String> values) {
        RecordBatchBuilder batch =
                new RecordBatchBuilder().producer(producerId, producerEpoch, 0).transactional();
        long nowMs = cluster.clock().now().toEpochMilli();
        values.forEach(value -> batch.add(nowMs, null, value.getBytes(StandardCharsets.UTF_8)));
        return batch;
    }

    private static ProduceResponse.PartitionProduceResponse produce(
            Cluster cluster, TransactionWire wire, String transactionalId, PartitionHandle partition, ByteBuf batch) {
        ProduceRequest request = new ProduceRequest()
                .setTransactionalId(transactionalId)
                .setAcks((short) -1)
                .setTimeoutMs((int) cluster.startTimeout().toMillis())
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setTopicId(topicId(cluster, partition))
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(partition.partition())
                                .setRecords(new BufferRecords(batch))))));
        return wire.call(cluster.broker(partition.leader()), request, ProduceResponse.class, "produce to " + partition)
                .responses()
                .get(0)
                .partitionResponses()
                .get(0);
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
        EndTxnResponse response = wire.untilServed(
                transactionalId,
                new EndTxnRequest()
                        .setTransactionalId(transactionalId)
                        .setProducerId(producerId)
                        .setProducerEpoch(producerEpoch)
                        .setCommitted(commit),
                EndTxnResponse.class,
                answer -> ErrorCode.forCode(answer.errorCode()),
                what);
        requireNone(response.errorCode(), what + " transactional id " + transactionalId);
    }

    @Override
    public String toString() {
        return "open transaction of " + transactionalId + " from offset " + firstOffset;
    }
}
