package io.tidemark.broker.group;

import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.Answer.Ticket;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.group.GroupMetadataKey;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.group.LegacyOffsetCommitKey;
import io.tidemark.broker.protocol.group.OffsetCommitKey;
import io.tidemark.broker.protocol.message.DeleteGroupsResponse.DeletableGroupResult;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.JoinGroupRequest;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.LeaveGroupRequest;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.ListGroupsResponse.ListedGroup;
import io.tidemark.broker.protocol.message.OffsetCommitRequest;
import io.tidemark.broker.protocol.message.OffsetCommitResponse;
import io.tidemark.broker.protocol.message.OffsetDeleteRequest;
import io.tidemark.broker.protocol.message.OffsetDeleteResponse;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.tidemark.broker.protocol.message.SyncGroupRequest;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import io.tidemark.broker.protocol.message.TxnOffsetCommitRequest;
import io.tidemark.broker.protocol.message.TxnOffsetCommitResponse;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The shard of one partition of {@code __consumer_offsets}: the groups whose ids fall on it, and their offsets.
 *
 * <p>Handlers return records and answers. Everything that is in the records changes in {@link #replay} alone.
 */
public final class GroupCoordinator implements CoordinatorShard {
    private final GroupSettings settings;
    private final Deadlines<GroupDeadline> deadlines = new Deadlines<>();
    private final Groups groups = new Groups();
    private final OffsetStore offsets = new OffsetStore();
    private final Rebalances rebalances;
    private final JoinRules joinRules;
    private final SyncRules syncRules;
    private final LeaveRules leaveRules;
    private final OffsetRules offsetRules;
    private final TransactionalOffsetRules transactionalOffsetRules;
    private final GroupReplay replay;

    /** @param random makes member ids; seeded by the node */
    public GroupCoordinator(GroupSettings settings, RandomGenerator random) {
        this.settings = settings;
        this.rebalances = new Rebalances(settings, deadlines);
        this.joinRules = new JoinRules(settings, deadlines, rebalances, random);
        this.syncRules = new SyncRules(rebalances);
        this.leaveRules = new LeaveRules(deadlines, rebalances);
        this.offsetRules = new OffsetRules(settings, groups, offsets, rebalances);
        this.transactionalOffsetRules = new TransactionalOffsetRules(settings, groups);
        this.replay = new GroupReplay(groups, offsets, rebalances);
    }

    // ---- membership

    /** The answer comes by the ticket: at once, or when the round is over that this JoinGroup is part of. */
    public CoordinatorResult<List<Answer<?>>> join(
            JoinGroupRequest request, Caller caller, Ticket<JoinGroupResponse> ticket, long nowMs) {
        Turn turn = new Turn(nowMs);
        ErrorCode fault = joinRules.check(request);
        ClassicGroup group = groups.find(request.groupId());
        boolean isNewGroup = group == null && request.memberId().isEmpty();
        if (fault == ErrorCode.NONE && group == null && !isNewGroup) {
            fault = ErrorCode.UNKNOWN_MEMBER_ID;
        }
        if (fault != ErrorCode.NONE) {
            String memberId = request.memberId();
            turn.answer(ticket, JoinAnswers.joinError(fault, memberId), e -> JoinAnswers.joinError(e, memberId));
            return turn.result();
        }
        if (group == null) {
            group = groups.create(request.groupId(), nowMs);
        }
        joinRules.join(group, new JoinRules.Join(request, caller, ticket), turn);
        if (isNewGroup && !turn.hasRecords()) {
            turn.record(GroupRecords.newGroup(group));
        }
        return turn.result();
    }

    /** The answer comes by the ticket: at once, or when the leader of the group has assigned. */
    public CoordinatorResult<List<Answer<?>>> sync(
            SyncGroupRequest request, Ticket<SyncGroupResponse> ticket, long nowMs) {
        Turn turn = new Turn(nowMs);
        ClassicGroup group = groups.find(request.groupId());
        if (group == null) {
            ErrorCode fault = request.groupId().isEmpty() ? ErrorCode.INVALID_GROUP_ID : ErrorCode.UNKNOWN_MEMBER_ID;
            turn.answer(ticket, JoinAnswers.syncError(fault), JoinAnswers::syncError);
        } else {
            syncRules.sync(group, request, ticket, turn);
        }
        return turn.result();
    }

    /** Touches nothing that is in the log. */
    public ErrorCode heartbeat(HeartbeatRequest request, long nowMs) {
        if (request.groupId().isEmpty()) {
            return ErrorCode.INVALID_GROUP_ID;
        }
        ClassicGroup group = groups.find(request.groupId());
        return group == null ? ErrorCode.UNKNOWN_MEMBER_ID : syncRules.heartbeat(group, request, new Turn(nowMs));
    }

    /** @param request in the form of version 3 and later, with its members in the list */
    public CoordinatorResult<List<Answer<?>>> leave(
            LeaveGroupRequest request, Ticket<LeaveGroupResponse> ticket, long nowMs) {
        Turn turn = new Turn(nowMs);
        ClassicGroup group = groups.find(request.groupId());
        LeaveGroupResponse response;
        if (request.groupId().isEmpty()) {
            response = new LeaveGroupResponse().setErrorCode(ErrorCode.INVALID_GROUP_ID.code());
        } else if (group == null) {
            response = LeaveRules.unknownGroup(request);
        } else {
            response = leaveRules.leave(group, request, turn);
        }
        turn.answer(ticket, response, error -> new LeaveGroupResponse().setErrorCode(error.code()));
        return turn.result();
    }

    // ---- offsets

    /**
     * @param request with the names of its topics, and with their ids as far as they are known; only topics that exist
     */
    public CoordinatorResult<OffsetCommitResponse> commitOffsets(
            OffsetCommitRequest request, short apiVersion, long nowMs) {
        return offsetRules.commit(request, apiVersion, new Turn(nowMs));
    }

    /**
     * @param request with the names of its topics, and with their ids as far as they are known; null topics for all
     * @param requireStable see also what is not committed yet, for a caller that then waits for it, and hear where an
     *     open transaction may change it (KIP-447)
     */
    public OffsetFetchResponseGroup fetchOffsets(OffsetFetchRequestGroup request, boolean requireStable) {
        String groupId = request.groupId();
        return requireStable
                ? OffsetViews.of(request, offsets.latest(groupId), partition -> offsets.isPending(groupId, partition))
                : OffsetViews.of(request, offsets.committed(groupId), partition -> false);
    }

    /**
     * The records of the answer are to be written in the transaction.
     *
     * @param request with the names of its topics, and with their ids as far as they are known; only topics that exist
     */
    public CoordinatorResult<TxnOffsetCommitResponse> commitOffsetsInTransaction(
            TxnOffsetCommitRequest request, short apiVersion, long nowMs) {
        return transactionalOffsetRules.commit(request, apiVersion, new Turn(nowMs));
    }

    /** @param request only topics that exist */
    public CoordinatorResult<OffsetDeleteResponse> deleteOffsets(OffsetDeleteRequest request, long nowMs) {
        return offsetRules.delete(request, new Turn(nowMs));
    }

    /**
     * The topics are gone, and so are all offsets in them.
     *
     * @param topics the ids that they had, by name
     */
    public CoordinatorResult<List<Answer<?>>> onTopicsDeleted(Map<String, Uuid> topics, long nowMs) {
        Turn turn = new Turn(nowMs);
        offsetRules.forgetTopics(topics, turn);
        return turn.result();
    }

    // ---- groups as a whole

    public DescribedGroup describe(String groupId, short apiVersion) {
        return GroupViews.describe(groupId, groups.find(groupId), apiVersion);
    }

    public List<ListedGroup> list(ListGroupsRequest request) {
        return GroupViews.list(groups.all(), request);
    }

    /** Deletes a group that has no members, with its offsets. */
    public CoordinatorResult<DeletableGroupResult> deleteGroup(String groupId, long nowMs) {
        Turn turn = new Turn(nowMs);
        ClassicGroup group = groups.find(groupId);
        ErrorCode outcome = ErrorCode.NONE;
        if (group == null || group.isIn(GroupStateName.DEAD)) {
            outcome = ErrorCode.GROUP_ID_NOT_FOUND;
        } else if (!group.isIn(GroupStateName.EMPTY)) {
            outcome = ErrorCode.NON_EMPTY_GROUP;
        } else {
            offsetRules.forgetGroup(group, turn);
        }
        return turn.result(new DeletableGroupResult().setGroupId(groupId).setErrorCode(outcome.code()));
    }

    // ---- the shard

    @Override
    public void replay(long offset, CoordinatorRecord record) {
        if (record.key() instanceof GroupMetadataKey key) {
            replay.group(key.group(), (GroupMetadataValue) record.value());
        } else if (record.key() instanceof OffsetCommitKey key) {
            replay.offset(offset, key.group(), key.topic(), key.partition(), record.value());
        } else if (record.key() instanceof LegacyOffsetCommitKey key) {
            replay.offset(offset, key.group(), key.topic(), key.partition(), record.value());
        }
        // Records of group types that are not served are kept in the log and mean nothing here.
    }

    @Override
    public void replayInTransaction(long offset, long producerId, CoordinatorRecord record) {
        if (record.key() instanceof OffsetCommitKey key) {
            replay.pendingOffset(
                    offset, producerId, key.group(), new TopicPartition(key.topic(), key.partition()), record.value());
        } else if (record.key() instanceof LegacyOffsetCommitKey key) {
            replay.pendingOffset(
                    offset, producerId, key.group(), new TopicPartition(key.topic(), key.partition()), record.value());
        }
    }

    @Override
    public void endTransaction(long offset, long producerId, boolean commit) {
        offsets.endTransaction(offset, producerId, commit);
    }

    @Override
    public void onCommitted(long endOffset) {
        offsets.onCommitted(endOffset);
    }

    @Override
    public void onLoaded(long nowMs) {
        replay.onLoaded();
        Turn turn = new Turn(nowMs);
        for (ClassicGroup group : groups.all()) {
            group.members().forEach(member -> rebalances.renewSession(group, member, turn));
            if (group.size() > settings.maxSize()) {
                rebalances.prepare(group, turn);
            }
        }
        scheduleRetention(nowMs);
    }

    @Override
    public List<Answer<?>> onUnloaded() {
        List<Answer<?>> answers = new ArrayList<>();
        for (ClassicGroup group : groups.all()) {
            Turn turn = new Turn(0);
            for (Member member : group.members()) {
                rebalances.answerJoin(member, JoinAnswers.joinError(ErrorCode.NOT_COORDINATOR, member.id()), turn);
                rebalances.answerSync(member, JoinAnswers.syncError(ErrorCode.NOT_COORDINATOR), turn);
            }
            answers.addAll(turn.result().reply());
        }
        return answers;
    }

    @Override
    public long nextDeadlineMs() {
        return deadlines.nextMs();
    }

    @Override
    public CoordinatorResult<List<Answer<?>>> onDeadline(long nowMs) {
        Turn turn = new Turn(nowMs);
        // One at a time: the records of each must be in the log before the next decides.
        GroupDeadline due = deadlines.pollDue(nowMs);
        if (due instanceof GroupDeadline.JoinPhase join) {
            groups.with(join.groupId(), group -> rebalances.onJoinPhaseOver(group, turn));
        } else if (due instanceof GroupDeadline.SyncPhase sync) {
            groups.with(sync.groupId(), group -> rebalances.onSyncPhaseOver(group, turn));
        } else if (due instanceof GroupDeadline.Session session) {
            groups.with(session.groupId(), group -> rebalances.onSessionOver(group, session.memberId(), turn));
        } else if (due instanceof GroupDeadline.PendingJoin pending) {
            groups.with(pending.groupId(), group -> rebalances.onPendingJoinOver(group, pending.memberId(), turn));
        } else if (due instanceof GroupDeadline.OffsetRetention) {
            offsetRules.expire(turn);
            scheduleRetention(nowMs);
        }
        return turn.result();
    }

    private void scheduleRetention(long nowMs) {
        deadlines.set(new GroupDeadline.OffsetRetention(), nowMs + settings.offsetsRetentionCheckIntervalMs());
    }
}
