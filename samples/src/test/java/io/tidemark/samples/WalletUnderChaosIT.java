package io.tidemark.samples;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Cluster;
import io.tidemark.chaos.Chaos;
import io.tidemark.chaos.schedule.Deed;
import io.tidemark.chaos.schedule.Played;
import io.tidemark.chaos.schedule.Schedule;
import io.tidemark.junit5.KafkaCluster;
import io.tidemark.junit5.Topic;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The tests of an application as they would be without faults, and beneath all of them a schedule that a seed draws: brokers
 * die and stop, leaders change, answers are lost. {@code -Dwallet.seed=77} has them run with another one; when they fail,
 * the schedule that was printed can be pasted into {@code Schedule.parse}.
 */
@KafkaCluster(brokers = 3, topics = @Topic(name = "movements", partitions = 2, config = "min.insync.replicas=2"))
class WalletUnderChaosIT {
    private static final long SEED = Long.getLong("wallet.seed", 6);

    private static Trouble trouble;

    private Wallet wallet;

    @BeforeAll
    static void beginTrouble(Cluster cluster, Chaos chaos) {
        trouble = Trouble.beneath(
                cluster,
                chaos,
                Schedule.random(SEED, 1, 2, 3)
                        .topic("movements", 2)
                        .with(Deed.KILL, Deed.STOP, Deed.ELECT, Deed.LOSE_ANSWER, Deed.CLOSE_CONNECTION)
                        .every(Duration.ofMillis(300))
                        .lasting(Duration.ofMillis(1_500))
                        .build());
    }

    @BeforeEach
    void open(Cluster cluster) {
        wallet = new Wallet(cluster.bootstrapServers());
    }

    @Test
    void whatWasPaidInIsThere() throws Exception {
        long paid = 0;
        do {
            wallet.pay("ann", 10);
            paid += 10;
        } while (trouble.isOn());
        assertThat(wallet.balances()).containsEntry("ann", paid);
    }

    @Test
    void whatIsPaidOutIsGone() throws Exception {
        wallet.pay("bob", 100);
        wallet.pay("bob", -30);
        assertThat(wallet.balances()).containsEntry("bob", 70L);
    }

    @Test
    void ownersDoNotMeetEachOther() throws Exception {
        for (int i = 1; i <= 20; i++) {
            wallet.pay("owner-" + i, i);
        }
        assertThat(wallet.balances()).containsEntry("owner-1", 1L).containsEntry("owner-20", 20L);
    }

    @AfterEach
    void close() {
        wallet.close();
    }

    @AfterAll
    static void endTrouble(Cluster cluster) throws Exception {
        Played played = trouble.end();
        Story story = new Story("A wallet under chaos, seed " + SEED);
        played.done().forEach(done -> story.tell(done.toString()));
        story.end();
        assertThat(played.strikes()).as("what there was of trouble").isNotEmpty();
        assertThat(cluster.partition("movements", 0)).eventually().hasFullIsr().hasIdenticalReplicas();
    }
}
