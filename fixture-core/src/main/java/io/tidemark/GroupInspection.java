package io.tidemark;

import io.netty.buffer.Unpooled;
import io.tidemark.GroupState.Member;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.message.ConsumerProtocolAssignment;
import io.tidemark.broker.protocol.message.DescribeGroupsRequest;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Asks the brokers for a group through their own routers, so that no client is needed and no topic is created. */
final class GroupInspection {
    private static final long TIMEOUT_MS = 10_000;
    private static final String DEAD = "Dead";
    private static final String CONSUMER = "consumer";

    private GroupInspection() {}

    /** The answer of a broker that takes itself for the coordinator and knows the group: of the real one, if it does. */
    static Optional<GroupState> of(Cluster cluster, String groupId) {
        for (ClusterNode broker : CoordinatorLook.coordinatorFirst(cluster, GroupTimeline.TOPIC, groupId)) {
            Optional<GroupState> group = on(broker, groupId);
            if (group.isPresent()) {
                return group;
            }
        }
        return Optional.empty();
    }

    private static Optional<GroupState> on(ClusterNode broker, String groupId) {
        DescribeGroupsResponse described = CoordinatorLook.ask(
                broker,
                new DescribeGroupsRequest().setGroups(List.of(groupId)),
                DescribeGroupsResponse.class,
                TIMEOUT_MS);
        DescribedGroup group = described == null ? null : described.groups().get(0);
        if (group == null
                || group.errorCode() != ErrorCode.NONE.code()
                || group.groupState().equals(DEAD)) {
            return Optional.empty();
        }
        OffsetFetchResponse offsets = CoordinatorLook.ask(
                broker,
                new OffsetFetchRequest()
                        .setGroups(List.of(new OffsetFetchRequestGroup()
                                .setGroupId(groupId)
                                .setTopics(null))),
                OffsetFetchResponse.class,
                TIMEOUT_MS);
        if (offsets == null) {
            return Optional.empty();
        }
        return Optional.of(new GroupState(
                groupId, broker.id(), group.groupState(), group.protocolData(), membersOf(group), committed(offsets)));
    }

    private static List<Member> membersOf(DescribedGroup group) {
        return group.members().stream()
                .map(member -> new Member(
                        member.memberId(),
                        member.clientId(),
                        group.protocolType().equals(CONSUMER) ? assigned(member.memberAssignment()) : List.of()))
                .toList();
    }

    private static List<String> assigned(byte[] bytes) {
        List<String> names = new ArrayList<>();
        if (bytes.length < Short.BYTES) {
            return names;
        }
        short version = (short) ((bytes[0] << 8) | (bytes[1] & 0xff));
        ConsumerProtocolAssignment assignment = new ConsumerProtocolAssignment();
        short known = (short) Math.min(version, assignment.highestSupportedVersion());
        assignment.read(
                new MessageReader(Unpooled.wrappedBuffer(Arrays.copyOfRange(bytes, Short.BYTES, bytes.length))), known);
        assignment.assignedPartitions().forEach(topic -> topic.partitions()
                .forEach(number -> names.add(topic.topic() + "-" + number)));
        return names;
    }

    private static SortedMap<String, Long> committed(OffsetFetchResponse offsets) {
        SortedMap<String, Long> committed = new TreeMap<>();
        offsets.groups().forEach(group -> group.topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    if (partition.committedOffset() >= 0) {
                        committed.put(topic.name() + "-" + partition.partitionIndex(), partition.committedOffset());
                    }
                })));
        return committed;
    }
}
