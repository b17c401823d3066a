package io.tidemark.broker.raft;

/** Who is given a vote, and who would be: KIP-595, and KIP-996 for pre-votes. */
final class VoteRules {
    private VoteRules() {}

    /** The request is of the current epoch. */
    static boolean isGranted(Role role, ElectionState election, LogView log, RaftRequest.Vote vote) {
        boolean isUpToDate = FetchRules.isUpToDate(log, vote.lastEpoch(), vote.logEndOffset());
        if (vote.isPreVote()) {
            boolean holdsToALeader =
                    role instanceof Leader || role instanceof Follower follower && follower.hasFetched();
            return isUpToDate && !holdsToALeader;
        }
        if (role instanceof Leader || role instanceof Resigned || election.hasLeader()) {
            return false;
        }
        if (election.votedId() != ElectionState.NOBODY) {
            return election.votedId() == vote.candidate().nodeId()
                    && election.votedDirectoryId().equals(vote.candidate().directoryId());
        }
        return isUpToDate;
    }
}
