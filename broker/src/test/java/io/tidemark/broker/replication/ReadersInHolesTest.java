package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.fetch.FetchItem;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of a record at 0, a hole that compaction left from 1 to 9, and an open transaction from 10 on. */
class ReadersInHolesTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final Reader READ_COMMITTED = new Reader.Consumer(true, true);
    private static final Reader READ_UNCOMMITTED = new Reader.Consumer(false, true);
    private static final long PRODUCER_ID = 7;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private Uuid orders;
    private HostedPartition replica;

    @BeforeEach
    void makeTheHole() throws IOException {
        cluster = new FakeCluster(folder, Map.of("node.id", "1"), 1);
        orders = cluster.createTopic("orders", 1, List.of(1), Map.of());
        cluster.time().runDue();
        replica = Objects.requireNonNull(cluster.node(1).partitions().partition(ORDERS));
        long nowMs = cluster.time().wallTimeMs();
        replica.log()
                .appendAsFollower(
                        new RecordBatchBuilder().add(nowMs, null, new byte[1]).build(), 0, nowMs);
        replica.log()
                .appendAsFollower(
                        new RecordBatchBuilder()
                                .baseOffset(10)
                                .producer(PRODUCER_ID, (short) 0, 0)
                                .transactional()
                                .add(nowMs, null, new byte[1])
                                .build(),
                        0,
                        nowMs);
        // A new leader of the log as it is now.
        cluster.elect(ORDERS, 1, List.of(1));
        cluster.time().runDue();
        assertThat(replica.highWatermark()).isEqualTo(11);
        assertThat(replica.lastStableOffset()).isEqualTo(10);
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    private FetchItem at(long offset) {
        return new FetchItem(orders, "orders", 0, -1, offset, -1, -1, 1_000, Long.MAX_VALUE);
    }

    @Test
    void aHoleUpToAnOpenTransactionIsNoRecordForReadCommitted() {
        assertThat(replica.hasRecordsFor(READ_COMMITTED, at(0))).isTrue();
        assertThat(replica.hasRecordsFor(READ_COMMITTED, at(1))).isFalse();
        assertThat(replica.hasRecordsFor(READ_COMMITTED, at(9))).isFalse();
        assertThat(replica.hasNews(READ_COMMITTED, at(1))).isFalse();
        assertThat(replica.hasRecordsFor(READ_UNCOMMITTED, at(1))).isTrue();
    }

    @Test
    void aReaderInTheHoleWaitsForItsTime() {
        FakeCluster.Call<FetchResponse> fetch = cluster.node(1)
                .call(
                        new FetchRequest()
                                .setMaxWaitMs(500)
                                .setMinBytes(1)
                                .setMaxBytes(1_000)
                                .setIsolationLevel((byte) 1)
                                .setTopics(List.of(new FetchRequest.FetchTopic()
                                        .setTopicId(orders)
                                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                                .setPartition(0)
                                                .setFetchOffset(1)
                                                .setPartitionMaxBytes(1_000))))),
                        17);

        cluster.time().runFor(499);
        assertThat(fetch.isAnswered()).isFalse();
        cluster.time().runFor(1);
        assertThat(fetch.isAnswered()).isTrue();
    }
}
