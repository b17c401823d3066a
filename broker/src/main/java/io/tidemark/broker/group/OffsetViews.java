package io.tidemark.broker.group;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestGroup;
import io.tidemark.broker.protocol.message.OffsetFetchRequest.OffsetFetchRequestTopics;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseGroup;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponsePartitions;
import io.tidemark.broker.protocol.message.OffsetFetchResponse.OffsetFetchResponseTopics;
import io.tidemark.broker.types.TopicPartition;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Shows offsets to those who fetch them. */
final class OffsetViews {
    private static final long NO_OFFSET = -1;
    private static final int NO_EPOCH = -1;

    private OffsetViews() {}

    /**
     * @param request null topics ask for all that there are
     * @param isUnstable where an open transaction may change the offset, so that the reader has to ask again
     */
    static OffsetFetchResponseGroup of(
            OffsetFetchRequestGroup request,
            SortedMap<TopicPartition, CommittedOffset> offsets,
            Predicate<TopicPartition> isUnstable) {
        OffsetFetchResponseGroup response = new OffsetFetchResponseGroup().setGroupId(request.groupId());
        if (request.topics() == null) {
            addAll(offsets, isUnstable, response);
        } else {
            for (OffsetFetchRequestTopics topic : request.topics()) {
                response.topics().add(asked(topic, offsets, isUnstable));
            }
        }
        return response;
    }

    private static OffsetFetchResponseTopics asked(
            OffsetFetchRequestTopics topic,
            SortedMap<TopicPartition, CommittedOffset> offsets,
            Predicate<TopicPartition> isUnstable) {
        OffsetFetchResponseTopics answer =
                new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
        for (int partition : topic.partitionIndexes()) {
            TopicPartition id = new TopicPartition(topic.name(), partition);
            CommittedOffset offset = offsets.get(id);
            boolean isOfThisTopic = offset != null && offset.isFor(topic.topicId());
            answer.partitions()
                    .add(
                            isUnstable.test(id)
                                    ? unstable(partition)
                                    : partition(partition, isOfThisTopic ? offset : null));
        }
        return answer;
    }

    private static void addAll(
            SortedMap<TopicPartition, CommittedOffset> offsets,
            Predicate<TopicPartition> isUnstable,
            OffsetFetchResponseGroup response) {
        Map<String, OffsetFetchResponseTopics> topics = new TreeMap<>();
        offsets.forEach((partition, offset) -> topics.computeIfAbsent(
                        partition.topic(),
                        name -> new OffsetFetchResponseTopics().setName(name).setTopicId(offset.topicId()))
                .partitions()
                .add(
                        isUnstable.test(partition)
                                ? unstable(partition.partition())
                                : partition(partition.partition(), offset)));
        response.topics().addAll(topics.values());
    }

    private static OffsetFetchResponsePartitions unstable(int index) {
        return partition(index, null).setErrorCode(ErrorCode.UNSTABLE_OFFSET_COMMIT.code());
    }

    private static OffsetFetchResponsePartitions partition(int index, @Nullable CommittedOffset offset) {
        OffsetFetchResponsePartitions answer = new OffsetFetchResponsePartitions().setPartitionIndex(index);
        return offset == null
                ? answer.setCommittedOffset(NO_OFFSET)
                        .setCommittedLeaderEpoch(NO_EPOCH)
                        .setMetadata("")
                : answer.setCommittedOffset(offset.offset())
                        .setCommittedLeaderEpoch(offset.leaderEpoch())
                        .setMetadata(offset.metadata());
    }
}
