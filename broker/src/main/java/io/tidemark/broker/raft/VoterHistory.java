package io.tidemark.broker.raft;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Who votes as of which offset (KIP-853): the configured voters, then each set that is in the log. The last one counts,
 * committed or not; where the log is cut, the one before counts again.
 */
public final class VoterHistory {
    private final VoterSet configured;
    private final NavigableMap<Long, VoterSet> votersByOffset = new TreeMap<>();
    private final NavigableMap<Long, Short> versionsByOffset = new TreeMap<>();

    /** @param configured of {@code controller.quorum.voters}; empty where the voters are in the log alone */
    public VoterHistory(VoterSet configured) {
        this.configured = configured;
    }

    public void addVoters(long offset, VoterSet voters) {
        votersByOffset.put(offset, voters);
    }

    public void addKraftVersion(long offset, short kraftVersion) {
        versionsByOffset.put(offset, kraftVersion);
    }

    /** The log was cut: what lay at or above the offset is gone. */
    public void truncateTo(long endOffset) {
        votersByOffset.tailMap(endOffset, true).clear();
        versionsByOffset.tailMap(endOffset, true).clear();
    }

    public VoterSet voters() {
        return votersByOffset.isEmpty()
                ? configured
                : votersByOffset.lastEntry().getValue();
    }

    /** Who voted when all below an offset was the log: for a snapshot that ends there. */
    public VoterSet votersBelow(long endOffset) {
        var entry = votersByOffset.lowerEntry(endOffset);
        return entry == null ? configured : entry.getValue();
    }

    /** 0 where voters are given by configuration, 1 where they are in the log. */
    public short kraftVersion() {
        return versionsByOffset.isEmpty() ? 0 : versionsByOffset.lastEntry().getValue();
    }

    /** As {@link #votersBelow}. */
    public short kraftVersionBelow(long endOffset) {
        var entry = versionsByOffset.lowerEntry(endOffset);
        return entry == null ? 0 : entry.getValue();
    }

    /** The offset of the last set, -1 where none is in the log. */
    public long votersOffset() {
        return votersByOffset.isEmpty() ? -1 : votersByOffset.lastKey();
    }
}
