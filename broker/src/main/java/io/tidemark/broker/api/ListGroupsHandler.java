package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListGroupsRequest;
import io.tidemark.broker.protocol.message.ListGroupsResponse;
import io.tidemark.broker.protocol.message.ListGroupsResponse.ListedGroup;
import java.util.ArrayList;
import java.util.List;

/** ListGroups: the groups that this node coordinates. */
public final class ListGroupsHandler implements ApiHandler<ListGroupsRequest> {
    private final GroupAccess groups;

    public ListGroupsHandler(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.LIST_GROUPS;
    }

    @Override
    public void handle(RequestContext context, ListGroupsRequest request) {
        List<Integer> partitions = groups.runtime().partitions();
        List<ErrorCode> errors = new ArrayList<>();
        Gather<List<ListedGroup>> answers = new Gather<>(partitions.size(), whole -> {
            if (errors.isEmpty()) {
                List<ListedGroup> all = new ArrayList<>();
                whole.forEach(all::addAll);
                context.respond(new ListGroupsResponse().setGroups(all));
            } else {
                context.respond(errorResponse(request, context.apiVersion(), errors.get(0)));
            }
        });
        for (int i = 0; i < partitions.size(); i++) {
            int place = i;
            groups.runtime()
                    .read(
                            partitions.get(i),
                            (shard, nowMs) -> shard.list(request),
                            new Respond<List<ListedGroup>>(listed -> answers.put(place, listed), error -> {
                                // A partition that went meanwhile is somebody else's to list.
                                if (error != ErrorCode.NOT_COORDINATOR) {
                                    errors.add(error);
                                }
                                answers.put(place, List.of());
                            }));
        }
    }

    @Override
    public ListGroupsResponse errorResponse(ListGroupsRequest request, short version, ErrorCode error) {
        return new ListGroupsResponse().setErrorCode(error.code());
    }
}
