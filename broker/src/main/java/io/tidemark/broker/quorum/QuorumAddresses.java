package io.tidemark.broker.quorum;

import java.util.ArrayList;
import java.util.List;

/** Where the voters are, and which of them leads as far as this node has heard. */
final class QuorumAddresses {
    private final List<QuorumVoter> voters;
    private final List<Runnable> leaderListeners = new ArrayList<>();
    private int leaderId = -1;
    private int cursor;

    QuorumAddresses(List<QuorumVoter> voters) {
        if (voters.isEmpty()) {
            throw new IllegalArgumentException(
                    "The metadata quorum has no voters; set controller.quorum.voters to id@host:port");
        }
        this.voters = new ArrayList<>(voters);
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

    /** A node told where another is. Of a node whose address is known from before, that one stands. */
    void learn(QuorumVoter voter) {
        if (voters.stream().noneMatch(known -> known.nodeId() == voter.nodeId())) {
            voters.add(voter);
        }
    }

    QuorumVoter leaderOrAny() {
        for (QuorumVoter voter : voters) {
            if (voter.nodeId() == leaderId) {
                return voter;
            }
        }
        return voters.get(cursor);
    }

    /** The leader where its address is known, else any. */
    QuorumVoter node(int nodeId) {
        for (QuorumVoter voter : voters) {
            if (voter.nodeId() == nodeId) {
                return voter;
            }
        }
        return voters.get(cursor);
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
