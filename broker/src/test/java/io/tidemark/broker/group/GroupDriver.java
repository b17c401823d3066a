package io.tidemark.broker.group;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.message.ConsumerProtocolSubscription;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.JoinGroupRequest;
import io.tidemark.broker.protocol.message.JoinGroupRequest.JoinGroupRequestProtocol;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.LeaveGroupRequest;
import io.tidemark.broker.protocol.message.LeaveGroupResponse;
import io.tidemark.broker.protocol.message.SyncGroupRequest;
import io.tidemark.broker.protocol.message.SyncGroupRequest.SyncGroupRequestAssignment;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Stands in for the runtime: replays what is decided, commits it unless told not to, and lets time pass. */
final class GroupDriver {
    static final String GROUP = "orders-group";
    static final int SESSION_MS = 10_000;
    static final int REBALANCE_MS = 60_000;
    static final short NEWEST_JOIN = 9;

    final List<CoordinatorRecord> log = new ArrayList<>();
    GroupCoordinator coordinator;
    long nowMs = 1_000_000;
    boolean commitsHeld;

    private final GroupSettings settings;
    private final Random random = new Random(7);

    GroupDriver(GroupSettings settings) {
        this.settings = settings;
        this.coordinator = new GroupCoordinator(settings, random);
        coordinator.onLoaded(nowMs);
    }

    static GroupSettings settings() {
        return new GroupSettings(6_000, 1_800_000, 0, Integer.MAX_VALUE, 4096, 7 * 24 * 3_600_000L, 600_000);
    }

    /** An answer that may still be to come. */
    static final class Reply<T> implements Answer.Ticket<T> {
        private @Nullable T value;

        @Override
        public void answer(T answer) {
            if (value != null) {
                throw new IllegalStateException("Answered twice: " + value + " and " + answer);
            }
            value = answer;
        }

        boolean isThere() {
            return value != null;
        }

        T value() {
            if (value == null) {
                throw new AssertionError("Expected an answer by now; there is none");
            }
            return value;
        }
    }

    /** A new coordinator that knows what the log says and nothing else. */
    void failOver() {
        coordinator = new GroupCoordinator(settings, random);
        long offset = 0;
        for (CoordinatorRecord record : log) {
            coordinator.replay(offset++, record);
        }
        coordinator.onCommitted(offset);
        coordinator.onLoaded(nowMs);
    }

    <R> R apply(CoordinatorResult<R> result) {
        for (CoordinatorRecord record : result.records()) {
            coordinator.replay(log.size(), record);
            log.add(record);
        }
        if (!commitsHeld) {
            coordinator.onCommitted(log.size());
        }
        return result.reply();
    }

    void applyAnswers(CoordinatorResult<List<Answer<?>>> result) {
        apply(result).forEach(Answer::deliver);
    }

    void advance(long ms) {
        long untilMs = nowMs + ms;
        while (coordinator.nextDeadlineMs() <= untilMs) {
            nowMs = Math.max(nowMs, coordinator.nextDeadlineMs());
            applyAnswers(coordinator.onDeadline(nowMs));
        }
        nowMs = untilMs;
    }

    // ---- requests

    static JoinGroupRequest joinRequest(String memberId, @Nullable String instanceId, String... protocols) {
        JoinGroupRequest request = new JoinGroupRequest()
                .setGroupId(GROUP)
                .setMemberId(memberId)
                .setGroupInstanceId(instanceId)
                .setProtocolType("consumer")
                .setSessionTimeoutMs(SESSION_MS)
                .setRebalanceTimeoutMs(REBALANCE_MS);
        for (String protocol : protocols) {
            request.protocols()
                    .add(new JoinGroupRequestProtocol().setName(protocol).setMetadata(subscription("orders")));
        }
        return request;
    }

    static byte[] subscription(String... topics) {
        ConsumerProtocolSubscription subscription =
                new ConsumerProtocolSubscription().setTopics(new ArrayList<>(List.of(topics)));
        MessageWriter out = new MessageWriter();
        out.writeShort((short) 1);
        subscription.write(out, (short) 1);
        return Unpooled.wrappedBuffer(out.toByteArray()).array();
    }

    Reply<JoinGroupResponse> join(JoinGroupRequest request, int version) {
        Reply<JoinGroupResponse> reply = new Reply<>();
        Caller caller = new Caller("client", "/127.0.0.1", (short) version);
        applyAnswers(coordinator.join(request, caller, reply, nowMs));
        return reply;
    }

    Reply<JoinGroupResponse> join(String memberId) {
        return join(joinRequest(memberId, null, "range"), NEWEST_JOIN);
    }

    Reply<JoinGroupResponse> joinStatic(String memberId, String instanceId) {
        return join(joinRequest(memberId, instanceId, "range"), NEWEST_JOIN);
    }

    /** Joins without an id, and joins again with the id that was given. */
    Reply<JoinGroupResponse> joinAnew() {
        return join(newMemberId());
    }

    String newMemberId() {
        JoinGroupResponse refused = join("").value();
        if (refused.errorCode() != ErrorCode.MEMBER_ID_REQUIRED.code()) {
            throw new AssertionError("Expected MEMBER_ID_REQUIRED, got " + refused);
        }
        return refused.memberId();
    }

    SyncGroupRequest syncRequest(String memberId, int generation, Map<String, String> assignments) {
        SyncGroupRequest request = new SyncGroupRequest()
                .setGroupId(GROUP)
                .setMemberId(memberId)
                .setGenerationId(generation)
                .setProtocolType("consumer")
                .setProtocolName("range");
        assignments.forEach((member, assignment) -> request.assignments()
                .add(new SyncGroupRequestAssignment().setMemberId(member).setAssignment(bytes(assignment))));
        return request;
    }

    Reply<SyncGroupResponse> sync(SyncGroupRequest request) {
        Reply<SyncGroupResponse> reply = new Reply<>();
        applyAnswers(coordinator.sync(request, reply, nowMs));
        return reply;
    }

    Reply<SyncGroupResponse> sync(String memberId, int generation, Map<String, String> assignments) {
        return sync(syncRequest(memberId, generation, assignments));
    }

    ErrorCode heartbeat(String memberId, int generation) {
        return heartbeat(memberId, null, generation);
    }

    ErrorCode heartbeat(String memberId, @Nullable String instanceId, int generation) {
        return coordinator.heartbeat(
                new HeartbeatRequest()
                        .setGroupId(GROUP)
                        .setMemberId(memberId)
                        .setGroupInstanceId(instanceId)
                        .setGenerationId(generation),
                nowMs);
    }

    LeaveGroupResponse leave(LeaveGroupRequest.MemberIdentity... members) {
        Reply<LeaveGroupResponse> reply = new Reply<>();
        applyAnswers(coordinator.leave(
                new LeaveGroupRequest().setGroupId(GROUP).setMembers(List.of(members)), reply, nowMs));
        return reply.value();
    }

    LeaveGroupResponse leave(String memberId) {
        return leave(new LeaveGroupRequest.MemberIdentity().setMemberId(memberId));
    }

    // ---- whole stories

    /** A stable group of one member in generation 1; returns its id. */
    String stableGroupOfOne() {
        Reply<JoinGroupResponse> joined = joinAnew();
        advance(0);
        String memberId = joined.value().memberId();
        sync(memberId, joined.value().generationId(), Map.of(memberId, "all"));
        return memberId;
    }

    /** A stable group of two members in generation 1; returns the ids, the leader's first. */
    List<String> stableGroupOfTwo() {
        Reply<JoinGroupResponse> first = joinAnew();
        Reply<JoinGroupResponse> second = joinAnew();
        advance(0);
        String leader = first.value().memberId();
        String follower = second.value().memberId();
        sync(follower, 1, Map.of());
        sync(leader, 1, Map.of(leader, "left", follower, "right"));
        return List.of(leader, follower);
    }

    String state() {
        return coordinator.describe(GROUP, (short) 5).groupState();
    }

    int memberCount() {
        return coordinator.describe(GROUP, (short) 5).members().size();
    }

    /** The last record of a group, or null for a tombstone. */
    @Nullable
    GroupMetadataValue lastGroupRecord() {
        for (int i = log.size() - 1; i >= 0; i--) {
            CoordinatorRecord record = log.get(i);
            if (record.key() instanceof io.tidemark.broker.protocol.group.GroupMetadataKey) {
                return (GroupMetadataValue) record.value();
            }
        }
        throw new AssertionError("There is no record of a group in " + log);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
