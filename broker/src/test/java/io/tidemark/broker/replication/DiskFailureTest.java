package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.DiskMatch;
import io.tidemark.broker.disk.DiskOperation.Kind;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeLogDirsRequest;
import io.tidemark.broker.protocol.message.DescribeLogDirsResponse;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What replicas do whose disk fails, or whose bytes rot. */
class DiskFailureTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final TopicPartition PAYMENTS = new TopicPartition("payments", 0);
    private static final String SEGMENT = "00000000000000000000.log";

    /** In the first record's value, behind the header and the record's own. */
    private static final long A_BIT_OF_THE_FIRST_VALUE = 75 * 8;

    /** The highest byte of the first batch's length. */
    private static final long A_BIT_OF_THE_FIRST_LENGTH = 8 * 8 + 6;

    @TempDir
    private Path folder;

    private FakeCluster cluster;
    private Uuid ordersId = Uuid.ZERO;

    @BeforeEach
    void startTwoBrokers() {
        cluster = new FakeCluster(folder, Map.of("node.id", "1"), 2);
        ordersId = cluster.createTopic("orders", 1, List.of(1, 2), Map.of());
        cluster.createTopic("payments", 1, List.of(1, 2), Map.of());
        cluster.time().runDue();
    }

    @AfterEach
    void close() throws IOException {
        cluster.close();
    }

    @Test
    void anAppendThatFailsIsNotAcknowledgedAndTakesTheWholeDirectoryOffline() {
        assertThat(produce(ORDERS, "a")).isEqualTo(ErrorCode.NONE);
        cluster.time().runDue();
        cluster.node(1).faults().failWhere(DiskMatch.of(Kind.WRITE).on(path -> path.endsWith("orders-0/" + SEGMENT)));

        assertThat(produce(ORDERS, "b")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);

        assertThat(cluster.node(1).directory().health().failure())
                .contains("append in orders-0", "write at byte", "orders-0/" + SEGMENT, "input/output error");
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(1);
        cluster.node(1).faults().heal();
        assertThat(produce(ORDERS, "c")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(produce(PAYMENTS, "d")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(fetch(1, ORDERS, 0).errorCode()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
        assertThat(listOffsets(ORDERS, -1)).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    }

    @Test
    void aNewLeaderGoesOnWithoutTheReplicaThatIsOffline() {
        produce(ORDERS, "a");
        cluster.time().runDue();
        cluster.node(1).faults().failWhere(DiskMatch.of(Kind.WRITE));
        produce(ORDERS, "b");

        cluster.elect(ORDERS, 2, List.of(2));
        cluster.time().runDue();

        assertThat(produce(2, ORDERS, "c")).isEqualTo(ErrorCode.NONE);
        assertThat(cluster.node(2).replica(ORDERS).highWatermark()).isEqualTo(2);
        assertThat(cluster.node(1).replica(ORDERS).leaderId()).isEqualTo(2);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(1);
    }

    @Test
    void aFollowerWhoseDiskFailsStopsToFetch() {
        cluster.node(2).faults().failWhere(DiskMatch.of(Kind.WRITE));

        produce(ORDERS, "a");
        cluster.time().runDue();

        assertThat(cluster.node(2).directory().health().isOnline()).isFalse();
        assertThat(cluster.node(2).hosted(ORDERS).logEndOffset()).isZero();
        assertThat(cluster.node(1).replica(ORDERS).highWatermark()).isZero();
    }

    @Test
    void aReadThatFailsIsAnsweredSoAndTakesNothingOffline() {
        for (int i = 0; i < 300; i++) {
            produce(ORDERS, "value-" + i);
        }
        cluster.time().runDue();
        cluster.node(1).faults().failWhere(DiskMatch.of(Kind.READ));

        assertThat(fetch(1, ORDERS, 0).errorCode()).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR.code());

        assertThat(cluster.node(1).directory().health().isOnline()).isTrue();
        cluster.node(1).faults().heal();
        assertThat(fetch(1, ORDERS, 0).errorCode()).isEqualTo(ErrorCode.NONE.code());
    }

    @Test
    void aCheckpointThatCannotBeWrittenTakesTheDirectoryOffline() {
        cluster.node(1).faults().failWhere(DiskMatch.of(Kind.RENAME));

        cluster.time().runFor(60_000);

        assertThat(cluster.node(1).directory().health().isOnline()).isFalse();
        assertThat(produce(ORDERS, "a")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    }

    @Test
    void aDiskThatIsFullTakesTheDirectoryOfflineAndTheRestOfTheAppendIsCutAtTheNextStart() throws IOException {
        produce(ORDERS, "a");
        cluster.time().runDue();
        Path segment = cluster.node(1).folderOf(ORDERS).resolve(SEGMENT);
        long whole = Files.size(segment);
        cluster.node(1).faults().limitFreeBytes(20);

        assertThat(produce(ORDERS, "b")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(Files.size(segment)).isEqualTo(whole + 20);
        cluster.kill(1);
        cluster.start(1);

        assertThat(Files.size(segment)).isEqualTo(whole);
        assertThat(cluster.node(1).hosted(ORDERS).logEndOffset()).isEqualTo(1);
        assertThat(produce(ORDERS, "c")).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void aLogThatCannotBeOpenedIsAStorageError() {
        cluster.node(1).faults().failWhere(DiskMatch.of(Kind.CREATE, Kind.CREATE_FOLDER));

        cluster.createTopic("late", 1, List.of(1, 2), Map.of());
        cluster.time().runDue();

        assertThat(produce(new TopicPartition("late", 0), "a")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
        assertThat(produce(ORDERS, "a")).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR);
    }

    @Test
    void describesWhatIsInADirectoryAndThatItIsOffline() {
        produce(ORDERS, "a");
        cluster.time().runDue();

        DescribeLogDirsResponse.DescribeLogDirsResult online = describeLogDirs();
        assertThat(online.errorCode()).isZero();
        assertThat(online.totalBytes()).isGreaterThan(online.usableBytes()).isPositive();
        assertThat(online.topics())
                .extracting(DescribeLogDirsResponse.DescribeLogDirsTopic::name)
                .containsExactly("orders", "payments");
        DescribeLogDirsResponse.DescribeLogDirsPartition orders =
                online.topics().get(0).partitions().get(0);
        assertThat(orders.partitionSize())
                .isEqualTo(cluster.node(1).hosted(ORDERS).log().sizeInBytes());
        assertThat(orders.offsetLag()).isZero();

        cluster.node(1).faults().failWhere(DiskMatch.of(Kind.WRITE));
        produce(ORDERS, "b");

        DescribeLogDirsResponse.DescribeLogDirsResult offline = describeLogDirs();
        assertThat(offline.errorCode()).isEqualTo(ErrorCode.KAFKA_STORAGE_ERROR.code());
        assertThat(offline.logDir()).isEqualTo(online.logDir());
        assertThat(offline.topics()).isEmpty();
    }

    @Test
    void whatRotsIsSentAsItIsAndAFollowerDoesNotTakeIt() throws IOException {
        cluster.isolate(2, true);
        produce(ORDERS, "aaaaaaaaaa");
        cluster.node(1).flipBit(cluster.node(1).folderOf(ORDERS).resolve(SEGMENT), A_BIT_OF_THE_FIRST_VALUE);

        cluster.isolate(2, false);
        cluster.time().runFor(5_000);

        assertThat(fetch(1, ORDERS, 0).errorCode()).isZero();
        assertThat(cluster.node(2).hosted(ORDERS).logEndOffset()).isZero();
        assertThat(cluster.node(2).directory().health().isOnline()).isTrue();
        assertThat(cluster.node(1).directory().health().isOnline()).isTrue();
    }

    @Test
    void whatRotsIsNotLookedUpByTime() throws IOException {
        produce(ORDERS, "aaaaaaaaaa");
        cluster.time().runDue();
        assertThat(listOffsets(ORDERS, 0)).isEqualTo(ErrorCode.NONE);

        cluster.node(1).flipBit(cluster.node(1).folderOf(ORDERS).resolve(SEGMENT), A_BIT_OF_THE_FIRST_VALUE);

        assertThat(listOffsets(ORDERS, 0)).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(listOffsets(ORDERS, -3)).isEqualTo(ErrorCode.CORRUPT_MESSAGE);
        assertThat(cluster.node(1).directory().health().isOnline()).isTrue();
    }

    @Test
    void aHeaderThatRotsIsAnErrorOfItsPartitionAlone() throws IOException {
        for (int i = 0; i < 300; i++) {
            produce(ORDERS, "value-" + i);
        }
        produce(PAYMENTS, "a");
        cluster.time().runDue();
        cluster.node(1).flipBit(cluster.node(1).folderOf(ORDERS).resolve(SEGMENT), A_BIT_OF_THE_FIRST_LENGTH);

        assertThat(fetch(1, ORDERS, 0).errorCode()).isEqualTo(ErrorCode.CORRUPT_MESSAGE.code());
        assertThat(fetch(1, PAYMENTS, 0).errorCode()).isZero();
        assertThat(produce(ORDERS, "more")).isEqualTo(ErrorCode.NONE);
    }

    private ErrorCode produce(TopicPartition partition, String value) {
        return produce(1, partition, value);
    }

    private ErrorCode produce(int broker, TopicPartition partition, String value) {
        ByteBuf batch = new RecordBatchBuilder()
                .add(cluster.time().wallTimeMs(), null, value.getBytes(StandardCharsets.UTF_8))
                .build();
        ProduceRequest request = new ProduceRequest()
                .setAcks((short) 1)
                .setTimeoutMs(1_000)
                .setTopicData(List.of(new ProduceRequest.TopicProduceData()
                        .setName(partition.topic())
                        .setPartitionData(List.of(new ProduceRequest.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(new BufferRecords(batch))))));
        FakeCluster.Call<ProduceResponse> call = cluster.node(broker).call(request, 11);
        return ErrorCode.forCode(
                call.response().responses().get(0).partitionResponses().get(0).errorCode());
    }

    private FetchResponse.PartitionData fetch(int broker, TopicPartition partition, long offset) {
        FetchRequest request = new FetchRequest()
                .setMaxWaitMs(0)
                .setMinBytes(1)
                .setMaxBytes(1_000_000)
                .setTopics(List.of(new FetchRequest.FetchTopic()
                        .setTopic(partition.topic())
                        .setPartitions(List.of(new FetchRequest.FetchPartition()
                                .setPartition(0)
                                .setFetchOffset(offset)
                                .setPartitionMaxBytes(1_000_000)))));
        FakeCluster.Call<FetchResponse> call = cluster.node(broker).call(request, 12);
        return call.response().responses().get(0).partitions().get(0);
    }

    private ErrorCode listOffsets(TopicPartition partition, long timestamp) {
        ListOffsetsRequest request = new ListOffsetsRequest()
                .setReplicaId(-1)
                .setTopics(List.of(new ListOffsetsRequest.ListOffsetsTopic()
                        .setName(partition.topic())
                        .setPartitions(List.of(new ListOffsetsRequest.ListOffsetsPartition()
                                .setPartitionIndex(0)
                                .setTimestamp(timestamp)))));
        FakeCluster.Call<ListOffsetsResponse> call = cluster.node(1).call(request, 7);
        return ErrorCode.forCode(
                call.response().topics().get(0).partitions().get(0).errorCode());
    }

    private DescribeLogDirsResponse.DescribeLogDirsResult describeLogDirs() {
        FakeCluster.Call<DescribeLogDirsResponse> call =
                cluster.node(1).call(new DescribeLogDirsRequest().setTopics(null), 4);
        return call.response().results().get(0);
    }
}
