package io.tidemark.broker.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole quorums in virtual time, from a seed: messages lost, late and out of order, splits, crashes that lose what was
 * not forced, restarts. After each event the invariants of {@link SimulatedQuorum} are checked; then everything is
 * healed, and the quorum has to elect, to commit, and to have the same log everywhere. A failure prints its seed.
 */
class RaftSimulationTest {
    private static final int SEEDS = Integer.getInteger("tidemark.raft.seeds", 100);
    private static final long FIRST_SEED = Long.getLong("tidemark.raft.first.seed", 1);

    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void keepsItsPromisesUnderFaultsAndComesBackWhenHealed(int voters) {
        long committed = 0;
        int elections = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            SimulatedQuorum quorum = new SimulatedQuorum(voters, seed, false);
            try {
                run(quorum);
            } catch (AssertionError | RuntimeException e) {
                throw failure(voters, seed, e);
            }
            committed += quorum.committedCount();
            elections += quorum.elections();
        }
        assertThat(committed / SEEDS).as("records committed per seed").isGreaterThan(20);
        assertThat(elections / SEEDS).as("elections per seed").isGreaterThan(1);
    }

    private static void run(SimulatedQuorum quorum) {
        quorum.hurt(15_000);
        quorum.heal(16_000);
    }

    /** Runs it again with a trace. */
    private static AssertionError failure(int voters, long seed, Throwable cause) {
        SimulatedQuorum again = new SimulatedQuorum(voters, seed, true);
        try {
            run(again);
        } catch (AssertionError | RuntimeException expected) {
            // The trace is what it is run for.
        }
        return new AssertionError(
                voters + " voters, seed " + seed + " (alone: -Dtidemark.raft.seeds=1 -Dtidemark.raft.first.seed=" + seed
                        + "): " + cause.getMessage() + "\n" + again.trace(),
                cause);
    }

    @Test
    void theSameSeedIsTheSameRun() {
        SimulatedQuorum first = new SimulatedQuorum(3, 42, false);
        run(first);
        SimulatedQuorum second = new SimulatedQuorum(3, 42, false);
        run(second);

        assertThat(second.hash()).isEqualTo(first.hash());
    }

    @Test
    void aQuietQuorumElectsOnceAndKeepsItsLeader() {
        SimulatedQuorum quorum = new SimulatedQuorum(3, 1, false);

        quorum.heal(60_000);

        assertThat(quorum.elections()).isEqualTo(1);
    }
}
