package io.tidemark.broker.api;

import java.util.List;

/** The handlers of everything that concerns groups. */
public final class GroupHandlers {
    private GroupHandlers() {}

    public static List<ApiHandler<?>> of(GroupAccess groups) {
        return List.of(
                new JoinGroupHandler(groups),
                new SyncGroupHandler(groups),
                new HeartbeatHandler(groups),
                new LeaveGroupHandler(groups),
                new OffsetCommitHandler(groups),
                new OffsetFetchHandler(groups),
                new DescribeGroupsHandler(groups),
                new ListGroupsHandler(groups),
                new DeleteGroupsHandler(groups),
                new OffsetDeleteHandler(groups));
    }
}
