package io.tidemark.broker.metadata;

import io.tidemark.broker.types.Uuid;
import java.util.List;

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
}
