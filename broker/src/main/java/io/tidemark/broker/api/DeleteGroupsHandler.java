package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DeleteGroupsRequest;
import io.tidemark.broker.protocol.message.DeleteGroupsResponse;
import io.tidemark.broker.protocol.message.DeleteGroupsResponse.DeletableGroupResult;

/** DeleteGroups: groups without members go, and their offsets with them. */
public final class DeleteGroupsHandler implements ApiHandler<DeleteGroupsRequest> {
    private final GroupAccess groups;

    public DeleteGroupsHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DELETE_GROUPS;
    }

    @Override
    public void handle(RequestContext context, DeleteGroupsRequest request) {
        Gather<DeletableGroupResult> answers = new Gather<>(
                request.groupsNames().size(), whole -> context.respond(new DeleteGroupsResponse().setResults(whole)));
        for (int i = 0; i < request.groupsNames().size(); i++) {
            int place = i;
            String groupId = request.groupsNames().get(i);
            groups.runtime()
                    .write(
                            groups.partitionOf(groupId),
                            groups.commitTimeoutMs(),
                            (shard, nowMs) -> shard.deleteGroup(groupId, nowMs),
                            new Respond<DeletableGroupResult>(
                                    result -> answers.put(place, result),
                                    error -> answers.put(place, failed(groupId, error))));
        }
    }

    private static DeletableGroupResult failed(String groupId, ErrorCode error) {
        return new DeletableGroupResult().setGroupId(groupId).setErrorCode(error.code());
    }

    @Override
    public DeleteGroupsResponse errorResponse(DeleteGroupsRequest request, short version, ErrorCode error) {
        DeleteGroupsResponse response = new DeleteGroupsResponse();
        request.groupsNames().forEach(groupId -> response.results().add(failed(groupId, error)));
        return response;
    }
}
