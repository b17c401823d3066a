package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchResponse;
import java.util.ArrayList;
import java.util.List;

/** Puts responses together. */
final class FetchResponses {
    private FetchResponses() {}

    static FetchResponse of(ErrorCode error, int sessionId, List<FetchedPartition> fetched) {
        List<FetchResponse.FetchableTopicResponse> topics = new ArrayList<>();
        FetchResponse.FetchableTopicResponse last = null;
        for (FetchedPartition partition : fetched) {
            FetchItem item = partition.item();
            String topic = item.topic() == null ? "" : item.topic();
            // Only neighbours share an entry: the order of the partitions is part of the answer.
            if (last == null || !last.topic().equals(topic) || !last.topicId().equals(item.topicId())) {
                last = new FetchResponse.FetchableTopicResponse()
                        .setTopic(topic)
                        .setTopicId(item.topicId());
                topics.add(last);
            }
            last.partitions().add(partition.data());
        }
        return new FetchResponse()
                .setErrorCode(error.code())
                .setSessionId(sessionId)
                .setResponses(topics);
    }
}
