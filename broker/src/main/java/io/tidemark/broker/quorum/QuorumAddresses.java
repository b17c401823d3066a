package io.tidemark.broker.quorum;

import io.tidemark.broker.raft.Voter;
import io.tidemark.broker.raft.VoterSet;
import io.tidemark.broker.types.Endpoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the voters are, and which of them leads as far as this node has heard. */
final class QuorumAddresses {
    private final List<QuorumVoter> voters;
    private final int configuredCount;
    private final List<Runnable> leaderListeners = new ArrayList<>();
    private int leaderId = -1;
    private int cursor;

    QuorumAddresses(List<QuorumVoter> voters) {
        if (voters.isEmpty()) {
            throw new IllegalArgumentException(
                    "The metadata quorum has no voters; set controller.quorum.voters to id@host:port");
        }
        this.voters = new ArrayList<>(voters);
        this.configuredCount = voters.size();
    }

    /** Has the listener called when another leader is known. */
    void onLeader(Runnable listener) {
        leaderListeners.add(listener);
    }

    void leader(int newLeaderId) {
        if (leaderId != newLeaderId) {
            leaderId = newLeaderId;
            leaderListeners.forEach(Runnable::run);
        }
    }

    /**
     * A node told where it, or another, is, or the log says so. What was heard last counts; of a node whose address is
     * configured, that one stands.
     */
    void learn(QuorumVoter voter) {
        QuorumVoter known = find(voter.nodeId());
        if (known == null) {
            voters.add(voter);
        } else if (!known.equals(voter) && voters.indexOf(known) >= configuredCount) {
            voters.set(voters.indexOf(known), voter);
            if (voter.nodeId() == leaderId) {
                leaderListeners.forEach(Runnable::run);
            }
        }
    }

    /** Who votes, by the log (KIP-853); the configuration of a node may know of none of them any more. */
    void learn(VoterSet voterSet) {
        for (Voter voter : voterSet.voters()) {
            if (!voter.endpoints().isEmpty()) {
                Endpoint first = voter.endpoints().get(0);
                learn(new QuorumVoter(voter.nodeId(), first.host(), first.port()));
            }
        }
    }

    /** Where a node is, null where that is not known. */
    @Nullable
    QuorumVoter find(int nodeId) {
        for (QuorumVoter voter : voters) {
            if (voter.nodeId() == nodeId && nodeId >= 0) {
                return voter;
            }
        }
        return null;
    }

    QuorumVoter leaderOrAny() {
        return node(leaderId);
    }

    /** The node where its address is known, else any. */
    QuorumVoter node(int nodeId) {
        QuorumVoter known = find(nodeId);
        return known != null ? known : voters.get(cursor);
    }

    /** Whom to try after one that did not answer. */
    QuorumVoter next(QuorumVoter after) {
        leaderId = -1;
        return another(after);
    }

    /** Another than this one, where there is one. */
    QuorumVoter another(QuorumVoter than) {
        cursor = (voters.indexOf(than) + 1) % voters.size();
        return voters.get(cursor);
    }
}
