package io.tidemark.broker.partition;

import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One partition in the hands of its leader, for one leader epoch.
 *
 * <p>The owner records the epoch's start in the log before it makes one of these, so that no write can come first.
 */
public final class LeaderPartition {
    private final int localId;
    private final int leaderEpoch;
    private final long epochStartOffset;
    private final ReplicaBrokers brokers;
    private final SortedMap<Integer, RemoteReplica> followers = new TreeMap<>();

    /** Who has left the in-sync set by an answer of the controller that the metadata does not tell yet. */
    private final Set<Integer> leaving = new TreeSet<>();

    private LeaderSettings settings;
    private IsrState isr;
    private long logEndOffset;
    private long highWatermark;

    /**
     * @param localId this broker
     * @param registration what the controller decided, with this broker as its leader
     * @param logEndOffset the local log's end, where the epoch starts
     * @param highWatermark what this replica knew to be committed when it took over
     */
    public LeaderPartition(
            int localId,
            PartitionRegistration registration,
            long logEndOffset,
            long highWatermark,
            LeaderSettings settings,
            ReplicaBrokers brokers,
            long nowMs) {
        this.localId = localId;
        this.leaderEpoch = registration.leaderEpoch();
        this.epochStartOffset = logEndOffset;
        this.brokers = brokers;
        this.settings = settings;
        this.logEndOffset = logEndOffset;
        this.highWatermark = Math.min(highWatermark, logEndOffset);
        this.isr = new IsrState.Committed(registration.isr(), registration.partitionEpoch());
        syncFollowers(registration, nowMs);
    }

    /** Looks at the watermark once after construction: a sole replica has everything committed. */
    public List<LeaderEffect> onStart(long nowMs) {
        return advance(nowMs);
    }

    /** The local log has grown (or was found) to end here. */
    public List<LeaderEffect> onAppend(long newLogEndOffset, long nowMs) {
        logEndOffset = newLogEndOffset;
        return advance(nowMs);
    }

    /**
     * Why a follower's fetch is not to be counted or served: it is no replica, or its broker epoch is older than the
     * metadata's, so that it speaks for a process that is gone (KIP-903).
     */
    public ErrorCode checkFollower(FollowerProgress progress) {
        if (!followers.containsKey(progress.brokerId())) {
            return ErrorCode.UNKNOWN_LEADER_EPOCH;
        }
        long known = brokers.brokerEpoch(progress.brokerId());
        boolean isStale =
                progress.brokerEpoch() != ReplicaBrokers.UNKNOWN_BROKER_EPOCH && progress.brokerEpoch() < known;
        return isStale ? ErrorCode.NOT_LEADER_OR_FOLLOWER : ErrorCode.NONE;
    }

    /** A follower, checked before, fetches from an offset within the log and with no divergence. */
    public List<LeaderEffect> onFollowerFetch(FollowerProgress progress, long nowMs) {
        RemoteReplica before = followers.get(progress.brokerId());
        if (before == null) {
            return List.of();
        }
        followers.put(progress.brokerId(), before.onFetch(progress, logEndOffset, nowMs));
        return advanceAndExpand(nowMs);
    }

    /**
     * Followers were silent because they, or this leader, stood still: that is no lag.
     *
     * @param silenceMs how long since the last call, in milliseconds, by broker id
     */
    public void onStalls(IntToLongFunction silenceMs, long nowMs) {
        followers.replaceAll((id, follower) -> follower.forgiven(silenceMs.applyAsLong(id), nowMs));
    }

    /** Time has passed: members that lag too long are to leave. To be called every half of the allowed lag. */
    public List<LeaderEffect> onLagCheck(long nowMs) {
        if (isr instanceof IsrState.Committed committed) {
            List<Integer> leaving = new ArrayList<>();
            for (int member : committed.committed()) {
                RemoteReplica follower = followers.get(member);
                if (follower != null && !isCaughtUp(follower, nowMs)) {
                    leaving.add(member);
                }
            }
            if (!leaving.isEmpty()) {
                return List.of(propose(committed.shrinking(leaving)));
            }
        }
        return List.of();
    }

    /**
     * The topic's or the broker's configuration has changed. What follows from that is for {@link #reconsider} to say,
     * when all that was decided with it is known: this may be a leader no more.
     */
    public void onSettings(LeaderSettings newSettings) {
        settings = newSettings;
    }

    /** The brokers or the configuration have changed: one that was fenced may join now, or fewer may be enough. */
    public List<LeaderEffect> reconsider(long nowMs) {
        return advanceAndExpand(nowMs);
    }

    /**
     * New metadata for the same leader epoch. Its in-sync set replaces a committed or a pending one, if it is newer:
     * the answer to a proposal may have come first.
     */
    public List<LeaderEffect> onRegistration(PartitionRegistration registration, long nowMs) {
        if (registration.partitionEpoch() >= isr.partitionEpoch()) {
            leaving.clear();
        }
        if (registration.partitionEpoch() > isr.partitionEpoch()) {
            isr = new IsrState.Committed(registration.isr(), registration.partitionEpoch());
            syncFollowers(registration, nowMs);
        }
        return advanceAndExpand(nowMs);
    }

    /**
     * The controller has committed a proposal of this leader.
     *
     * <p>Who leaves by it holds the high watermark back until the metadata has come as far: min.insync.replicas may have
     * been raised before, so that the controller counts him among the eligible leaders, and this leader does not know.
     */
    public List<LeaderEffect> onIsrAccepted(List<Integer> members, int partitionEpoch, long nowMs) {
        if (partitionEpoch > isr.partitionEpoch()) {
            leaving.addAll(isr.maximal());
            leaving.removeAll(members);
            isr = new IsrState.Committed(members, partitionEpoch);
        } else if (partitionEpoch == isr.partitionEpoch() && isr instanceof IsrState.Pending pending) {
            // The set was as proposed already: nothing was changed, and nothing is under way any more.
            isr = pending.last();
        }
        return advanceAndExpand(nowMs);
    }

    /**
     * The controller has refused a proposal. Where it will tell newer metadata (it knows another leader or partition
     * epoch), the proposal stays pending until that comes, so that the maximal set stays safe.
     */
    public List<LeaderEffect> onIsrRefused(ErrorCode error, long nowMs) {
        boolean isForgotten = error == ErrorCode.INELIGIBLE_REPLICA || error == ErrorCode.OPERATION_NOT_ATTEMPTED;
        if (isForgotten && isr instanceof IsrState.Pending pending) {
            isr = pending.last();
            return advance(nowMs);
        }
        return List.of();
    }

    /** NONE, or why a write that wants every in-sync replica must not be appended. */
    public ErrorCode checkAcksAll() {
        return isUnderMinIsr() ? ErrorCode.NOT_ENOUGH_REPLICAS : ErrorCode.NONE;
    }

    /**
     * The state of a write that wants every in-sync replica.
     *
     * @param endOffset the offset after its last record
     * @return null while it waits; NONE once it is committed, or NOT_ENOUGH_REPLICAS_AFTER_APPEND where it is, but on
     *     fewer replicas than asked for
     */
    public @Nullable ErrorCode acksAllOutcome(long endOffset) {
        if (highWatermark < endOffset) {
            return null;
        }
        return isr.maximal().size() < effectiveMinIsr() ? ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND : ErrorCode.NONE;
    }

    /**
     * After an election the watermark may lag behind what the leader before had shown; until it has passed the
     * epoch's start, the latest offset must not be told (KIP-207).
     */
    public boolean isLatestOffsetAvailable() {
        return highWatermark >= epochStartOffset;
    }

    /**
     * The least log start over the replicas that are up: below it, records are gone everywhere.
     *
     * @param logStartOffset the start of the local log
     */
    public long lowWatermark(long logStartOffset) {
        long least = logStartOffset;
        for (RemoteReplica follower : followers.values()) {
            if (brokers.mayJoinIsr(follower.brokerId())) {
                least = Math.min(least, follower.logStartOffset());
            }
        }
        return least;
    }

    public int leaderEpoch() {
        return leaderEpoch;
    }

    public long epochStartOffset() {
        return epochStartOffset;
    }

    public long highWatermark() {
        return highWatermark;
    }

    public IsrState isr() {
        return isr;
    }

    public boolean isUnderMinIsr() {
        return isr.committed().size() < effectiveMinIsr();
    }

    /** What is known of each follower, in order of broker id. */
    public Collection<RemoteReplica> followers() {
        return Collections.unmodifiableCollection(followers.values());
    }

    public @Nullable RemoteReplica follower(int brokerId) {
        return followers.get(brokerId);
    }

    private int effectiveMinIsr() {
        return Math.min(settings.minInsyncReplicas(), followers.size() + 1);
    }

    private boolean isCaughtUp(RemoteReplica follower, long nowMs) {
        return follower.isCaughtUp(logEndOffset, nowMs, settings.replicaLagTimeMaxMs());
    }

    private void syncFollowers(PartitionRegistration registration, long nowMs) {
        followers.keySet().retainAll(registration.replicas());
        for (int replica : registration.replicas()) {
            if (replica != localId && !followers.containsKey(replica)) {
                boolean inIsr = registration.isr().contains(replica);
                followers.put(replica, RemoteReplica.unknown(replica, inIsr, nowMs));
            }
        }
    }

    private List<LeaderEffect> advanceAndExpand(long nowMs) {
        List<LeaderEffect> advanced = advance(nowMs);
        LeaderEffect expansion = expand(nowMs);
        if (expansion == null) {
            return advanced;
        }
        List<LeaderEffect> effects = new ArrayList<>(advanced);
        effects.add(expansion);
        return effects;
    }

    private List<LeaderEffect> advance(long nowMs) {
        if (isUnderMinIsr()) {
            return List.of();
        }
        long least = logEndOffset;
        for (RemoteReplica follower : followers.values()) {
            if (follower.logEndOffset() < least && holdsBackWatermark(follower, nowMs)) {
                least = follower.logEndOffset();
            }
        }
        if (least <= highWatermark) {
            return List.of();
        }
        highWatermark = least;
        return List.of(new LeaderEffect.HighWatermarkAdvanced(least));
    }

    /**
     * Also a replica that is about to join: else the watermark could outrun it for ever while the in-sync set is small,
     * and it would never be let in.
     */
    private boolean holdsBackWatermark(RemoteReplica follower, long nowMs) {
        return isr.maximal().contains(follower.brokerId())
                || leaving.contains(follower.brokerId())
                || (isCaughtUp(follower, nowMs) && isEligible(follower));
    }

    private @Nullable LeaderEffect expand(long nowMs) {
        if (!(isr instanceof IsrState.Committed committed)) {
            return null;
        }
        List<Integer> joining = new ArrayList<>();
        for (RemoteReplica follower : followers.values()) {
            if (!committed.committed().contains(follower.brokerId()) && isInSync(follower, nowMs)) {
                joining.add(follower.brokerId());
            }
        }
        return joining.isEmpty() ? null : propose(committed.expanding(joining));
    }

    private boolean isInSync(RemoteReplica follower, long nowMs) {
        return follower.logEndOffset() >= highWatermark
                && follower.logEndOffset() >= epochStartOffset
                && isCaughtUp(follower, nowMs)
                && isEligible(follower);
    }

    private boolean isEligible(RemoteReplica follower) {
        boolean isSameProcess = follower.brokerEpoch() == ReplicaBrokers.UNKNOWN_BROKER_EPOCH
                || follower.brokerEpoch() == brokers.brokerEpoch(follower.brokerId());
        return isSameProcess && brokers.mayJoinIsr(follower.brokerId());
    }

    private LeaderEffect propose(IsrState.Pending pending) {
        List<IsrMember> members = new ArrayList<>();
        for (int member : pending.proposed()) {
            RemoteReplica follower = followers.get(member);
            long brokerEpoch = follower == null ? brokers.brokerEpoch(member) : follower.brokerEpoch();
            members.add(new IsrMember(member, brokerEpoch));
        }
        isr = pending;
        return new LeaderEffect.ProposeIsr(new IsrProposal(members, leaderEpoch, pending.partitionEpoch(), (byte) 0));
    }
}
