package io.tidemark.broker.quorum;

import static io.tidemark.broker.quorum.QuorumHarness.CONTROLLER_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.raft.ElectionState;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.LeaderChangeMessage;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.FileLogInputStream;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControllerNodeTest {
    @TempDir
    Path folder;

    private QuorumHarness harness;

    @BeforeEach
    void open() {
        harness = new QuorumHarness(folder);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    @Test
    void answersOnlyWhatIsDurable() throws IOException {
        ControllerNode node = harness.startController();
        harness.time.runDue();
        List<CreateTopicsResponse> replies = new ArrayList<>();

        boolean taken =
                node.submit((controller, nowMs) -> controller.createTopics(new CreateTopicsRequest()), replies::add);
        assertThat(taken).isTrue();
        assertThat(replies).as("nothing to write, so nothing to wait for").hasSize(1);

        harness.startBroker(1);
        harness.time.runFor(10);
        node.submit((controller, nowMs) -> controller.createTopics(orders()), replies::add);
        assertThat(replies).as("written, not forced").hasSize(1);
        assertThat(node.image().topics().topic("orders")).isNull();
        harness.time.runDue();

        assertThat(replies).hasSize(2);
        assertThat(replies.get(1).topics().get(0).errorCode()).isZero();
        assertThat(node.image().topics().topic("orders")).isNotNull();
    }

    private static CreateTopicsRequest orders() {
        CreateTopicsRequest request = new CreateTopicsRequest();
        request.topics()
                .add(new CreateTopicsRequest.CreatableTopic()
                        .setName("orders")
                        .setNumPartitions(1)
                        .setReplicationFactor((short) 1));
        return request;
    }

    @Test
    void tellsNobodyOfMetadataThatIsNotCommitted() throws IOException {
        ControllerNode node = harness.startController();

        assertThat(node.image().features()).isEmpty();
        harness.time.runDue();

        assertThat(node.image().features()).isNotEmpty();
        assertThat(node.highWatermark()).isEqualTo(node.image().lastOffset() + 1);
    }

    @Test
    void leadsANewEpochAtEachStartAndHasItsMetadataAgain() throws IOException {
        harness.startController();
        harness.startBroker(1);
        harness.time.runFor(50);
        harness.killController();

        ControllerNode again = harness.startController();
        harness.time.runDue();

        assertThat(again.image().cluster().broker(1)).isNotNull();
        assertThat(again.image().lastLeaderEpoch()).isEqualTo(2);
        assertThat(Files.readString(harness.metadataFolder(CONTROLLER_ID).resolve("quorum-state")))
                .contains("\"leaderEpoch\":2")
                .contains("\"leaderId\":1001");
    }

    @Test
    void anElectionStateOfKafkasNewerFormIsRead() throws IOException {
        Path quorumState = harness.metadataFolder(CONTROLLER_ID).resolve("quorum-state");
        Files.createDirectories(quorumState.getParent());
        Files.writeString(
                quorumState,
                "{\"leaderId\":1001,\"leaderEpoch\":17,\"votedId\":-1,"
                        + "\"votedDirectoryId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"data_version\":1}");

        ControllerNode node = harness.startController();
        harness.time.runDue();

        assertThat(node.image().lastLeaderEpoch()).isEqualTo(18);
    }

    @Test
    void kafkaReadsTheElectionState() throws IOException {
        harness.startController();
        harness.time.runDue();
        File quorumState =
                harness.metadataFolder(CONTROLLER_ID).resolve("quorum-state").toFile();

        var read = new org.apache.kafka.raft.FileQuorumStateStore(quorumState)
                .readElectionState()
                .orElseThrow();

        assertThat(read.epoch()).isEqualTo(1);
        assertThat(read.leaderId()).isEqualTo(CONTROLLER_ID);
    }

    @Test
    void kafkaReadsTheMetadataLog() throws IOException {
        ControllerNode node = harness.startController();
        harness.startBroker(1);
        harness.time.runFor(50);
        node.submit((controller, nowMs) -> controller.createTopics(orders()), reply -> {});
        harness.time.runFor(50);

        List<Object> read = readWithKafka(harness.metadataFolder(CONTROLLER_ID).resolve("00000000000000000000.log"));

        assertThat(read.get(0)).isInstanceOfSatisfying(LeaderChangeMessage.class, change -> {
            assertThat(change.leaderId()).isEqualTo(CONTROLLER_ID);
            assertThat(change.voters()).extracting(voter -> voter.voterId()).containsExactly(CONTROLLER_ID);
        });
        assertThat(read.get(1))
                .isEqualTo(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 33));
        assertThat(read)
                .hasAtLeastOneElementOfType(RegisterBrokerRecord.class)
                .hasAtLeastOneElementOfType(TopicRecord.class);
    }

    /** Every record, parsed by Kafka's own classes; checksums and offsets are checked on the way. */
    private static List<Object> readWithKafka(Path segment) throws IOException {
        List<Object> read = new ArrayList<>();
        try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
            long next = 0;
            for (FileLogInputStream.FileChannelRecordBatch batch : records.batches()) {
                batch.ensureValid();
                assertThat(batch.baseOffset()).isEqualTo(next);
                next = batch.nextOffset();
                for (Record record : batch) {
                    read.add(
                            batch.isControlBatch()
                                    ? ControlRecordUtils.deserializeLeaderChangeMessage(record)
                                    : message(record));
                }
            }
        }
        return read;
    }

    private static Object message(Record record) {
        ApiMessageAndVersion read =
                new MetadataRecordSerde().read(new ByteBufferAccessor(record.value()), record.valueSize());
        return read.message();
    }

    @Test
    void isTheActiveControllerUntilItIsClosed() throws IOException {
        ControllerNode node = harness.startController();
        harness.time.runDue();
        assertThat(node.isActive()).isTrue();
        assertThat(node.leaderId()).isEqualTo(CONTROLLER_ID);

        node.close();

        assertThat(node.submit((controller, nowMs) -> controller.createTopics(new CreateTopicsRequest()), reply -> {}))
                .isFalse();
        assertThat(node.leaderId()).isEqualTo(ElectionState.NOBODY);
    }
}
