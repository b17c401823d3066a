package io.tidemark.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.quorum.QuorumHarness.RunningBroker;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three controllers and their brokers, in virtual time. */
class ControllerFailoverTest {
    private static final String SEGMENT = "00000000000000000000.log";

    @TempDir
    Path folder;

    private QuorumHarness harness;

    @BeforeEach
    void open() {
        harness = new QuorumHarness(folder, 3);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private int activeId() {
        assertThat(harness.active()).hasSize(1);
        return harness.active().get(0);
    }

    private static boolean create(
            ControllerNode node, String topic, List<CreateTopicsResponse> replies, Runnable onLost) {
        CreateTopicsRequest request = new CreateTopicsRequest();
        request.topics()
                .add(new CreateTopicsRequest.CreatableTopic()
                        .setName(topic)
                        .setNumPartitions(1)
                        .setReplicationFactor((short) 1));
        return node.submit((controller, nowMs) -> controller.createTopics(request), replies::add, onLost);
    }

    @Test
    void threeControllersElectOneAndHaveTheSameLog() throws IOException {
        harness.startControllers();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(5_000);

        int active = activeId();
        assertThat(broker.isUnfenced).isTrue();
        for (int id : harness.controllerIds()) {
            assertThat(harness.controller(id).leaderId()).isEqualTo(active);
            assertThat(harness.controller(id).image())
                    .isEqualTo(harness.controller(active).image());
            assertThat(Files.readAllBytes(harness.metadataFolder(id).resolve(SEGMENT)))
                    .isEqualTo(Files.readAllBytes(harness.metadataFolder(active).resolve(SEGMENT)));
        }
        assertThat(harness.controller(active).image().cluster().controllers().keySet())
                .as("each registered itself")
                .containsExactlyElementsOf(harness.controllerIds());
    }

    @Test
    void aQuietQuorumKeepsItsLeader() throws IOException {
        harness.startControllers();
        harness.time.runFor(5_000);
        int active = activeId();
        int epoch = harness.controller(active).image().lastLeaderEpoch();

        harness.time.runFor(600_000);

        assertThat(activeId()).isEqualTo(active);
        assertThat(harness.controller(active).image().lastLeaderEpoch()).isEqualTo(epoch);
    }

    @Test
    void nobodyIsDeposedWhileTheMachineHasNoTimeForAnyOfThem() throws IOException {
        harness.startControllers();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(5_000);
        int active = activeId();
        int epoch = harness.controller(active).image().lastLeaderEpoch();

        harness.stalls = nodeId -> harness.time.monotonicMs();
        harness.time.runFor(1_000);
        harness.cutOff.add(active);
        harness.time.runFor(60_000);

        assertThat(activeId()).isEqualTo(active);
        ControllerNode leader = harness.controller(active);
        assertThat(leader.image().lastLeaderEpoch()).isEqualTo(epoch);
        assertThat(leader.image().cluster().isActive(1))
                .as("broker 1 is not fenced")
                .isTrue();

        harness.stalls = nodeId -> 1_000_000;
        harness.time.runFor(15_000);
        assertThat(activeId())
                .as("another, once they have time and do not hear of it")
                .isNotEqualTo(active);
        assertThat(broker.quorum.metadata().image().cluster().isActive(1)).isTrue();
    }

    @Test
    void anotherTakesOverFromAKilledOneAndBrokersGoOn() throws IOException {
        harness.startControllers();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(5_000);
        int killed = activeId();
        List<CreateTopicsResponse> replies = new ArrayList<>();
        create(harness.controller(killed), "before", replies, () -> {});
        harness.time.runFor(50);
        assertThat(replies).hasSize(1);

        harness.killController(killed);
        harness.time.runFor(6_000);

        int next = activeId();
        assertThat(next).isNotEqualTo(killed);
        assertThat(harness.controller(next).image().topics().topic("before")).isNotNull();
        create(harness.controller(next), "after", replies, () -> {});
        harness.time.runFor(50);
        assertThat(replies).hasSize(2);
        assertThat(broker.quorum.metadata().image().topics().topic("after")).isNotNull();
        assertThat(broker.quorum.metadata().image().cluster().isAlive(1)).isTrue();

        harness.startController(killed);
        harness.time.runFor(1_000);
        assertThat(activeId()).isEqualTo(next);
        assertThat(harness.controller(killed).image())
                .isEqualTo(harness.controller(next).image());
    }

    @Test
    void aLeaderThatIsCutOffGivesUpAndWhatWaitedIsNotAnsweredAsDone() throws IOException {
        harness.startControllers();
        harness.startBroker(1);
        harness.time.runFor(5_000);
        int former = activeId();
        List<CreateTopicsResponse> replies = new ArrayList<>();
        List<String> lost = new ArrayList<>();

        harness.cutOff.add(former);
        ControllerNode cut = harness.controller(former);
        create(cut, "lost", replies, () -> lost.add("lost"));
        harness.time.runFor(8_000);

        assertThat(cut.isActive()).isFalse();
        assertThat(replies).isEmpty();
        assertThat(lost).containsExactly("lost");
        int next = activeId();
        create(harness.controller(next), "kept", replies, () -> {});
        harness.time.runFor(100);
        assertThat(replies).hasSize(1);

        harness.cutOff.clear();
        harness.time.runFor(5_000);
        assertThat(activeId()).as("who comes back does not disturb").isEqualTo(next);
        assertThat(cut.image()).isEqualTo(harness.controller(next).image());
        assertThat(cut.image().topics().topic("lost")).isNull();
        assertThat(cut.image().topics().topic("kept")).isNotNull();
        assertThat(Files.readAllBytes(harness.metadataFolder(former).resolve(SEGMENT)))
                .isEqualTo(Files.readAllBytes(harness.metadataFolder(next).resolve(SEGMENT)));
    }

    @Test
    void withoutAMajorityNothingIsDecidedUntilOneIsBack() throws IOException {
        harness.startControllers();
        harness.startBroker(1);
        harness.time.runFor(5_000);
        int last = harness.controllerIds().stream()
                .filter(id -> id != activeId())
                .findFirst()
                .orElseThrow();
        List<Integer> killed =
                harness.controllerIds().stream().filter(id -> id != last).toList();
        killed.forEach(harness::killController);

        harness.time.runFor(30_000);
        assertThat(harness.active()).isEmpty();
        assertThat(create(harness.controller(last), "orders", new ArrayList<>(), () -> {}))
                .isFalse();

        harness.startController(killed.get(0));
        harness.time.runFor(6_000);
        List<CreateTopicsResponse> replies = new ArrayList<>();
        create(harness.controller(activeId()), "orders", replies, () -> {});
        harness.time.runFor(100);
        assertThat(replies).hasSize(1);
        assertThat(replies.get(0).topics().get(0).errorCode()).isZero();
    }

    @Test
    void whoResignsIsFollowedAtOnce() throws IOException {
        harness.startControllers();
        harness.startBroker(1);
        harness.time.runFor(5_000);
        int former = activeId();
        List<Boolean> done = new ArrayList<>();

        harness.controller(former).resign(() -> done.add(true));
        harness.time.runFor(150);

        assertThat(done).containsExactly(true);
        assertThat(activeId()).isNotEqualTo(former);
    }

    @Test
    void theQuorumIsDescribedByItsLeader() throws IOException {
        harness.startControllers();
        harness.startBroker(1);
        harness.time.runFor(5_000);
        int active = activeId();
        DescribeQuorumRequest request = new DescribeQuorumRequest();
        DescribeQuorumRequest.TopicData topic =
                new DescribeQuorumRequest.TopicData().setTopicName("__cluster_metadata");
        topic.partitions().add(new DescribeQuorumRequest.PartitionData());
        request.topics().add(topic);

        DescribeQuorumResponse response = harness.controller(active).describeQuorum(request);

        DescribeQuorumResponse.PartitionData partition =
                response.topics().get(0).partitions().get(0);
        long end = harness.controller(active).image().lastOffset() + 1;
        assertThat(partition.leaderId()).isEqualTo(active);
        assertThat(partition.highWatermark()).isEqualTo(end);
        assertThat(partition.currentVoters())
                .extracting(DescribeQuorumResponse.ReplicaState::replicaId)
                .containsExactlyElementsOf(harness.controllerIds());
        assertThat(partition.currentVoters()).allSatisfy(voter -> {
            assertThat(voter.logEndOffset()).isEqualTo(end);
            assertThat(voter.replicaDirectoryId())
                    .as("not in the configured voters")
                    .isEqualTo(Uuid.ZERO);
            assertThat(voter.lastFetchTimestamp()).isGreaterThan(harness.time.wallTimeMs() - 1_000);
            assertThat(voter.lastCaughtUpTimestamp()).isGreaterThan(harness.time.wallTimeMs() - 1_000);
        });
        assertThat(partition.observers())
                .extracting(DescribeQuorumResponse.ReplicaState::replicaId)
                .containsExactly(1);
        assertThat(partition.observers().get(0).replicaDirectoryId()).isNotEqualTo(Uuid.ZERO);
        assertThat(response.nodes())
                .extracting(DescribeQuorumResponse.Node::nodeId)
                .containsExactlyElementsOf(harness.controllerIds());
    }

    @Test
    void theActiveControllerWritesARecordThatSaysNothingEachInterval() throws IOException {
        harness.configs.put("metadata.max.idle.interval.ms", "1000");
        harness.startControllers();
        harness.time.runFor(5_000);
        long before = harness.controller(activeId()).image().lastOffset();

        harness.time.runFor(10_000);

        assertThat(harness.controller(activeId()).image().lastOffset() - before).isEqualTo(10);
    }

    @Test
    void noSuchRecordIsWrittenWhereTheIntervalIsZero() throws IOException {
        harness.configs.put("metadata.max.idle.interval.ms", "0");
        harness.startControllers();
        harness.time.runFor(5_000);
        long before = harness.controller(activeId()).image().lastOffset();

        harness.time.runFor(10_000);

        assertThat(harness.controller(activeId()).image().lastOffset()).isEqualTo(before);
    }
}
