package io.tidemark.broker.group;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse.DescribedGroup;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse.DescribedGroupMember;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.ListGroupsResponse.ListedGroup;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shows groups to those who look at them. */
final class GroupViews {
    private static final String CLASSIC = "classic";
    /** From this version on a group that is not there is an error, not a dead group (KIP-1043). */
    private static final short GROUP_NOT_FOUND_VERSION = 6;

    private GroupViews() {}

    static DescribedGroup describe(String groupId, @Nullable ClassicGroup group, short apiVersion) {
        DescribedGroup described = new DescribedGroup().setGroupId(groupId);
        if (group == null || group.isIn(GroupStateName.DEAD)) {
            described.setGroupState(GroupStateName.DEAD.toString());
            return apiVersion < GROUP_NOT_FOUND_VERSION
                    ? described
                    : described
                            .setErrorCode(ErrorCode.GROUP_ID_NOT_FOUND.code())
                            .setErrorMessage("Group " + groupId + " not found.");
        }
        String protocolType = group.protocolType();
        String protocolName = group.protocolName();
        boolean isStable = group.isIn(GroupStateName.STABLE);
        described
                .setGroupState(group.stateName().toString())
                .setProtocolType(protocolType == null ? "" : protocolType)
                .setProtocolData(isStable && protocolName != null ? protocolName : "");
        for (Member member : group.members()) {
            described.members().add(describe(member, isStable ? protocolName : null, isStable));
        }
        return described;
    }

    /** Only in a stable group are metadata and assignment those of the present generation. */
    private static DescribedGroupMember describe(Member member, @Nullable String protocolName, boolean isStable) {
        return new DescribedGroupMember()
                .setMemberId(member.id())
                .setGroupInstanceId(member.instanceId())
                .setClientId(member.clientId())
                .setClientHost(member.clientHost())
                .setMemberMetadata(member.metadata(protocolName))
                .setMemberAssignment(isStable ? member.assignment() : Member.NO_BYTES);
    }

    static List<ListedGroup> list(List<ClassicGroup> groups, ListGroupsRequest request) {
        if (!contains(request.typesFilter(), CLASSIC)) {
            return List.of();
        }
        return groups.stream()
                .filter(group ->
                        contains(request.statesFilter(), group.stateName().toString()))
                .map(GroupViews::listed)
                .toList();
    }

    private static ListedGroup listed(ClassicGroup group) {
        String protocolType = group.protocolType();
        return new ListedGroup()
                .setGroupId(group.id())
                .setProtocolType(protocolType == null ? "" : protocolType)
                .setGroupState(group.stateName().toString())
                .setGroupType(CLASSIC);
    }

    /** An empty filter lets everything through. */
    private static boolean contains(List<String> filter, String word) {
        return filter.isEmpty() || filter.stream().anyMatch(word::equalsIgnoreCase);
    }
}
