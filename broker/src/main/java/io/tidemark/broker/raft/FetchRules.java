package io.tidemark.broker.raft;

/** Where a replica's log and the leader's part: KIP-595's check of each fetch, and what the replica does about it. */
final class FetchRules {
    private FetchRules() {}

    /**
     * @param fetchOffset where the replica's log ends
     * @param lastFetchedEpoch the epoch of its last record, 0 where it has none
     */
    static FetchOutcome compare(LogView log, long fetchOffset, int lastFetchedEpoch) {
        if (fetchOffset == 0 && lastFetchedEpoch <= 0 && log.startOffset() == 0) {
            return new FetchOutcome.Accepted();
        }
        SnapshotId earliest = log.earliestSnapshot();
        SnapshotId latest = log.latestSnapshot();
        if (earliest != null && latest != null && isBelow(log, earliest, fetchOffset, lastFetchedEpoch)) {
            return new FetchOutcome.SnapshotNeeded(latest);
        }
        int floor = log.epochFloor(lastFetchedEpoch);
        if (floor < 0 && earliest != null && lastFetchedEpoch == earliest.leaderEpoch()) {
            // An empty log on top of a snapshot: the snapshot's epoch ends where the log begins.
            floor = lastFetchedEpoch;
        }
        long end = floor < 0 || log.epochFloor(floor) < 0 ? log.startOffset() : log.endOffsetOf(floor);
        if (floor != lastFetchedEpoch || end < fetchOffset) {
            return new FetchOutcome.Diverging(Math.max(floor, 0), end);
        }
        return new FetchOutcome.Accepted();
    }

    private static boolean isBelow(LogView log, SnapshotId earliest, long fetchOffset, int lastFetchedEpoch) {
        boolean atStartWithAnotherHistory = fetchOffset == log.startOffset()
                && log.startOffset() == earliest.endOffset()
                && lastFetchedEpoch != earliest.leaderEpoch();
        return fetchOffset < log.startOffset()
                || atStartWithAnotherHistory
                || lastFetchedEpoch < earliest.leaderEpoch();
    }

    /** How far a replica keeps its log when its leader tells where they part. */
    static long truncationTarget(LogView log, int divergingEpoch, long divergingEndOffset) {
        int floor = log.epochFloor(divergingEpoch);
        long ownEnd = floor < 0 ? log.startOffset() : log.endOffsetOf(floor);
        return Math.min(Math.min(divergingEndOffset, ownEnd), log.endOffset());
    }

    /** True where a log that ends so has all that could be committed as far as this one knows. */
    static boolean isUpToDate(LogView log, int lastEpoch, long lastEpochEndOffset) {
        return lastEpoch > log.lastEpoch() || (lastEpoch == log.lastEpoch() && lastEpochEndOffset >= log.endOffset());
    }
}
