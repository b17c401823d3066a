package io.tidemark.broker.partition;

import java.util.List;

/**
 * A change of the in-sync set for the controller to accept or refuse: a compare-and-set on the partition epoch.
 *
 * @param isr the proposed members
 * @param leaderEpoch the epoch of the leader that proposes
 * @param partitionEpoch the partition epoch that must still hold
 * @param leaderRecoveryState as it will be: 0 recovered
 */
public record IsrProposal(List<IsrMember> isr, int leaderEpoch, int partitionEpoch, byte leaderRecoveryState) {
    public IsrProposal {
        isr = List.copyOf(isr);
    }
}
