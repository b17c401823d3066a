package io.tidemark.broker.replication;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.fetch.FetchItem;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.log.AppendResult;
import io.tidemark.broker.log.EpochEndOffset;
import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.LogSlice;
import io.tidemark.broker.log.OffsetOutOfRangeException;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.partition.EpochFence;
import io.tidemark.broker.partition.FollowerPartition;
import io.tidemark.broker.partition.FollowerProgress;
import io.tidemark.broker.partition.IsrProposal;
import io.tidemark.broker.partition.IsrState;
import io.tidemark.broker.partition.LeaderEffect;
import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.partition.LeaderPartition;
import io.tidemark.broker.partition.LeaderSettings;
import io.tidemark.broker.partition.RemoteReplica;
import io.tidemark.broker.partition.ReplicaBrokers;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.AppendTerms;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.RecordsRejectedException;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A replica on this broker: its log, and its role. Performs what the role's state machine decides.
 *
 * <p>A disk that fails takes its whole log directory offline, and the replica with it: everything is answered
 * KAFKA_STORAGE_ERROR until the node restarts.
 */
public final class HostedPartition {
    private static final NodeLog LOG = NodeLog.of(HostedPartition.class);

    private final int brokerId;
    private final TopicIdPartition id;
    private PartitionLog log;
    private final Clock clock;
    private final ReplicaBrokers brokers;
    private final PartitionEvents events;
    private LeaderSettings settings;
    private PartitionRegistration registration;
    private Role role;
    private int leadingSinceEpoch = -1;
    private boolean isOffline;

    HostedPartition(
            int brokerId,
            TopicIdPartition id,
            PartitionLog log,
            PartitionRegistration registration,
            long highWatermark,
            LeaderSettings settings,
            Clock clock,
            ReplicaBrokers brokers,
            PartitionEvents events) {
        this.brokerId = brokerId;
        this.id = id;
        this.log = log;
        this.registration = registration;
        this.settings = settings;
        this.clock = clock;
        this.brokers = new ThosePossible(brokers);
        this.events = events;
        long known = Math.max(log.logStartOffset(), Math.min(highWatermark, log.logEndOffset()));
        this.role = new Role.Following(new FollowerPartition(PartitionRegistration.NO_LEADER, -1, known));
    }

    // --- what it is

    public TopicIdPartition id() {
        return id;
    }

    public TopicPartition topicPartition() {
        return id.topicPartition();
    }

    /** What the controller decided last. */
    public PartitionRegistration registration() {
        return registration;
    }

    public int leaderEpoch() {
        return role.leaderEpoch();
    }

    public boolean isLeader() {
        return role instanceof Role.Leading && !isOffline;
    }

    public long logStartOffset() {
        return log.logStartOffset();
    }

    public long logEndOffset() {
        return log.logEndOffset();
    }

    public long highWatermark() {
        return role.highWatermark();
    }

    public long lastStableOffset() {
        return log.lastStableOffset(highWatermark());
    }

    /** The log, for what is no business of replication: lookups by time, producers, retention. */
    public PartitionLog log() {
        return log;
    }

    /** The same log, of which a copy in another directory has taken the place. */
    void moveTo(PartitionLog copy) {
        log = copy;
        events.onChanged(this);
    }

    /** The leader's state, or null where this broker does not lead. */
    public @Nullable LeaderPartition leader() {
        return role instanceof Role.Leading leading && !isOffline ? leading.leader() : null;
    }

    /** The follower's state, or null where this broker leads. */
    @Nullable
    FollowerPartition follower() {
        return role instanceof Role.Following following && !isOffline ? following.follower() : null;
    }

    /**
     * @param requestedLeaderEpoch the epoch that the asker believes in, or -1
     * @return NONE where this broker may answer as the leader, else why not
     */
    public ErrorCode checkLeader(int requestedLeaderEpoch) {
        return check(requestedLeaderEpoch, true);
    }

    /** NONE where this broker may answer from its own replica, as leader or follower; else why not. */
    public ErrorCode checkReplica() {
        return check(EpochFence.NO_LEADER_EPOCH, false);
    }

    ErrorCode check(int requestedLeaderEpoch, boolean needsLeader) {
        if (isOffline) {
            return ErrorCode.KAFKA_STORAGE_ERROR;
        }
        ErrorCode fence = EpochFence.check(requestedLeaderEpoch, role.leaderEpoch());
        if (fence != ErrorCode.NONE) {
            return fence;
        }
        return needsLeader && !isLeader() ? ErrorCode.NOT_LEADER_OR_FOLLOWER : ErrorCode.NONE;
    }

    ReplicaSnapshot snapshot() {
        LeaderPartition leader = leader();
        SortedMap<Integer, Long> followers = new TreeMap<>();
        List<Integer> isr = registration.isr();
        int partitionEpoch = registration.partitionEpoch();
        if (leader != null) {
            for (RemoteReplica follower : leader.followers()) {
                followers.put(follower.brokerId(), follower.logEndOffset());
            }
            isr = leader.isr().committed();
            partitionEpoch = leader.isr().partitionEpoch();
        }
        return new ReplicaSnapshot(
                id,
                leader != null,
                registration.leader(),
                registration.leaderEpoch(),
                partitionEpoch,
                isr,
                highWatermark(),
                lastStableOffset(),
                logStartOffset(),
                logEndOffset(),
                followers);
    }

    // --- roles

    /**
     * Takes over what the controller decided.
     *
     * @return true where the role or its leader epoch has changed
     */
    boolean onRegistration(PartitionRegistration decided) {
        registration = decided;
        if (isOffline) {
            return false;
        }
        long nowMs = clock.monotonicMs();
        if (decided.leader() == brokerId) {
            if (role instanceof Role.Leading leading && leading.leaderEpoch() == decided.leaderEpoch()) {
                perform(leading.leader().onRegistration(decided, nowMs));
                return false;
            }
            return lead(decided, nowMs);
        }
        if (role instanceof Role.Following following
                && following.leaderEpoch() == decided.leaderEpoch()
                && following.follower().leaderId() == decided.leader()) {
            return false;
        }
        role = new Role.Following(new FollowerPartition(decided.leader(), decided.leaderEpoch(), role.highWatermark()));
        events.onChanged(this);
        return true;
    }

    private boolean lead(PartitionRegistration decided, long nowMs) {
        try {
            // Before the first write, so that a follower can always find where this epoch starts (KAFKA-7415).
            log.assignEpochStart(decided.leaderEpoch(), log.logEndOffset());
        } catch (IOException e) {
            failed("record the start of leader epoch " + decided.leaderEpoch(), e);
            return false;
        }
        if (!(role instanceof Role.Leading)) {
            leadingSinceEpoch = decided.leaderEpoch();
        }
        LeaderPartition leader = new LeaderPartition(
                brokerId, decided, log.logEndOffset(), role.highWatermark(), settings, brokers, nowMs);
        role = new Role.Leading(leader);
        events.onChanged(this);
        perform(leader.onStart(nowMs));
        return true;
    }

    void onSettings(LeaderSettings newSettings, LogConfig logConfig) {
        settings = newSettings;
        log.reconfigure(logConfig);
        LeaderPartition leader = leader();
        if (leader != null) {
            leader.onSettings(newSettings);
        }
    }

    /** To be called when all of a metadata update that tells of brokers or configurations is applied. */
    void reconsider() {
        LeaderPartition leader = leader();
        if (leader != null) {
            perform(leader.reconsider(clock.monotonicMs()));
        }
    }

    void onStalls(IntToLongFunction silenceMs) {
        LeaderPartition leader = leader();
        if (leader != null) {
            leader.onStalls(silenceMs, clock.monotonicMs());
        }
    }

    void onLagCheck() {
        LeaderPartition leader = leader();
        if (leader != null) {
            perform(leader.onLagCheck(clock.monotonicMs()));
        }
    }

    /** True while this proposal is the one that the leader waits for. */
    boolean isPending(IsrProposal proposal) {
        LeaderPartition leader = leader();
        return leader != null
                && leader.leaderEpoch() == proposal.leaderEpoch()
                && leader.isr() instanceof IsrState.Pending pending
                && pending.partitionEpoch() == proposal.partitionEpoch();
    }

    void onIsrAccepted(List<Integer> isr, int leaderEpoch, int partitionEpoch) {
        LeaderPartition leader = leader();
        if (leader != null && leader.leaderEpoch() == leaderEpoch) {
            perform(leader.onIsrAccepted(isr, partitionEpoch, clock.monotonicMs()));
            events.onChanged(this);
        }
    }

    void onIsrRefused(ErrorCode error) {
        LeaderPartition leader = leader();
        if (leader != null) {
            perform(leader.onIsrRefused(error, clock.monotonicMs()));
        }
    }

    private void perform(List<LeaderEffect> effects) {
        for (LeaderEffect effect : effects) {
            if (effect instanceof LeaderEffect.HighWatermarkAdvanced advanced) {
                events.onHighWatermark(this, advanced.highWatermark());
                events.onChanged(this);
            } else if (effect instanceof LeaderEffect.ProposeIsr propose) {
                events.onProposal(this, propose.proposal());
            }
        }
    }

    // --- as the leader

    /**
     * Appends as the leader. The buffer's bytes are stamped in place.
     *
     * @param requestedLeaderEpoch the epoch in which the caller believes this broker to lead, or -1
     * @param acksAll whether fewer than {@code min.insync.replicas} in-sync replicas are a reason to refuse
     */
    public LocalAppend append(ByteBuf batches, int requestedLeaderEpoch, AppendTerms terms, boolean acksAll) {
        ErrorCode error = checkLeader(requestedLeaderEpoch);
        LeaderPartition leader = leader();
        if (error != ErrorCode.NONE || leader == null) {
            return LocalAppend.Refused.of(error);
        }
        if (acksAll) {
            ErrorCode tooFew = leader.checkAcksAll();
            if (tooFew != ErrorCode.NONE) {
                return LocalAppend.Refused.of(tooFew);
            }
        }
        AppendResult result;
        try {
            result = log.appendAsLeader(batches, leader.leaderEpoch(), terms, clock.wallTimeMs());
        } catch (RecordsRejectedException e) {
            return new LocalAppend.Refused(e.errorCode(), e.getMessage(), e.recordErrors());
        } catch (CorruptBatchException e) {
            return new LocalAppend.Refused(ErrorCode.CORRUPT_MESSAGE, e.getMessage(), List.of());
        } catch (IOException e) {
            failed("append", e);
            return LocalAppend.Refused.of(ErrorCode.KAFKA_STORAGE_ERROR);
        }
        if (!result.duplicate()) {
            events.onChanged(this);
            perform(leader.onAppend(log.logEndOffset(), clock.monotonicMs()));
        }
        return new LocalAppend.Appended(
                result.firstOffset(), result.lastOffset() + 1, result.logAppendTimeMs(), result.logStartOffset());
    }

    /**
     * The state of a write that wants every in-sync replica.
     *
     * @param endOffset the offset after its last record
     * @param appendedInEpoch the leader epoch in which it was appended
     * @return null while it waits, else its outcome
     */
    public @Nullable ErrorCode acksAllOutcome(long endOffset, int appendedInEpoch) {
        LeaderPartition leader = leader();
        if (leader == null) {
            return isOffline ? ErrorCode.KAFKA_STORAGE_ERROR : ErrorCode.NOT_LEADER_OR_FOLLOWER;
        }
        if (leadingSinceEpoch > appendedInEpoch) {
            // Others have led in between, and the offset may be another record's now.
            return ErrorCode.NOT_LEADER_OR_FOLLOWER;
        }
        return leader.acksAllOutcome(endOffset);
    }

    /** True where a fetch that waits has something to tell beside records: an error, a watermark, another start. */
    public boolean hasNews(Reader reader, FetchItem item) {
        if (check(item.currentLeaderEpoch(), reader.needsLeader()) != ErrorCode.NONE
                || item.fetchOffset() < log.logStartOffset()
                || item.fetchOffset() > log.logEndOffset()) {
            return true;
        }
        boolean isFollower = reader instanceof Reader.Follower;
        // A follower that says how far its watermark is hears of a higher one at once (KIP-1166), as far as its log
        // goes.
        return (isFollower && item.highWatermark() < Math.min(highWatermark(), item.fetchOffset()))
                || (isFollower && item.logStartOffset() >= 0 && item.logStartOffset() < log.logStartOffset())
                || divergence(item) != null;
    }

    /**
     * True where there are records to read. A compacted log has holes, and one may reach just to where the reader's view
     * ends, as at an open transaction: the offsets below that end are no promise of records then, so it is tried.
     */
    public boolean hasRecordsFor(Reader reader, FetchItem item) {
        long bound = endOffset(reader);
        boolean isBelow = check(item.currentLeaderEpoch(), reader.needsLeader()) == ErrorCode.NONE
                && item.fetchOffset() >= log.logStartOffset()
                && item.fetchOffset() < bound
                && divergence(item) == null;
        boolean mayBeHole = bound < log.logEndOffset() || log.config().compact();
        return isBelow && (!mayBeHole || read(reader, item, 1, true).sizeInBytes() > 0);
    }

    /**
     * Removes the records below an offset (KIP-107).
     *
     * @param beforeOffset the log's new start, or -1 for the high watermark
     */
    public DeletedRecords deleteRecords(long beforeOffset) {
        ErrorCode error = checkLeader(EpochFence.NO_LEADER_EPOCH);
        if (error != ErrorCode.NONE) {
            return new DeletedRecords(error, -1);
        }
        long target = beforeOffset == -1 ? highWatermark() : beforeOffset;
        if (target < 0 || target > highWatermark()) {
            return new DeletedRecords(ErrorCode.OFFSET_OUT_OF_RANGE, -1);
        }
        try {
            if (log.incrementLogStartOffset(target)) {
                events.onChanged(this);
            }
            return new DeletedRecords(ErrorCode.NONE, target);
        } catch (IOException e) {
            failed("delete records below " + target, e);
            return new DeletedRecords(ErrorCode.KAFKA_STORAGE_ERROR, -1);
        }
    }

    /** The least log start over the replicas that are up, -1 where one has not told its own yet or none is led. */
    public long lowWatermark() {
        LeaderPartition leader = leader();
        return leader == null ? -1 : leader.lowWatermark(log.logStartOffset());
    }

    /**
     * @param error NONE, or why nothing was removed
     * @param logStartOffset the offset below which records are gone, -1 with an error
     */
    public record DeletedRecords(ErrorCode error, long logStartOffset) {}

    /** The end of a leader epoch in this log, as of now. */
    public LeaderEpochEnd endOffsetForEpoch(int leaderEpoch) {
        EpochEndOffset end = log.endOffsetForEpoch(leaderEpoch);
        return new LeaderEpochEnd(end.leaderEpoch(), end.endOffset());
    }

    /** Where a reader's view of the log ends, exclusive. */
    public long endOffset(Reader reader) {
        if (reader instanceof Reader.Consumer consumer) {
            return consumer.isReadCommitted() ? lastStableOffset() : highWatermark();
        }
        return log.logEndOffset();
    }

    /**
     * The replicas that a consumer may be sent to (KIP-392): those in sync that have the offset, in order of broker id.
     * Empty where this broker does not lead.
     */
    List<RemoteReplica> readReplicas(FetchItem item) {
        LeaderPartition leader = leader();
        return leader == null || check(item.currentLeaderEpoch(), true) != ErrorCode.NONE
                ? List.of()
                : leader.followers().stream()
                        .filter(follower -> leader.isr().committed().contains(follower.brokerId())
                                && follower.logEndOffset() >= item.fetchOffset()
                                && follower.logStartOffset() <= item.fetchOffset())
                        .toList();
    }

    /** An answer without records, to a consumer that is sent to another replica. */
    public PartitionRead readNothing() {
        return new PartitionRead(
                ErrorCode.NONE, highWatermark(), lastStableOffset(), log.logStartOffset(), null, List.of(), null);
    }

    boolean isInSync(int replica) {
        LeaderPartition leader = leader();
        return leader != null && leader.isr().committed().contains(replica);
    }

    /** Tells the leader how far a follower is, if the fetch that says so is a valid one. */
    public ErrorCode onFollowerFetch(Reader.Follower reader, FetchItem item) {
        ErrorCode error = check(item.currentLeaderEpoch(), true);
        LeaderPartition leader = leader();
        if (error != ErrorCode.NONE || leader == null) {
            return error;
        }
        FollowerProgress progress = new FollowerProgress(
                reader.brokerId(), reader.brokerEpoch(), item.fetchOffset(), item.logStartOffset());
        ErrorCode stale = leader.checkFollower(progress);
        if (stale != ErrorCode.NONE) {
            return stale;
        }
        boolean isWithinLog = item.fetchOffset() >= log.logStartOffset() && item.fetchOffset() <= log.logEndOffset();
        if (isWithinLog && divergence(item) == null) {
            RemoteReplica before = leader.follower(reader.brokerId());
            if (before != null && before.logStartOffset() != item.logStartOffset()) {
                events.onChanged(this);
            }
            perform(leader.onFollowerFetch(progress, clock.monotonicMs()));
        }
        return ErrorCode.NONE;
    }

    /**
     * Reads. Changes nothing.
     *
     * @param maxBytes the most bytes to read
     * @param minOneBatch whether a first batch larger than that is read all the same
     */
    public PartitionRead read(Reader reader, FetchItem item, int maxBytes, boolean minOneBatch) {
        ErrorCode error = check(item.currentLeaderEpoch(), reader.needsLeader());
        if (error != ErrorCode.NONE) {
            return PartitionRead.failed(error);
        }
        if (item.fetchOffset() < log.logStartOffset()) {
            return PartitionRead.failed(ErrorCode.OFFSET_OUT_OF_RANGE);
        }
        try {
            LeaderEpochEnd divergence = divergence(item);
            if (divergence != null && !divergence.isDefined()) {
                return PartitionRead.failed(ErrorCode.OFFSET_OUT_OF_RANGE);
            }
            long bound = divergence != null ? log.logStartOffset() : endOffset(reader);
            long start = divergence != null ? log.logStartOffset() : item.fetchOffset();
            LogSlice records = log.read(start, maxBytes, bound, minOneBatch);
            boolean isReadCommitted = reader instanceof Reader.Consumer consumer && consumer.isReadCommitted();
            return new PartitionRead(
                    ErrorCode.NONE,
                    highWatermark(),
                    lastStableOffset(),
                    log.logStartOffset(),
                    records,
                    isReadCommitted ? log.abortedTransactions(start, records) : List.of(),
                    divergence);
        } catch (OffsetOutOfRangeException e) {
            return PartitionRead.failed(ErrorCode.OFFSET_OUT_OF_RANGE);
        } catch (CorruptBatchException e) {
            LOG.error(
                    "Cannot read {} at offset {}, as it is damaged: {}",
                    topicPartition(),
                    item.fetchOffset(),
                    e.getMessage());
            return PartitionRead.failed(ErrorCode.CORRUPT_MESSAGE);
        } catch (IOException e) {
            // Kafka takes a log directory offline for what cannot be written alone.
            LOG.error("Cannot read {} at offset {}: {}", topicPartition(), item.fetchOffset(), e.getMessage());
            return PartitionRead.failed(ErrorCode.UNKNOWN_SERVER_ERROR);
        }
    }

    /** Null where the reader's last epoch fits this log; undefined where this log knows nothing of it. */
    private @Nullable LeaderEpochEnd divergence(FetchItem item) {
        if (item.lastFetchedEpoch() < 0) {
            return null;
        }
        LeaderEpochEnd end = endOffsetForEpoch(item.lastFetchedEpoch());
        boolean fits = end.isDefined()
                && end.leaderEpoch() >= item.lastFetchedEpoch()
                && end.endOffset() >= item.fetchOffset();
        return fits ? null : end;
    }

    // --- as a follower, and as either

    /** The log in the hands of a follower, or null where this broker leads. */
    @Nullable
    FollowerLog followerLog() {
        FollowerPartition follower = follower();
        return follower == null ? null : new FollowerLog(this, follower, clock, events);
    }

    /** Lets old segments go, as the topic's configuration tells. */
    void applyRetention() {
        if (isOffline) {
            return;
        }
        try {
            if (log.applyRetention(highWatermark(), clock.wallTimeMs()) > 0) {
                events.onChanged(this);
            }
        } catch (IOException e) {
            failed("remove old segments", e);
        }
    }

    /** The brokers of this partition's replicas, of which one in a directory that is offline cannot join the ISR. */
    private final class ThosePossible implements ReplicaBrokers {
        private final ReplicaBrokers all;

        ThosePossible(ReplicaBrokers all) {
            this.all = all;
        }

        @Override
        public boolean mayJoinIsr(int id) {
            return all.mayJoinIsr(id) && all.isOnline(id, registration.directory(id));
        }

        @Override
        public long brokerEpoch(int id) {
            return all.brokerEpoch(id);
        }
    }

    /** Its disk failed: its log directory goes offline, and takes this and its other replicas along (KIP-112). */
    public void failed(String attempt, IOException cause) {
        events.onDiskFailure(this, attempt + " in " + topicPartition(), cause);
    }

    /** Its log directory went offline. */
    void goOffline() {
        isOffline = true;
        events.onChanged(this);
    }
}
