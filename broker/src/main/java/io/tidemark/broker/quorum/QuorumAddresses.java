package io.tidemark.broker.quorum;

import java.util.ArrayList;
import java.util.List;

/** Where the voters are, and which of them leads as far as this node has heard. */
final class QuorumAddresses {
    private final List<QuorumVoter> voters;
    private int leaderId = -1;
    private int cursor;

    QuorumAddresses(List<QuorumVoter> voters) {
        if (voters.isEmpty()) {
            throw new IllegalArgumentException(
                    "The metadata quorum has no voters; set controller.quorum.voters to id@host:port");
        }
        this.voters = new ArrayList<>(voters);
    }

    void leader(int newLeaderId) {
        leaderId = newLeaderId;
    }

    /** A node told where another is. What was configured stands. */
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

    /** Whom to try after one that did not answer. */
    QuorumVoter next(QuorumVoter after) {
        leaderId = -1;
        cursor = (voters.indexOf(after) + 1) % voters.size();
        return voters.get(cursor);
    }
}
