package io.tidemark.broker.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.UpdateRaftVoterRequest;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Voters come and go, in virtual time (KIP-853). */
class VoterChangesTest {
    private static final int JOINING = 1009;

    @TempDir
    Path folder;

    private QuorumHarness harness;
    private final List<ErrorCode> answers = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        harness = new QuorumHarness(folder, 3);
        harness.startControllers();
        harness.startBroker(1);
        harness.time.runFor(5_000);
    }

    @AfterEach
    void close() throws Exception {
        harness.close();
    }

    private ControllerNode active() {
        assertThat(harness.active()).hasSize(1);
        return harness.controller(harness.active().get(0));
    }

    private void upgrade() {
        active().upgradeKraftVersion((error, message) -> answers.add(error));
        harness.time.runFor(200);
        assertThat(answers).containsExactly(ErrorCode.NONE);
        answers.clear();
    }

    private void add(int id) {
        AddRaftVoterRequest request = new AddRaftVoterRequest()
                .setClusterId(QuorumHarness.CLUSTER_ID)
                .setVoterId(id)
                .setVoterDirectoryId(new Uuid(8, id));
        request.listeners()
                .add(new AddRaftVoterRequest.Listener()
                        .setName("CONTROLLER")
                        .setHost("controller-" + id)
                        .setPort(9093));
        active().addVoter(request, response -> answers.add(ErrorCode.forCode(response.errorCode())));
        harness.time.runFor(300);
    }

    private void remove(int id) {
        RemoveRaftVoterRequest request = new RemoveRaftVoterRequest()
                .setClusterId(QuorumHarness.CLUSTER_ID)
                .setVoterId(id)
                .setVoterDirectoryId(new Uuid(8, id));
        active().removeVoter(request, response -> answers.add(ErrorCode.forCode(response.errorCode())));
        harness.time.runFor(300);
    }

    @Test
    void votersOfTheConfigurationGoIntoTheLogAndComeBackFromIt() throws IOException {
        upgrade();
        int former = harness.active().get(0);

        harness.killController(former);
        harness.time.runFor(8_000);
        ControllerNode again = harness.startController(former);
        harness.time.runFor(2_000);

        assertThat(again.kraftVersion()).isEqualTo((short) 1);
        assertThat(again.image()).isEqualTo(active().image());
        assertThat(Files.readString(harness.metadataFolder(former).resolve("quorum-state")))
                .contains("\"data_version\":1");
    }

    @Test
    void anObserverGetsAVoteAndCarriesTheQuorum() throws IOException {
        upgrade();
        harness.startController(JOINING);
        harness.time.runFor(2_000);

        add(JOINING);
        assertThat(answers).containsExactly(ErrorCode.NONE);
        // Four voters: without one of the first three, three are left, which is a majority only with the new one.
        int killed = harness.active().get(0);
        harness.killController(killed);
        harness.time.runFor(8_000);
        assertThat(harness.active()).hasSize(1);

        answers.clear();
        remove(killed);
        assertThat(answers).containsExactly(ErrorCode.NONE);
    }

    @Test
    void aLeaderThatLosesItsVoteHandsOver() {
        upgrade();
        int former = harness.active().get(0);

        remove(former);
        harness.time.runFor(5_000);

        assertThat(answers).containsExactly(ErrorCode.NONE);
        assertThat(harness.active()).hasSize(1).doesNotContain(former);
        assertThat(harness.controller(former).image()).as("it observes").isEqualTo(active().image());
    }

    /** As its log and the leader itself tell it; by its configuration it knows of nobody but itself. */
    @Test
    void whoIsConfiguredWithOtherVotersFindsALeaderThatJoinedLater() throws Exception {
        harness.close();
        harness = new QuorumHarness(folder.resolve("one"), 1);
        harness.startControllers();
        int first = harness.controllerIds().get(0);
        harness.time.runFor(2_000);
        upgrade();
        harness.startController(JOINING);
        harness.time.runFor(2_000);
        add(JOINING);
        assertThat(answers).containsExactly(ErrorCode.NONE);

        harness.killController(first);
        harness.time.runFor(5_000);
        ControllerNode again = harness.startController(first);
        harness.time.runFor(8_000);

        assertThat(harness.active()).containsExactly(JOINING);
        assertThat(again.highWatermark()).isEqualTo(active().highWatermark());
        assertThat(again.image()).isEqualTo(active().image());
    }

    @Test
    void brokersRegisteredAfterAChangeHaveTheEpochOfTheirOffset() throws IOException {
        upgrade();

        QuorumHarness.RunningBroker broker = harness.startBroker(2);
        harness.time.runFor(1_000);

        assertThat(broker.isUnfenced).isTrue();
    }

    @Test
    void aChangeThatIsNotCommittedIsUndone() throws IOException {
        upgrade();
        harness.startController(JOINING);
        harness.time.runFor(2_000);
        int former = harness.active().get(0);

        harness.cutOff.add(former);
        add(JOINING);
        harness.time.runFor(8_000);
        harness.cutOff.clear();
        harness.time.runFor(5_000);

        assertThat(answers).containsExactly(ErrorCode.NOT_LEADER_OR_FOLLOWER);
        answers.clear();
        add(JOINING);
        assertThat(answers).as("it was no voter any more").containsExactly(ErrorCode.NONE);
    }

    @Test
    void anObserverJoinsByItselfWhereItIsToldTo() throws IOException {
        upgrade();
        harness.startController(JOINING);
        harness.time.runFor(10_000);
        assertThat(voters()).as("it was not told to").containsExactly(1001, 1002, 1003);
        harness.killController(JOINING);

        harness.configs.put("controller.quorum.auto.join.enable", "true");
        harness.startController(JOINING);
        harness.time.runFor(10_000);

        assertThat(voters()).containsExactly(1001, 1002, 1003, JOINING);
        assertThat(harness.sent.stream().filter(AddRaftVoterRequest.class::isInstance))
                .as("once is enough")
                .hasSize(1);
    }

    @Test
    void aControllerWithANewDirectoryTakesThePlaceOfItsFormerSelf() throws IOException {
        harness.configs.put("controller.quorum.auto.join.enable", "true");
        upgrade();
        harness.startController(JOINING);
        harness.time.runFor(10_000);
        assertThat(voters()).contains(JOINING);
        harness.killController(JOINING);
        try (var files = Files.walk(harness.folder(JOINING))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }

        harness.directories.put(JOINING, new Uuid(77, 77));
        harness.startController(JOINING);
        harness.time.runFor(20_000);

        assertThat(voters()).containsExactly(1001, 1002, 1003, JOINING);
        assertThat(described())
                .filteredOn(voter -> voter.replicaId() == JOINING)
                .extracting(DescribeQuorumResponse.ReplicaState::replicaDirectoryId)
                .containsExactly(new Uuid(77, 77));
    }

    @Test
    void aVoterThatMovedTellsTheLeaderWhereItIs() throws IOException {
        upgrade();
        int moved = harness.controllerIds().stream()
                .filter(id -> !harness.active().contains(id))
                .findFirst()
                .orElseThrow();
        harness.time.runFor(10_000);
        assertThat(harness.sent).noneMatch(UpdateRaftVoterRequest.class::isInstance);
        harness.killController(moved);
        // The digits after the dash are how the harness finds it.
        harness.hosts.put(moved, "controller-0" + moved);

        harness.startController(moved);
        harness.time.runFor(10_000);

        assertThat(harness.sent.stream().filter(UpdateRaftVoterRequest.class::isInstance))
                .hasSize(1);
        assertThat(voters()).containsExactly(1001, 1002, 1003);
        assertThat(active().voters().voter(moved).endpoints())
                .extracting(Endpoint::host)
                .containsExactly("controller-0" + moved);
    }

    private List<DescribeQuorumResponse.ReplicaState> described() {
        DescribeQuorumRequest.TopicData topic =
                new DescribeQuorumRequest.TopicData().setTopicName("__cluster_metadata");
        topic.partitions().add(new DescribeQuorumRequest.PartitionData());
        DescribeQuorumRequest request = new DescribeQuorumRequest().setTopics(List.of(topic));
        return active().describeQuorum(request)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .currentVoters();
    }

    private List<Integer> voters() {
        return described().stream()
                .map(DescribeQuorumResponse.ReplicaState::replicaId)
                .toList();
    }
}
