package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetFetchRequest;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopic;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.tidemark.broker.protocol.message.OffsetFetchResponse;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartition;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopic;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import java.util.ArrayList;
import java.util.List;

/**
 * OffsetFetch has two shapes: up to version 7 one group at the top, from version 8 on a list of groups. And three places
 * for an error of a group: in each partition (version 1), at the top (2 to 7), in the group.
 */
final class OffsetFetchShapes {
    static final long NO_OFFSET = -1;

    private static final short GROUPS_VERSION = 8;
    private static final short TOP_LEVEL_ERROR_VERSION = 2;

    private OffsetFetchShapes() {}

    /** The one group of an older request. */
    static OffsetFetchRequestGroup groupOf(OffsetFetchRequest request) {
        OffsetFetchRequestGroup group = new OffsetFetchRequestGroup().setGroupId(request.groupId());
        List<OffsetFetchRequestTopic> topics = request.topics();
        if (topics == null) {
            return group.setTopics(null);
        }
        List<OffsetFetchRequestTopics> byName = new ArrayList<>();
        for (OffsetFetchRequestTopic topic : topics) {
            byName.add(
                    new OffsetFetchRequestTopics().setName(topic.name()).setPartitionIndexes(topic.partitionIndexes()));
        }
        return group.setTopics(byName);
    }

    /** The group could not be asked. Its partitions are there for version 1, which has no other place for the error. */
    static OffsetFetchResponseGroup failed(OffsetFetchRequestGroup group, ErrorCode error) {
        OffsetFetchResponseGroup answer =
                new OffsetFetchResponseGroup().setGroupId(group.groupId()).setErrorCode(error.code());
        List<OffsetFetchRequestTopics> topics = group.topics();
        if (topics == null) {
            return answer;
        }
        for (OffsetFetchRequestTopics topic : topics) {
            OffsetFetchResponseTopics failed =
                    new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
            for (int partition : topic.partitionIndexes()) {
                failed.partitions()
                        .add(new OffsetFetchResponsePartitions()
                                .setPartitionIndex(partition)
                                .setCommittedOffset(NO_OFFSET)
                                .setMetadata("")
                                .setErrorCode(error.code()));
            }
            answer.topics().add(failed);
        }
        return answer;
    }

    static OffsetFetchResponse response(List<OffsetFetchResponseGroup> groups, short version) {
        if (version >= GROUPS_VERSION) {
            for (OffsetFetchResponseGroup group : groups) {
                if (group.errorCode() != ErrorCode.NONE.code()) {
                    group.topics().clear();
                }
            }
            return new OffsetFetchResponse().setGroups(groups);
        }
        OffsetFetchResponseGroup group = groups.get(0);
        OffsetFetchResponse response = new OffsetFetchResponse();
        boolean hasFailed = group.errorCode() != ErrorCode.NONE.code();
        if (version >= TOP_LEVEL_ERROR_VERSION) {
            response.setErrorCode(group.errorCode());
        }
        if (!hasFailed || version < TOP_LEVEL_ERROR_VERSION) {
            group.topics().forEach(topic -> response.topics().add(single(topic)));
        }
        return response;
    }

    private static OffsetFetchResponseTopic single(OffsetFetchResponseTopics topic) {
        OffsetFetchResponseTopic single = new OffsetFetchResponseTopic().setName(topic.name());
        for (OffsetFetchResponsePartitions partition : topic.partitions()) {
            single.partitions()
                    .add(new OffsetFetchResponsePartition()
                            .setPartitionIndex(partition.partitionIndex())
                            .setCommittedOffset(partition.committedOffset())
                            .setCommittedLeaderEpoch(partition.committedLeaderEpoch())
                            .setMetadata(partition.metadata())
                            .setErrorCode(partition.errorCode()));
        }
        return single;
    }
}
