package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;

/** Reads the partitions out of a request. */
final class FetchItems {
    private FetchItems() {}

    static List<FetchItem> of(FetchRequest request, boolean usesTopicIds, TopicNames names) {
        List<FetchItem> items = new ArrayList<>();
        for (FetchRequest.FetchTopic topic : request.topics()) {
            Uuid topicId = usesTopicIds ? topic.topicId() : Uuid.ZERO;
            String name = usesTopicIds ? names.name(topicId) : topic.topic();
            for (FetchRequest.FetchPartition partition : topic.partitions()) {
                items.add(new FetchItem(
                        topicId,
                        name,
                        partition.partition(),
                        partition.currentLeaderEpoch(),
                        partition.fetchOffset(),
                        partition.lastFetchedEpoch(),
                        partition.logStartOffset(),
                        partition.partitionMaxBytes(),
                        partition.highWatermark()));
            }
        }
        return items;
    }

    static List<FetchItem.Key> forgotten(FetchRequest request, boolean usesTopicIds) {
        List<FetchItem.Key> keys = new ArrayList<>();
        for (FetchRequest.ForgottenTopic topic : request.forgottenTopicsData()) {
            for (int partition : topic.partitions()) {
                keys.add(
                        usesTopicIds
                                ? new FetchItem.Key(topic.topicId(), "", partition)
                                : new FetchItem.Key(Uuid.ZERO, topic.topic(), partition));
            }
        }
        return keys;
    }
}
