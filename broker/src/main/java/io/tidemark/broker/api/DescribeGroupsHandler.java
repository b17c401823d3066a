package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeGroupsRequest;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse;
import io.tidemark.broker.protocol.message.DescribeGroupsResponse.DescribedGroup;

/** DescribeGroups: state, members and assignments of classic groups. */
public final class DescribeGroupsHandler implements ApiHandler<DescribeGroupsRequest> {
    /**
     * What may be done to a group, as bits of Kafka's operation codes: read 3, delete 6, describe 8, describe configs 10,
     * alter configs 11. There is no authorizer, so everybody may do all of it.
     */
    private static final int ALL_OPERATIONS = 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11;

    private final GroupAccess groups;

    public DescribeGroupsHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_GROUPS;
    }

    @Override
    public void handle(RequestContext context, DescribeGroupsRequest request) {
        short version = context.apiVersion();
        Gather<DescribedGroup> answers = new Gather<>(request.groups().size(), whole -> {
            if (request.includeAuthorizedOperations()) {
                whole.stream()
                        .filter(group -> group.errorCode() == ErrorCode.NONE.code())
                        .forEach(group -> group.setAuthorizedOperations(ALL_OPERATIONS));
            }
            context.respond(new DescribeGroupsResponse().setGroups(whole));
        });
        for (int i = 0; i < request.groups().size(); i++) {
            int place = i;
            String groupId = request.groups().get(i);
            groups.runtime()
                    .read(
                            groups.partitionOf(groupId),
                            (shard, nowMs) -> shard.describe(groupId, version),
                            new Respond<DescribedGroup>(
                                    group -> answers.put(place, group),
                                    error -> answers.put(place, failed(groupId, error))));
        }
    }

    private static DescribedGroup failed(String groupId, ErrorCode error) {
        return new DescribedGroup().setGroupId(groupId).setErrorCode(error.code());
    }

    @Override
    public DescribeGroupsResponse errorResponse(DescribeGroupsRequest request, short version, ErrorCode error) {
        DescribeGroupsResponse response = new DescribeGroupsResponse();
        request.groups().forEach(groupId -> response.groups().add(failed(groupId, error)));
        return response;
    }
}
