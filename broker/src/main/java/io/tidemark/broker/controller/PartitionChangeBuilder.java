package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One decision about one partition: from what is registered, and a wish, to the record that changes it.
 *
 * <p>The eligible leader replicas (KIP-966) are former ISR members that hold everything below the high watermark:
 * while the ISR is smaller than min.insync.replicas the high watermark stands still, so whoever leaves the ISR then
 * may still lead, unless it shut down uncleanly. An ISR that is large enough empties the ELR. An ISR may become empty.
 * Where nobody leads, the last leader is remembered, and may be elected again (uncleanly) once nobody better can come.
 *
 * <p>Whatever the wish is, a reassignment that is over by it is completed in the same record (KIP-455).
 */
final class PartitionChangeBuilder {
    private static final int NOBODY = -1;

    private final PartitionRegistration partition;
    private final Uuid topicId;
    private final int partitionId;
    private final IntPredicate canLead;
    private final int minInsyncReplicas;
    private final boolean elrEnabled;
    private final IntFunction<Uuid> defaultDirectory;

    private Election election = Election.CLEAN;
    private int uncleanBroker = NOBODY;
    private byte recoveryState;
    private Reassignment assignment;
    private List<Integer> isr;
    private List<Integer> elr;
    private List<Integer> lastKnownElr;

    /**
     * @param canLead whether a broker may lead from now on
     * @param minInsyncReplicas the topic's min.insync.replicas, which counts at most as many as there are replicas
     * @param elrEnabled whether eligible.leader.replicas.version is finalized
     * @param defaultDirectory the directory of a replica that is new on a broker
     */
    PartitionChangeBuilder(
            PartitionRegistration partition,
            Uuid topicId,
            int partitionId,
            IntPredicate canLead,
            int minInsyncReplicas,
            boolean elrEnabled,
            IntFunction<Uuid> defaultDirectory) {
        this.partition = partition;
        this.topicId = topicId;
        this.partitionId = partitionId;
        this.canLead = canLead;
        this.minInsyncReplicas = minInsyncReplicas;
        this.elrEnabled = elrEnabled;
        this.defaultDirectory = defaultDirectory;
        this.assignment = Reassignment.of(partition);
        this.isr = partition.isr();
        this.elr = partition.elr();
        this.lastKnownElr = partition.lastKnownElr();
        this.recoveryState = partition.leaderRecoveryState();
    }

    PartitionChangeBuilder election(Election type) {
        this.election = type;
        return this;
    }

    PartitionChangeBuilder isr(List<Integer> newIsr) {
        this.isr = List.copyOf(newIsr);
        return this;
    }

    /** The replicas, with those on their way in and out. */
    PartitionChangeBuilder assignment(Reassignment wanted) {
        this.assignment = wanted;
        return this;
    }

    PartitionChangeBuilder recoveryState(byte state) {
        this.recoveryState = state;
        return this;
    }

    PartitionChangeBuilder withoutFromIsr(int brokerId) {
        this.isr = without(isr, brokerId);
        return this;
    }

    /** The broker came back without a clean shutdown: it may have lost records, so it is no longer in sync nor eligible. */
    PartitionChangeBuilder uncleanShutdown(int brokerId) {
        this.uncleanBroker = brokerId;
        this.isr = without(isr, brokerId);
        return this;
    }

    /** The record, or null where everything stays as it is. */
    @Nullable
    PartitionChangeRecord build() {
        completeReassignment();
        if (isr.isEmpty() && !elrEnabled) {
            // Without an ELR the last member stays, so that it is known who may be elected cleanly.
            isr = partition.isr();
        }
        updateElr();
        int leader = elect();
        boolean lostUncleanly =
                partition.isr().contains(uncleanBroker) || partition.elr().contains(uncleanBroker);
        // The leader that goes on without some of its replicas does so in a new epoch, so that their fetches end.
        boolean replicasGo = !assignment.replicas().containsAll(partition.replicas());
        boolean newLeaderEpoch = leader != partition.leader() || lostUncleanly || replicasGo;
        int named = newLeaderEpoch ? leader : PartitionRegistration.NO_LEADER_CHANGE;
        rememberLastLeader(named);
        return toRecord(named);
    }

    private void completeReassignment() {
        if (assignment.isCompleteWith(isr)) {
            isr = Reassignment.without(isr, assignment.removing());
            assignment = new Reassignment(assignment.target(), List.of(), List.of());
        }
    }

    private int minIsr() {
        return Math.min(minInsyncReplicas, assignment.replicas().size());
    }

    private void updateElr() {
        if (!elrEnabled) {
            return;
        }
        if (isr.size() >= minIsr()) {
            elr = List.of();
            return;
        }
        Set<Integer> eligible = new TreeSet<>(partition.elr());
        eligible.addAll(partition.isr());
        isr.forEach(eligible::remove);
        eligible.remove(uncleanBroker);
        eligible.retainAll(assignment.replicas());
        elr = List.copyOf(eligible);
    }

    private int elect() {
        int preferred = assignment.replicas().get(0);
        if (election == Election.PREFERRED && mayLeadCleanly(preferred)) {
            return install(preferred, false);
        }
        if (partition.hasLeader() && mayLeadCleanly(partition.leader())) {
            return install(partition.leader(), false);
        }
        for (int replica : assignment.replicas()) {
            if (mayLeadCleanly(replica)) {
                return install(replica, false);
            }
        }
        if (lastLeaderMayReturn()) {
            return install(lastKnownElr.get(0), true);
        }
        if (election == Election.UNCLEAN) {
            for (int replica : assignment.replicas()) {
                if (canLead.test(replica)) {
                    return install(replica, true);
                }
            }
        }
        return PartitionRegistration.NO_LEADER;
    }

    private boolean mayLeadCleanly(int replica) {
        boolean inSync = isr.contains(replica) || (elrEnabled && isr.isEmpty() && elr.contains(replica));
        return inSync && canLead.test(replica);
    }

    private boolean lastLeaderMayReturn() {
        return elrEnabled
                && isr.isEmpty()
                && elr.isEmpty()
                && lastKnownElr.size() == 1
                && assignment.replicas().contains(lastKnownElr.get(0))
                && canLead.test(lastKnownElr.get(0));
    }

    /** A leader that was not in the ISR becomes all of it. */
    private int install(int leader, boolean unclean) {
        if (unclean) {
            isr = List.of(leader);
            elr = List.of();
            recoveryState = PartitionRegistration.RECOVERING;
        } else if (!isr.contains(leader)) {
            isr = List.of(leader);
            elr = without(elr, leader);
        }
        if (elrEnabled && isr.size() >= minIsr()) {
            elr = List.of();
        }
        return leader;
    }

    private void rememberLastLeader(int newLeader) {
        if (!elrEnabled) {
            return;
        }
        if (newLeader >= 0) {
            lastKnownElr = List.of();
        } else if (newLeader == PartitionRegistration.NO_LEADER && lastKnownElr.isEmpty() && partition.hasLeader()) {
            lastKnownElr = List.of(partition.leader());
        }
    }

    private @Nullable PartitionChangeRecord toRecord(int leader) {
        PartitionChangeRecord record =
                new PartitionChangeRecord().setTopicId(topicId).setPartitionId(partitionId);
        boolean changed = false;
        if (leader != PartitionRegistration.NO_LEADER_CHANGE) {
            record.setLeader(leader);
            changed = true;
        }
        if (!isr.equals(partition.isr())) {
            record.setIsr(new ArrayList<>(isr));
            changed = true;
        }
        if (!elr.equals(partition.elr())) {
            record.setEligibleLeaderReplicas(new ArrayList<>(elr));
            changed = true;
        }
        if (!lastKnownElr.equals(partition.lastKnownElr())) {
            record.setLastKnownElr(new ArrayList<>(lastKnownElr));
            changed = true;
        }
        if (recoveryState != partition.leaderRecoveryState()) {
            record.setLeaderRecoveryState(recoveryState);
            changed = true;
        }
        return setAssignment(record) || changed ? record : null;
    }

    private boolean setAssignment(PartitionChangeRecord record) {
        boolean changed = false;
        if (!assignment.replicas().equals(partition.replicas())) {
            record.setReplicas(new ArrayList<>(assignment.replicas()));
            changed = true;
        }
        List<Uuid> directories = directories();
        if (!directories.equals(partition.directories())) {
            record.setDirectories(directories);
            changed = true;
        }
        if (!assignment.removing().equals(partition.removingReplicas())) {
            record.setRemovingReplicas(new ArrayList<>(assignment.removing()));
            changed = true;
        }
        if (!assignment.adding().equals(partition.addingReplicas())) {
            record.setAddingReplicas(new ArrayList<>(assignment.adding()));
            changed = true;
        }
        return changed;
    }

    private List<Uuid> directories() {
        List<Uuid> directories = new ArrayList<>();
        for (int replica : assignment.replicas()) {
            directories.add(
                    partition.replicas().contains(replica)
                            ? partition.directory(replica)
                            : defaultDirectory.apply(replica));
        }
        return directories;
    }

    private static List<Integer> without(List<Integer> list, int brokerId) {
        List<Integer> result = new ArrayList<>(list);
        result.remove(Integer.valueOf(brokerId));
        return List.copyOf(result);
    }
}
