package io.tidemark.broker.raft;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a leader makes of a request to change the voters (KIP-853): one voter at a time, so that a majority of the old
 * ones and a majority of the new ones have somebody in common.
 */
public sealed interface VoterChange {
    /** Nothing changes. */
    record Refused(ErrorCode error, String message) implements VoterChange {}

    /** These are to be written, and count from then on; the change is done when they are committed. */
    record Accepted(VoterSet voters) implements VoterChange {}

    /** A replica has to have been at the leader's end within so long to be taken in, or it might hold commits up. */
    long MOST_LAG_MS = 3_600_000;

    /** A replica that fetches as an observer gets a vote. */
    static VoterChange add(Leader leader, VoterHistory history, Voter voter, long wallTimeMs) {
        Refused refused = refusal(leader, history);
        if (refused != null) {
            return refused;
        }
        if (history.voters().voter(voter.nodeId()) != null) {
            return new Refused(
                    ErrorCode.DUPLICATE_VOTER,
                    "Node " + voter.nodeId() + " is a voter already; remove it first if it has another directory now");
        }
        if (voter.directoryId().equals(Uuid.ZERO) || voter.endpoints().isEmpty()) {
            return new Refused(
                    ErrorCode.INVALID_REQUEST, "Voter " + voter.nodeId() + " needs a directory id and a listener");
        }
        ReplicaProgress progress = leader.progress(voter.key());
        if (progress == null
                || progress.lastCaughtUpTimeMs() < 0
                || wallTimeMs - progress.lastCaughtUpTimeMs() > MOST_LAG_MS) {
            return new Refused(
                    ErrorCode.REQUEST_TIMED_OUT,
                    "Node " + voter.nodeId() + " with directory " + voter.directoryId()
                            + " has not caught up with the metadata log; it has to fetch as an observer first");
        }
        return new Accepted(history.voters().with(voter));
    }

    /** A voter loses its vote; it may be this leader, which then resigns when that is committed. */
    static VoterChange remove(Leader leader, VoterHistory history, ReplicaKey replica) {
        Refused refused = refusal(leader, history);
        if (refused != null) {
            return refused;
        }
        Voter voter = history.voters().voter(replica.nodeId());
        if (voter == null || !voter.directoryId().equals(replica.directoryId())) {
            return notFound(replica, history);
        }
        if (history.voters().size() == 1) {
            return new Refused(
                    ErrorCode.INVALID_REQUEST, "Node " + replica.nodeId() + " is the last voter; add another first");
        }
        return new Accepted(history.voters().without(replica.nodeId()));
    }

    /** A voter is reached elsewhere now, or speaks other versions. */
    static VoterChange update(Leader leader, VoterHistory history, Voter voter) {
        Refused refused = refusal(leader, history);
        if (refused != null) {
            return refused;
        }
        Voter before = history.voters().voter(voter.nodeId());
        if (before == null || !before.directoryId().equals(voter.directoryId())) {
            return notFound(voter.key(), history);
        }
        if (history.kraftVersion() < voter.minKraftVersion() || history.kraftVersion() > voter.maxKraftVersion()) {
            return new Refused(
                    ErrorCode.INVALID_REQUEST,
                    "Voter " + voter.nodeId() + " speaks kraft.version " + voter.minKraftVersion() + " to "
                            + voter.maxKraftVersion() + "; the quorum is at " + history.kraftVersion());
        }
        return new Accepted(history.voters().with(voter));
    }

    /**
     * The voters of the configuration are written into the log, each with the directory that it fetches from, so that
     * they can be changed from then on: kraft.version 0 becomes 1.
     *
     * @param endpoints the voters as they are reached, by their registration
     */
    static VoterChange toKraftVersion1(Leader leader, VoterHistory history, VoterSet endpoints) {
        if (leader.highWatermark() < 0) {
            return notYet();
        }
        if (history.kraftVersion() > 0) {
            return new Refused(ErrorCode.NONE, "It is at kraft.version " + history.kraftVersion());
        }
        List<Voter> voters = new ArrayList<>();
        for (ReplicaProgress progress : leader.voters(0, 0)) {
            Voter reached = endpoints.voter(progress.replicaId());
            if (progress.directoryId().equals(Uuid.ZERO) || reached == null) {
                return new Refused(
                        ErrorCode.INVALID_UPDATE_VERSION,
                        "Voter " + progress.replicaId() + " has not fetched or not registered yet, so it is not known"
                                + " what it is to be written down as");
            }
            voters.add(new Voter(
                    progress.replicaId(),
                    progress.directoryId(),
                    reached.endpoints(),
                    reached.minKraftVersion(),
                    reached.maxKraftVersion()));
        }
        return new Accepted(VoterSet.of(voters));
    }

    private static Refused notFound(ReplicaKey replica, VoterHistory history) {
        return new Refused(
                ErrorCode.VOTER_NOT_FOUND,
                "Node " + replica.nodeId() + " with directory " + replica.directoryId() + " is no voter; voters are "
                        + history.voters().voters().stream().map(Voter::key).toList());
    }

    private static Refused notYet() {
        return new Refused(
                ErrorCode.REQUEST_TIMED_OUT, "The leader does not know yet what is committed; ask again in a moment");
    }

    private static @Nullable Refused refusal(Leader leader, VoterHistory history) {
        if (leader.highWatermark() < 0) {
            return notYet();
        }
        if (history.kraftVersion() < 1) {
            return new Refused(
                    ErrorCode.UNSUPPORTED_VERSION,
                    "Voters that are given by configuration cannot be changed; upgrade kraft.version to 1 first");
        }
        if (history.votersOffset() >= leader.highWatermark()) {
            return new Refused(
                    ErrorCode.REQUEST_TIMED_OUT,
                    "Another change of the voters is not committed yet; ask again in a moment");
        }
        return null;
    }
}
