package io.tidemark;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One consumer group at one moment, as its coordinator has it. Immutable.
 *
 * <pre>{@code
 * GroupState billing = cluster.group("billing").snapshot();
 * System.out.println(billing.state() + " " + billing.committed());
 * }</pre>
 *
 * @param groupId the group's id
 * @param coordinator the broker that coordinates it
 * @param state Kafka's name of its state, for example {@code Stable}; {@code Empty} for one that has offsets alone
 * @param protocol the chosen assignor; empty while none is
 * @param members its members
 * @param committed the committed offset of each partition, by its name as in {@code orders-0}
 */
public record GroupState(
        String groupId,
        int coordinator,
        String state,
        String protocol,
        List<Member> members,
        SortedMap<String, Long> committed) {
    /** The state in which every member has its assignment. */
    public static final String STABLE = "Stable";

    /**
     * One member.
     *
     * @param memberId the id that the coordinator gave it
     * @param clientId the client.id that it came with
     * @param assigned the partitions that it has, by their names
     */
    public record Member(String memberId, String clientId, List<String> assigned) {
        public Member {
            assigned = assigned.stream().sorted().toList();
        }

        /** For example {@code consumer-1 has [orders-0, orders-1]}. */
        @Override
        public String toString() {
            return clientId + " has " + assigned;
        }
    }

    public GroupState {
        members = List.copyOf(members);
        committed = Collections.unmodifiableSortedMap(new TreeMap<>(committed));
    }

    /** Every partition that some member has, in order. */
    public List<String> assigned() {
        TreeSet<String> all = new TreeSet<>();
        members.forEach(member -> all.addAll(member.assigned()));
        return List.copyOf(all);
    }

    /** Several lines: the group, its offsets, then each member. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("group " + groupId + ": " + state + " on broker " + coordinator
                + (protocol.isEmpty() ? "" : ", assignor " + protocol) + ", members " + members.size() + ", committed "
                + committed);
        members.forEach(member -> text.append("\n  ").append(member));
        return text.toString();
    }
}
