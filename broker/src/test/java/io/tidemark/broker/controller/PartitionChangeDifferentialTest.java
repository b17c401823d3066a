package io.tidemark.broker.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.metadata.LeaderRecoveryState;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same wishes to the same partitions, decided here and by Apache Kafka's own controller, come to the same. */
class PartitionChangeDifferentialTest {
    private static final int CASES = 30_000;
    private static final Uuid TOPIC_ID = new Uuid(5, 5);
    private static final int NOBODY = -1;

    @Test
    void decidesAsKafkaDoes() {
        int changes = 0;
        for (int seed = 0; seed < CASES; seed++) {
            Case drawn = Case.draw(new Random(seed));
            Outcome expected = drawn.withElrOfReplicas(drawn.withNewEpochIfUnclean(Outcome.of(drawn.decidedByKafka())));
            assertThat(Outcome.of(drawn.decidedHere()))
                    .as("seed %d, %s", seed, drawn)
                    .isEqualTo(expected);
            changes += expected.equals(Outcome.NOTHING) ? 0 : 1;
        }
        assertThat(changes).as("cases in which something changes").isGreaterThan(CASES / 2);
    }

    /** What a record changes; lists whose order says nothing are sorted. */
    private record Outcome(
            int leader,
            @Nullable List<Integer> isr,
            @Nullable List<Integer> elr,
            @Nullable List<Integer> lastKnownElr,
            byte recoveryState,
            @Nullable List<Integer> replicas,
            @Nullable List<Integer> removing,
            @Nullable List<Integer> adding,
            @Nullable List<String> directories) {
        static final Outcome NOTHING = new Outcome(-2, null, null, null, (byte) -1, null, null, null, null);

        static Outcome of(@Nullable PartitionChangeRecord record) {
            return record == null
                    ? NOTHING
                    : new Outcome(
                            record.leader(),
                            record.isr(),
                            sorted(record.eligibleLeaderReplicas()),
                            record.lastKnownElr(),
                            record.leaderRecoveryState(),
                            record.replicas(),
                            record.removingReplicas(),
                            record.addingReplicas(),
                            record.directories() == null
                                    ? null
                                    : record.directories().stream()
                                            .map(id -> id.mostSignificantBits() + ":" + id.leastSignificantBits())
                                            .toList());
        }

        static Outcome of(org.apache.kafka.common.metadata.@Nullable PartitionChangeRecord record) {
            return record == null
                    ? NOTHING
                    : new Outcome(
                            record.leader(),
                            record.isr(),
                            sorted(record.eligibleLeaderReplicas()),
                            // A deviation: that nobody led is nothing to remember.
                            List.of(NOBODY).equals(record.lastKnownElr()) ? null : record.lastKnownElr(),
                            record.leaderRecoveryState(),
                            record.replicas(),
                            record.removingReplicas(),
                            record.addingReplicas(),
                            record.directories() == null
                                    ? null
                                    : record.directories().stream()
                                            .map(id -> id.getMostSignificantBits() + ":" + id.getLeastSignificantBits())
                                            .toList());
        }

        Outcome withLeader(int newLeader) {
            return new Outcome(
                    newLeader, isr, elr, lastKnownElr, recoveryState, replicas, removing, adding, directories);
        }

        Outcome withElr(@Nullable List<Integer> newElr) {
            return new Outcome(
                    leader, isr, newElr, lastKnownElr, recoveryState, replicas, removing, adding, directories);
        }

        private static @Nullable List<Integer> sorted(@Nullable List<Integer> list) {
            return list == null ? null : list.stream().sorted().toList();
        }
    }

    /**
     * A partition as it may be, and what is wished.
     *
     * @param newIsr what a leader proposes, or null
     * @param gone a broker that leaves the ISR, or -1
     * @param isUnclean whether that one had lost its memory
     */
    private record Case(
            PartitionRegistration partition,
            Set<Integer> alive,
            int minIsr,
            boolean elrEnabled,
            Election election,
            @Nullable List<Integer> newIsr,
            int gone,
            boolean isUnclean,
            @Nullable Reassignment assignment) {
        static Case draw(Random random) {
            boolean elrEnabled = random.nextInt(4) > 0;
            List<Integer> brokers = new ArrayList<>(List.of(1, 2, 3, 4, 5));
            Collections.shuffle(brokers, random);
            List<Integer> replicas = List.copyOf(brokers.subList(0, 1 + random.nextInt(4)));
            List<Integer> removing = List.of();
            List<Integer> adding = List.of();
            if (random.nextInt(3) == 0) {
                Reassignment moving = Reassignment.between(replicas, target(random));
                replicas = moving.replicas();
                removing = moving.removing();
                adding = moving.adding();
            }
            // Two at least, so that nobody who is elected out of the ELR makes the ISR large enough by himself: Kafka
            // leaves the rest of the ELR standing then.
            int minIsr = 2 + random.nextInt(2);
            int effectiveMinIsr = Math.min(minIsr, replicas.size());
            List<Integer> isr = some(replicas, random);
            List<Integer> elr = new ArrayList<>();
            if (elrEnabled && isr.size() < effectiveMinIsr) {
                elr.addAll(new TreeSet<>(some(Reassignment.without(replicas, isr), random)));
            }
            if (!elrEnabled && isr.isEmpty()) {
                isr = List.of(replicas.get(0));
            }
            boolean hasLeader = !isr.isEmpty() && random.nextInt(8) > 0;
            List<Integer> lastKnownElr = elrEnabled && isr.isEmpty() && random.nextBoolean()
                    ? List.of(replicas.get(random.nextInt(replicas.size())))
                    : List.of();
            PartitionRegistration partition = new PartitionRegistration(
                    replicas,
                    replicas.stream().map(broker -> new Uuid(99, broker)).toList(),
                    isr,
                    removing,
                    adding,
                    elr,
                    lastKnownElr,
                    hasLeader ? isr.get(random.nextInt(isr.size())) : PartitionRegistration.NO_LEADER,
                    (byte) random.nextInt(2),
                    7,
                    9);
            return withWish(partition, minIsr, elrEnabled, random);
        }

        private static Case withWish(PartitionRegistration partition, int minIsr, boolean elrEnabled, Random random) {
            List<Integer> newIsr = null;
            Reassignment assignment = null;
            int gone = NOBODY;
            boolean isUnclean = false;
            Set<Integer> alive = new TreeSet<>(some(List.of(1, 2, 3, 4, 5), random));
            if (partition.hasLeader() && random.nextInt(8) > 0) {
                alive.add(partition.leader());
            }
            Election election = Election.values()[random.nextInt(3)];
            switch (random.nextInt(4)) {
                case 0 -> {
                    if (partition.hasLeader()) {
                        TreeSet<Integer> members = new TreeSet<>(some(partition.replicas(), random));
                        members.add(partition.leader());
                        newIsr = List.copyOf(members);
                    }
                }
                case 1 -> {
                    gone = partition
                            .replicas()
                            .get(random.nextInt(partition.replicas().size()));
                    alive.remove(gone);
                    isUnclean = random.nextBoolean();
                }
                case 2 -> assignment = Reassignment.between(partition.replicas(), target(random));
                default -> {}
            }
            return new Case(partition, alive, minIsr, elrEnabled, election, newIsr, gone, isUnclean, assignment);
        }

        private static List<Integer> target(Random random) {
            List<Integer> brokers = new ArrayList<>(List.of(1, 2, 3, 4, 5));
            Collections.shuffle(brokers, random);
            return List.copyOf(brokers.subList(0, 1 + random.nextInt(3)));
        }

        private static List<Integer> some(List<Integer> all, Random random) {
            return all.stream().filter(one -> random.nextBoolean()).toList();
        }

        /** A deviation: here a member of the ISR or ELR that lost its memory always ends the leader epoch. */
        Outcome withNewEpochIfUnclean(Outcome outcome) {
            boolean isLost = partition.isr().contains(gone) || partition.elr().contains(gone);
            return isUnclean && isLost && outcome.leader() == PartitionRegistration.NO_LEADER_CHANGE
                    ? outcome.withLeader(partition.leader())
                    : outcome;
        }

        /**
         * A deviation: where a reassignment takes replicas away, Kafka may leave them in the ELR, measuring the ISR
         * against the number of replicas before.
         */
        Outcome withElrOfReplicas(Outcome outcome) {
            if (!elrEnabled || outcome.replicas() == null) {
                return outcome;
            }
            List<Integer> isr = outcome.isr() == null ? partition.isr() : outcome.isr();
            List<Integer> elr = new ArrayList<>(outcome.elr() == null ? partition.elr() : outcome.elr());
            elr.retainAll(outcome.replicas());
            if (isr.size() >= Math.min(minIsr, outcome.replicas().size())) {
                elr.clear();
            }
            return outcome.withElr(elr.equals(partition.elr()) ? null : elr);
        }

        @Nullable
        PartitionChangeRecord decidedHere() {
            PartitionChangeBuilder builder = new PartitionChangeBuilder(
                            partition, TOPIC_ID, 0, alive::contains, minIsr, elrEnabled, broker -> new Uuid(99, broker))
                    .election(election);
            if (newIsr != null) {
                builder.isr(newIsr);
            }
            if (gone != NOBODY && isUnclean) {
                builder.uncleanShutdown(gone);
            } else if (gone != NOBODY) {
                builder.withoutFromIsr(gone);
            }
            if (assignment != null) {
                builder.assignment(assignment);
            }
            return builder.build();
        }

        org.apache.kafka.common.metadata.@Nullable PartitionChangeRecord decidedByKafka() {
            org.apache.kafka.controller.PartitionChangeBuilder builder =
                    new org.apache.kafka.controller.PartitionChangeBuilder(
                                    kafkas(partition),
                                    new org.apache.kafka.common.Uuid(5, 5),
                                    0,
                                    alive::contains,
                                    MetadataVersion.latestProduction(),
                                    Math.min(minIsr, partition.replicas().size()),
                                    elrEnabled)
                            .setDefaultDirProvider(broker -> new org.apache.kafka.common.Uuid(99, broker))
                            .setElection(
                                    switch (election) {
                                        case CLEAN ->
                                            org.apache.kafka.controller.PartitionChangeBuilder.Election.ONLINE;
                                        case UNCLEAN ->
                                            org.apache.kafka.controller.PartitionChangeBuilder.Election.UNCLEAN;
                                        case PREFERRED ->
                                            org.apache.kafka.controller.PartitionChangeBuilder.Election.PREFERRED;
                                    });
            if (newIsr != null) {
                builder.setTargetIsr(newIsr);
            }
            if (gone != NOBODY) {
                builder.setTargetIsr(Reassignment.without(partition.isr(), List.of(gone)));
                if (isUnclean) {
                    builder.setUncleanShutdownReplicas(List.of(gone));
                }
            }
            if (assignment != null) {
                builder.setTargetReplicas(assignment.replicas())
                        .setTargetRemoving(assignment.removing())
                        .setTargetAdding(assignment.adding());
            }
            return builder.build()
                    .map(ApiMessageAndVersion::message)
                    .map(org.apache.kafka.common.metadata.PartitionChangeRecord.class::cast)
                    .orElse(null);
        }

        private static org.apache.kafka.metadata.PartitionRegistration kafkas(PartitionRegistration partition) {
            return new org.apache.kafka.metadata.PartitionRegistration.Builder()
                    .setReplicas(array(partition.replicas()))
                    .setDirectories(partition.replicas().stream()
                            .map(broker -> new org.apache.kafka.common.Uuid(99, broker))
                            .toArray(org.apache.kafka.common.Uuid[]::new))
                    .setIsr(array(partition.isr()))
                    .setRemovingReplicas(array(partition.removingReplicas()))
                    .setAddingReplicas(array(partition.addingReplicas()))
                    .setElr(array(partition.elr()))
                    .setLastKnownElr(array(partition.lastKnownElr()))
                    .setLeader(partition.leader())
                    .setLeaderRecoveryState(LeaderRecoveryState.of(partition.leaderRecoveryState()))
                    .setLeaderEpoch(partition.leaderEpoch())
                    .setPartitionEpoch(partition.partitionEpoch())
                    .build();
        }

        private static int[] array(List<Integer> list) {
            return list.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}
