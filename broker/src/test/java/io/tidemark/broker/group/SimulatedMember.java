package io.tidemark.broker.group;

import static io.tidemark.broker.group.GroupDriver.joinRequest;
import static io.tidemark.broker.group.GroupDriver.text;

import io.tidemark.broker.group.GroupDriver.Reply;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.JoinGroupResponse;
import io.tidemark.broker.protocol.message.SyncGroupResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A consumer as the protocol wants it: joins, assigns if it leads, syncs, and sends heartbeats. One request at a time. */
final class SimulatedMember {
    static final int PARTITIONS = 7;

    private enum Wish {
        JOIN,
        SYNC,
        HEARTBEAT
    }

    private final GroupDriver driver;
    private final @Nullable String instanceId;
    private Wish wish = Wish.JOIN;
    private String memberId = "";
    private int generation = -1;
    private Map<String, String> assignments = Map.of();
    private List<Integer> owned = List.of();
    private @Nullable Reply<JoinGroupResponse> joining;
    private @Nullable Reply<SyncGroupResponse> syncing;
    private boolean fenced;

    SimulatedMember(GroupDriver driver, @Nullable String instanceId) {
        this.driver = driver;
        this.instanceId = instanceId;
    }

    /** Who this is to the group, over restarts of a static member. */
    String identity() {
        return instanceId == null ? memberId : instanceId;
    }

    int generation() {
        return generation;
    }

    /** What it may read; empty from the moment at which it learns that it must join again. */
    List<Integer> owned() {
        return owned;
    }

    boolean isFenced() {
        return fenced;
    }

    boolean isWaiting() {
        return joining != null || syncing != null;
    }

    boolean isSettled() {
        return wish == Wish.HEARTBEAT;
    }

    /** Takes an answer if there is one, and asks the next thing if nothing is under way. */
    void step() {
        if (fenced) {
            return;
        }
        if (joining != null) {
            takeJoin(joining);
        } else if (syncing != null) {
            takeSync(syncing);
        } else {
            switch (wish) {
                case JOIN -> joining = driver.join(joinRequest(memberId, instanceId, "range"), GroupDriver.NEWEST_JOIN);
                case SYNC ->
                    syncing = driver.sync(driver.syncRequest(memberId, generation, assignments)
                            .setGroupInstanceId(instanceId));
                case HEARTBEAT -> onOutcome(driver.heartbeat(memberId, instanceId, generation));
            }
        }
    }

    void leave() {
        driver.leave(new io.tidemark.broker.protocol.message.LeaveGroupRequest.MemberIdentity()
                .setMemberId(memberId)
                .setGroupInstanceId(instanceId));
    }

    private void takeJoin(Reply<JoinGroupResponse> reply) {
        if (!reply.isThere()) {
            return;
        }
        joining = null;
        JoinGroupResponse response = reply.value();
        if (response.errorCode() == ErrorCode.MEMBER_ID_REQUIRED.code()) {
            memberId = response.memberId();
        } else if (response.errorCode() == ErrorCode.NONE.code()) {
            memberId = response.memberId();
            generation = response.generationId();
            assignments = response.skipAssignment() ? Map.of() : assign(response);
            wish = Wish.SYNC;
        } else {
            onOutcome(ErrorCode.forCode(response.errorCode()));
        }
    }

    /** The leader deals out the partitions in turn. */
    private static Map<String, String> assign(JoinGroupResponse response) {
        Map<String, List<String>> dealt = new LinkedHashMap<>();
        response.members().forEach(member -> dealt.put(member.memberId(), new ArrayList<>()));
        List<List<String>> hands = new ArrayList<>(dealt.values());
        for (int partition = 0; partition < PARTITIONS && !hands.isEmpty(); partition++) {
            hands.get(partition % hands.size()).add(Integer.toString(partition));
        }
        Map<String, String> assignments = new LinkedHashMap<>();
        dealt.forEach((member, hand) -> assignments.put(member, String.join(",", hand)));
        return assignments;
    }

    private void takeSync(Reply<SyncGroupResponse> reply) {
        if (!reply.isThere()) {
            return;
        }
        syncing = null;
        onOutcome(ErrorCode.forCode(reply.value().errorCode()));
        if (reply.value().errorCode() == ErrorCode.NONE.code()) {
            owned = new ArrayList<>();
            for (String partition : text(reply.value().assignment()).split(",", -1)) {
                if (!partition.isEmpty()) {
                    owned.add(Integer.valueOf(partition));
                }
            }
            wish = Wish.HEARTBEAT;
        }
    }

    private void onOutcome(ErrorCode outcome) {
        switch (outcome) {
            case NONE -> {}
            case REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION, NOT_COORDINATOR, COORDINATOR_NOT_AVAILABLE -> {
                wish = Wish.JOIN;
                owned = List.of();
            }
            case UNKNOWN_MEMBER_ID -> {
                memberId = "";
                wish = Wish.JOIN;
                owned = List.of();
            }
            case FENCED_INSTANCE_ID -> {
                fenced = true;
                owned = List.of();
            }
            default -> throw new AssertionError("Unexpected " + outcome + " for " + this);
        }
    }

    @Override
    public String toString() {
        return "member " + memberId + " (generation " + generation + ", wants " + wish + ", owns " + owned + ")";
    }
}
