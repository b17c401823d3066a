package io.tidemark.broker.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.coordinator.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Members that come, go, fall silent, crash and return, over coordinators that fail over. After every step: within a
 * generation each partition has one owner at most. Once the faults end: everybody is in one generation, and every
 * partition has an owner.
 */
class GroupSimulationTest {
    private static final int STEPS = 400;
    private static final int INSTANCES = 2;

    static IntStream seeds() {
        return IntStream.range(0, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void eachPartitionHasOneOwnerAndInTheEndAllHaveOne(int seed) {
        new Simulation(seed).run();
    }

    private static final class Simulation {
        private final int seed;
        private final Random random;
        private final GroupDriver driver = new GroupDriver(GroupDriver.settings());
        private final List<SimulatedMember> members = new ArrayList<>();

        Simulation(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                act();
                checkOwners();
            }
            heal();
        }

        private void act() {
            int dice = random.nextInt(100);
            if (dice < 6 && members.size() < 6) {
                String instanceId = random.nextInt(4) == 0 ? "instance-" + random.nextInt(INSTANCES) : null;
                members.add(new SimulatedMember(driver, instanceId));
            } else if (dice < 8 && !members.isEmpty()) {
                // A crash: whatever it waited for is answered to nobody.
                members.remove(random.nextInt(members.size()));
            } else if (dice < 10 && !members.isEmpty()) {
                members.remove(random.nextInt(members.size())).leave();
            } else if (dice < 12) {
                failOver();
            } else if (dice < 25) {
                driver.advance(random.nextInt(GroupDriver.SESSION_MS / 2));
            } else if (dice < 27) {
                driver.advance(random.nextInt(2 * GroupDriver.REBALANCE_MS));
            } else if (!members.isEmpty()) {
                members.get(random.nextInt(members.size())).step();
            }
        }

        private void failOver() {
            driver.coordinator.onUnloaded().forEach(Answer::deliver);
            driver.failOver();
        }

        /** A static member that was replaced goes on until it hears of it: the two are one owner, and one is fenced. */
        private void checkOwners() {
            Map<Integer, Map<Integer, String>> ownersByGeneration = new TreeMap<>();
            for (SimulatedMember member : members) {
                Map<Integer, String> owners =
                        ownersByGeneration.computeIfAbsent(member.generation(), generation -> new TreeMap<>());
                for (int partition : member.owned()) {
                    String other = owners.put(partition, member.identity());
                    assertThat(other == null || other.equals(member.identity()))
                            .as("seed %d: partition %d has two owners in %s", seed, partition, members)
                            .isTrue();
                }
            }
        }

        /** No more faults; every member goes on. Ghosts expire, and then all are together. */
        private void heal() {
            if (members.stream().allMatch(SimulatedMember::isFenced)) {
                members.add(new SimulatedMember(driver, null));
            }
            for (int round = 0; round < 400; round++) {
                members.forEach(SimulatedMember::step);
                driver.advance(GroupDriver.SESSION_MS / 10);
                checkOwners();
            }
            List<SimulatedMember> alive =
                    members.stream().filter(member -> !member.isFenced()).toList();
            assertThat(alive)
                    .as("seed %d: all are settled in one generation, of a group that is %s", seed, driver.state())
                    .allMatch(SimulatedMember::isSettled)
                    .extracting(SimulatedMember::generation)
                    .containsOnly(alive.get(0).generation());
            assertThat(alive.stream().flatMap(member -> member.owned().stream()).sorted())
                    .as("seed %d: every partition has an owner", seed)
                    .containsExactlyElementsOf(IntStream.range(0, SimulatedMember.PARTITIONS)
                            .boxed()
                            .toList());
        }
    }
}
