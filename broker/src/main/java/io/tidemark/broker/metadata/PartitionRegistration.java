package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the controller has decided about one partition. All lists are immutable.
 *
 * @param replicas the assigned brokers, the preferred leader first
 * @param directories the log directory of each replica, in the order of {@code replicas} (KIP-858)
 * @param isr the in-sync replicas
 * @param removingReplicas replicas on their way out of a reassignment
 * @param addingReplicas replicas on their way in
 * @param elr the eligible leader replicas (KIP-966)
 * @param lastKnownElr the last known eligible leaders
 * @param leader the leader's broker id, or {@link #NO_LEADER}
 * @param leaderRecoveryState 0 recovered, 1 recovering (KIP-704)
 * @param leaderEpoch rises with every change of the leader
 * @param partitionEpoch rises with every change of this record
 */
public record PartitionRegistration(
        List<Integer> replicas,
        List<Uuid> directories,
        List<Integer> isr,
        List<Integer> removingReplicas,
        List<Integer> addingReplicas,
        List<Integer> elr,
        List<Integer> lastKnownElr,
        int leader,
        byte leaderRecoveryState,
        int leaderEpoch,
        int partitionEpoch) {
    /** In place of a leader's id where there is none. */
    public static final int NO_LEADER = -1;

    /** In a change record: the leader, and with it the leader epoch, stays. */
    public static final int NO_LEADER_CHANGE = -2;

    public static final byte RECOVERED = 0;
    public static final byte RECOVERING = 1;

    /** In a change record: the recovery state stays. */
    public static final byte NO_RECOVERY_CHANGE = -1;

    /** The replica's broker has yet to choose a directory. */
    public static final Uuid UNASSIGNED_DIRECTORY = new Uuid(0, 1);

    public PartitionRegistration {
        replicas = List.copyOf(replicas);
        directories = List.copyOf(directories);
        isr = List.copyOf(isr);
        removingReplicas = List.copyOf(removingReplicas);
        addingReplicas = List.copyOf(addingReplicas);
        elr = List.copyOf(elr);
        lastKnownElr = List.copyOf(lastKnownElr);
    }

    public boolean hasLeader() {
        return leader != NO_LEADER;
    }

    /** After a change: a leader that is named, even the same one, makes a new leader epoch. */
    PartitionRegistration merge(PartitionChangeRecord change) {
        boolean leaderNamed = change.leader() != NO_LEADER_CHANGE;
        List<Integer> newReplicas = or(change.replicas(), replicas);
        return new PartitionRegistration(
                newReplicas,
                change.directories() == null ? directoriesFor(newReplicas) : change.directories(),
                or(change.isr(), isr),
                or(change.removingReplicas(), removingReplicas),
                or(change.addingReplicas(), addingReplicas),
                or(change.eligibleLeaderReplicas(), elr),
                or(change.lastKnownElr(), lastKnownElr),
                leaderNamed ? change.leader() : leader,
                change.leaderRecoveryState() == NO_RECOVERY_CHANGE ? leaderRecoveryState : change.leaderRecoveryState(),
                leaderNamed ? leaderEpoch + 1 : leaderEpoch,
                partitionEpoch + 1);
    }

    PartitionRegistration withoutElr() {
        return new PartitionRegistration(
                replicas,
                directories,
                isr,
                removingReplicas,
                addingReplicas,
                List.of(),
                List.of(),
                leader,
                leaderRecoveryState,
                leaderEpoch,
                partitionEpoch);
    }

    /** The directory of a replica, or unassigned where the broker is no replica. */
    public Uuid directory(int brokerId) {
        int index = replicas.indexOf(brokerId);
        return index < 0 ? UNASSIGNED_DIRECTORY : directories.get(index);
    }

    private List<Uuid> directoriesFor(List<Integer> newReplicas) {
        if (newReplicas.equals(replicas)) {
            return directories;
        }
        List<Uuid> result = new ArrayList<>();
        for (int replica : newReplicas) {
            result.add(directory(replica));
        }
        return result;
    }

    private static List<Integer> or(@Nullable List<Integer> changed, List<Integer> before) {
        return changed == null ? before : changed;
    }
}
