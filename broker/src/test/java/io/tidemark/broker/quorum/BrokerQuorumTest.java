package io.tidemark.broker.quorum;

import static io.tidemark.broker.quorum.QuorumHarness.CONTROLLER_ID;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.AllocateProducerIdsRequest;
import io.tidemark.broker.protocol.message.AllocateProducerIdsResponse;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.quorum.QuorumHarness.RunningBroker;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.time.VirtualTime.VirtualLoop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers and their controller, in virtual time. */
class BrokerQuorumTest {
    private static final String SEGMENT = "00000000000000000000.log";

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
    void aBrokerIsUnfencedWithoutWaitingForAnything() throws IOException {
        harness.startController();

        RunningBroker broker = harness.startBroker(1);
        harness.time.runDue();

        // One refused fetch teaches it the leader's epoch; the retry is at once. No timer is involved.
        assertThat(broker.isCaughtUp).isTrue();
        assertThat(broker.isUnfenced).isTrue();
        assertThat(broker.quorum.metadata().image().cluster().isAlive(1)).isTrue();
    }

    @Test
    void brokersThatAreUpFirstFindTheControllerSoon() throws IOException {
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(5_000);
        assertThat(broker.isCaughtUp).isFalse();

        harness.startController();
        harness.time.runFor(100);

        assertThat(broker.isUnfenced).isTrue();
    }

    @Test
    void everyBrokerKeepsTheSameLogAsTheController() throws IOException {
        harness.startController();
        for (int id = 1; id <= 3; id++) {
            harness.startBroker(id);
        }
        harness.time.runFor(1_000);

        byte[] leader = Files.readAllBytes(harness.metadataFolder(CONTROLLER_ID).resolve(SEGMENT));
        for (int id = 1; id <= 3; id++) {
            assertThat(Files.readAllBytes(harness.metadataFolder(id).resolve(SEGMENT)))
                    .isEqualTo(leader);
        }
    }

    @Test
    void aRestartedBrokerReplaysItsOwnCopyAndFetchesTheRest() throws IOException {
        harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        long epoch = broker.quorum.lifecycle().brokerEpoch();
        long had = broker.quorum.metadata().image().lastOffset() + 1;
        broker.kill();
        harness.time.runFor(QuorumHarness.SESSION_MS * 2);
        harness.sent.clear();

        RunningBroker again = harness.startBroker(1);
        harness.time.runFor(500);

        assertThat(again.isUnfenced).isTrue();
        assertThat(again.quorum.lifecycle().brokerEpoch()).isGreaterThan(epoch);
        FetchRequest first = (FetchRequest) harness.sent.stream()
                .filter(FetchRequest.class::isInstance)
                .findFirst()
                .orElseThrow();
        assertThat(first.topics().get(0).partitions().get(0).fetchOffset()).isEqualTo(had);
    }

    @Test
    void aBrokerThatComesBackBeforeItIsMissedWaitsForItsOldSessionToEnd() throws IOException {
        harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        broker.kill();

        RunningBroker again = harness.startBroker(1);
        harness.time.runFor(QuorumHarness.SESSION_MS / 2);
        assertThat(again.isCaughtUp).isFalse();
        harness.time.runFor(QuorumHarness.SESSION_MS);

        assertThat(again.isUnfenced).isTrue();
    }

    @Test
    void aBrokerThatIsKilledIsFenced() throws IOException {
        ControllerNode controller = harness.startController();
        RunningBroker killed = harness.startBroker(1);
        harness.startBroker(2);
        harness.time.runFor(500);

        killed.kill();
        harness.time.runFor(QuorumHarness.SESSION_MS + 100);

        assertThat(controller.image().cluster().isAlive(1)).isFalse();
        assertThat(controller.image().cluster().isAlive(2)).isTrue();
    }

    @Test
    void aMachineThatStandsStillFencesNobody() throws IOException {
        ControllerNode controller = harness.startController();
        harness.startBroker(1);
        harness.startBroker(2);
        harness.time.runFor(500);
        List<Boolean> seen = new ArrayList<>();
        controller.addListener((delta, image) -> delta.changedBrokers()
                .forEach(broker -> seen.add(image.cluster().isAlive(broker))));

        for (int i = 0; i < 5; i++) {
            harness.time.stall(QuorumHarness.SESSION_MS * 2);
            harness.time.runFor(300);
        }

        assertThat(seen).as("changes of brokers").isEmpty();
    }

    @Test
    void brokersLiveOnWhenTheirControllerComesBack() throws IOException {
        harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        harness.killController();
        harness.time.runFor(QuorumHarness.SESSION_MS * 3);

        ControllerNode again = harness.startController();
        harness.time.runFor(QuorumHarness.SESSION_MS * 3);

        assertThat(again.image().cluster().isAlive(1)).isTrue();
        assertThat(broker.quorum.metadata().image()).isEqualTo(again.image());
    }

    @Test
    void aBrokerStopsWithTheControllersLeave() throws IOException {
        ControllerNode controller = harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);

        broker.quorum.lifecycle().stop(10_000, () -> broker.isStopped = true);
        harness.time.runFor(100);

        assertThat(broker.isStopped).isTrue();
        assertThat(controller.image().cluster().isAlive(1)).isFalse();
    }

    @Test
    void aBrokerStopsWithoutLeaveWhereThereIsNoControllerToGiveIt() throws IOException {
        harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        harness.killController();

        broker.quorum.lifecycle().stop(2_000, () -> broker.isStopped = true);
        harness.time.runFor(1_900);
        assertThat(broker.isStopped).isFalse();
        harness.time.runFor(200);

        assertThat(broker.isStopped).isTrue();
    }

    @Test
    void aBrokerCutsWhatTheLeaderNeverHad() throws IOException {
        harness.startController();
        RunningBroker broker = harness.startBroker(1);
        harness.time.runFor(500);
        broker.kill();
        harness.killController();
        appendStrayRecords(1);
        assertThat(Files.size(harness.metadataFolder(1).resolve(SEGMENT)))
                .isGreaterThan(Files.size(harness.metadataFolder(CONTROLLER_ID).resolve(SEGMENT)));

        harness.startController();
        RunningBroker again = harness.startBroker(1);
        harness.time.runFor(3_000);

        assertThat(again.isUnfenced).isTrue();
        byte[] leader = Files.readAllBytes(harness.metadataFolder(CONTROLLER_ID).resolve(SEGMENT));
        byte[] follower = Files.readAllBytes(harness.metadataFolder(1).resolve(SEGMENT));
        assertThat(Arrays.equals(follower, leader)).isTrue();
    }

    /** Records of the first epoch that no high watermark ever covered. */
    private void appendStrayRecords(int brokerId) throws IOException {
        VirtualLoop loop = harness.time.newLoop();
        var directory = harness.openDirectory(brokerId, loop);
        var log = directory.openPartition(
                io.tidemark.broker.log.LogDirectory.METADATA_PARTITION,
                Uuid.METADATA_TOPIC_ID,
                io.tidemark.broker.log.LogConfig.DEFAULTS,
                harness.time.wallTimeMs());
        log.appendAsLeader(
                new RecordBatchBuilder()
                        .baseOffset(log.logEndOffset())
                        .leaderEpoch(1)
                        .add(harness.time.wallTimeMs(), null, new byte[] {1, 20, 0, 0})
                        .build(),
                1,
                AppendOrigin.RAFT_LEADER,
                harness.time.wallTimeMs());
        directory.abandon();
    }

    @Test
    void aRequestWaitsForTheControllerAsLongAsItMay() throws IOException {
        RunningBroker broker = harness.startBroker(1);
        List<Object> outcomes = new ArrayList<>();
        broker.quorum.controllerChannel().send(new AllocateProducerIdsRequest(), 1_000, collect(outcomes));
        broker.quorum.controllerChannel().send(new AllocateProducerIdsRequest(), 5_000, collect(outcomes));

        harness.time.runFor(1_500);
        assertThat(outcomes).hasSize(1);
        assertThat(outcomes.get(0)).isInstanceOf(IOException.class);
        harness.startController();
        harness.time.runFor(500);

        assertThat(outcomes).hasSize(2);
        assertThat(outcomes.get(1)).isInstanceOf(AllocateProducerIdsResponse.class);
    }

    private static Peer.Reply collect(List<Object> outcomes) {
        return new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                outcomes.add(response);
            }

            @Override
            public void onFailure(IOException cause) {
                outcomes.add(cause);
            }
        };
    }
}
