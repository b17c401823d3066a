package io.tidemark.broker.group;

import io.tidemark.broker.group.GroupState.PreparingRebalance;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A classic group: its members, its generation, and where its rebalance stands.
 *
 * <pre>
 *            first member             all joined, or time up            leader's assignment
 *   Empty ------------------> PreparingRebalance --------> CompletingRebalance --------> Stable
 *     ^                          |   ^    ^                      |                          |
 *     |      all have left       |   |    +--- join, leave, -----+                          |
 *     +--------------------------+   |         expiry                                       |
 *                                    +--------------------- join, leave, expiry ------------+
 *   Dead: from every state, when the group is deleted.
 * </pre>
 *
 * Who is in the group and which transitions are legal is kept here; why something happens is decided by the rules.
 */
final class ClassicGroup {
    /** The protocol type of consumers, whose metadata the coordinator can read. */
    static final String CONSUMER_PROTOCOL_TYPE = "consumer";

    private final String id;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, String> staticMemberIds = new TreeMap<>();
    private final Set<String> pendingMembers = new LinkedHashSet<>();
    private final Set<String> pendingSyncs = new LinkedHashSet<>();
    private GroupState state = new GroupState.Empty();
    private long stateSinceMs;
    private int generation;
    private @Nullable String protocolType;
    private @Nullable String protocolName;
    private @Nullable String leaderId;

    ClassicGroup(String id, long nowMs) {
        this.id = id;
        this.stateSinceMs = nowMs;
    }

    /** The group as its record in the log says; with members it was stable. */
    static ClassicGroup restored(
            String id,
            int generation,
            String protocolType,
            @Nullable String protocolName,
            @Nullable String leaderId,
            long stateSinceMs,
            List<Member> members) {
        ClassicGroup group = new ClassicGroup(id, stateSinceMs);
        group.generation = generation;
        group.protocolType = protocolType.isEmpty() ? null : protocolType;
        group.protocolName = protocolName;
        for (Member member : members) {
            group.put(member);
        }
        group.leaderId = leaderId;
        group.state = members.isEmpty() ? new GroupState.Empty() : new GroupState.Stable();
        return group;
    }

    String id() {
        return id;
    }

    int generation() {
        return generation;
    }

    @Nullable
    String protocolType() {
        return protocolType;
    }

    @Nullable
    String protocolName() {
        return protocolName;
    }

    @Nullable
    String leaderId() {
        return leaderId;
    }

    boolean isLeader(String memberId) {
        return memberId.equals(leaderId);
    }

    // ---- state

    GroupState state() {
        return state;
    }

    GroupStateName stateName() {
        return state.name();
    }

    boolean isIn(GroupStateName name) {
        return state.name() == name;
    }

    /** When the present state was entered, in wall time; -1 if the record of the group did not say. */
    long stateSinceMs() {
        return stateSinceMs;
    }

    boolean canRebalance() {
        return state.name().mayBecome(GroupStateName.PREPARING_REBALANCE);
    }

    void become(GroupState next, long nowMs) {
        if (!state.name().mayBecome(next.name())) {
            throw new IllegalStateException(
                    "Group " + id + " is " + state.name() + " and cannot become " + next.name());
        }
        state = next;
        stateSinceMs = nowMs;
    }

    /** Replaces what the state holds; the state's name stays. */
    void update(PreparingRebalance sameState) {
        if (!isIn(GroupStateName.PREPARING_REBALANCE)) {
            throw new IllegalStateException("Group " + id + " is " + state.name() + "; expected PreparingRebalance");
        }
        state = sameState;
    }

    /** A new generation of those who joined: with members it awaits the assignment, without it is empty. */
    void beginNextGeneration(long nowMs) {
        generation++;
        pendingSyncs.clear();
        if (members.isEmpty()) {
            protocolName = null;
            become(new GroupState.Empty(), nowMs);
        } else {
            protocolName = selectProtocol();
            become(new GroupState.CompletingRebalance(), nowMs);
        }
    }

    // ---- members

    Collection<Member> members() {
        return Collections.unmodifiableCollection(members.values());
    }

    int size() {
        return members.size();
    }

    boolean hasMembers() {
        return !members.isEmpty();
    }

    boolean hasMember(String memberId) {
        return members.containsKey(memberId);
    }

    @Nullable
    Member member(String memberId) {
        return members.get(memberId);
    }

    /** The id of the member that has this instance id now, or null. */
    @Nullable
    String staticMemberId(String instanceId) {
        return staticMemberIds.get(instanceId);
    }

    /** Adds a member. The first one decides the group's protocol type and leads. */
    void add(Member member) {
        if (members.isEmpty()) {
            protocolType = member.protocolType();
        }
        put(member);
        if (leaderId == null) {
            leaderId = member.id();
        }
        pendingMembers.remove(member.id());
    }

    private void put(Member member) {
        members.put(member.id(), member);
        String instanceId = member.instanceId();
        if (instanceId != null) {
            staticMemberIds.put(instanceId, member.id());
        }
    }

    /** Removes a member, or a pending one. Who waits on it must have been answered. */
    void remove(String memberId) {
        Member member = members.remove(memberId);
        if (member != null) {
            String instanceId = member.instanceId();
            if (instanceId != null) {
                staticMemberIds.remove(instanceId, memberId);
            }
        }
        if (isLeader(memberId)) {
            leaderId = members.isEmpty() ? null : members.keySet().iterator().next();
        }
        pendingMembers.remove(memberId);
        pendingSyncs.remove(memberId);
    }

    /** Gives a static member its new id, in the same place and with the same assignment. */
    Member replaceStaticMember(Member old, String newMemberId) {
        Member renamed = old.renamed(newMemberId);
        boolean leads = isLeader(old.id());
        members.remove(old.id());
        pendingSyncs.remove(old.id());
        put(renamed);
        if (leads) {
            leaderId = newMemberId;
        }
        return renamed;
    }

    /**
     * Checks that the member is in the group, and is the one that its instance id stands for.
     *
     * @return NONE, UNKNOWN_MEMBER_ID or FENCED_INSTANCE_ID
     */
    ErrorCode checkMember(String memberId, @Nullable String instanceId) {
        if (instanceId != null) {
            String current = staticMemberIds.get(instanceId);
            if (current == null) {
                return ErrorCode.UNKNOWN_MEMBER_ID;
            }
            if (!current.equals(memberId)) {
                return ErrorCode.FENCED_INSTANCE_ID;
            }
        }
        return members.containsKey(memberId) ? ErrorCode.NONE : ErrorCode.UNKNOWN_MEMBER_ID;
    }

    // ---- pending members: those who were given an id and have not joined with it

    void addPending(String memberId) {
        pendingMembers.add(memberId);
    }

    boolean isPending(String memberId) {
        return pendingMembers.contains(memberId);
    }

    Set<String> pendingMembers() {
        return Collections.unmodifiableSet(pendingMembers);
    }

    // ---- the round of joining

    int awaitingJoinCount() {
        return (int) members.values().stream().filter(Member::isAwaitingJoin).count();
    }

    boolean allMembersJoined() {
        return pendingMembers.isEmpty() && members.values().stream().allMatch(Member::isAwaitingJoin);
    }

    /** Members that may be dropped from a round that they have not joined; static ones stay. */
    List<Member> absentDynamicMembers() {
        return members.values().stream()
                .filter(member -> !member.isAwaitingJoin() && !member.isStatic())
                .toList();
    }

    /**
     * Sees to it that the leader is one who joined.
     *
     * @return false if nobody joined
     */
    boolean electJoinedLeader() {
        Member leader = leaderId == null ? null : members.get(leaderId);
        if (leader != null && leader.isAwaitingJoin()) {
            return true;
        }
        for (Member member : members.values()) {
            if (member.isAwaitingJoin()) {
                leaderId = member.id();
                return true;
            }
        }
        return false;
    }

    /** The longest rebalance timeout of a member. */
    int rebalanceTimeoutMs() {
        return members.values().stream()
                .mapToInt(Member::rebalanceTimeoutMs)
                .max()
                .orElse(0);
    }

    // ---- the round of syncing

    void awaitSyncOf(String memberId) {
        pendingSyncs.add(memberId);
    }

    void syncSeen(String memberId) {
        pendingSyncs.remove(memberId);
    }

    /** Who has not asked for its assignment in this generation. */
    Set<String> pendingSyncs() {
        return Collections.unmodifiableSet(pendingSyncs);
    }

    // ---- protocols

    boolean usesConsumerProtocol() {
        return CONSUMER_PROTOCOL_TYPE.equals(protocolType);
    }

    /** True if a member with these protocols leaves the group at least one that all members support. */
    boolean supportsProtocols(String memberProtocolType, List<MemberProtocol> protocols) {
        if (members.isEmpty()) {
            return !memberProtocolType.isEmpty() && !protocols.isEmpty();
        }
        return memberProtocolType.equals(protocolType)
                && protocols.stream().anyMatch(protocol -> ProtocolVote.allSupport(members.values(), protocol.name()));
    }

    /** The protocol that the members as they are now would use. */
    String selectProtocol() {
        return ProtocolVote.winner(members.values());
    }

    /** True if a member reads the topic; also where that cannot be told of a consumer group. */
    boolean isSubscribedTo(String topic) {
        Set<String> topics = Subscriptions.topicsOf(this);
        return topics == null ? usesConsumerProtocol() : topics.contains(topic);
    }

    @Override
    public String toString() {
        return "group " + id + " (" + state.name() + ", generation " + generation + ", members " + members.values()
                + ", pending " + pendingMembers + ")";
    }
}
