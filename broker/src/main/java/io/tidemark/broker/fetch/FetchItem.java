package io.tidemark.broker.fetch;

import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * One partition to read.
 *
 * @param topicId the id that the reader named, or zero where it names topics by name
 * @param topic the topic's name, or null where no topic of that id is known
 * @param partition the partition's number
 * @param currentLeaderEpoch the epoch that the reader believes in, or -1
 * @param fetchOffset where to read from
 * @param lastFetchedEpoch the epoch of the last record that the reader has, or -1
 * @param logStartOffset the start of a follower's log, or -1
 * @param maxBytes the most to read
 * @param highWatermark a follower's high watermark, or the largest long where it tells none (KIP-1166)
 */
public record FetchItem(
        Uuid topicId,
        @Nullable String topic,
        int partition,
        int currentLeaderEpoch,
        long fetchOffset,
        int lastFetchedEpoch,
        long logStartOffset,
        int maxBytes,
        long highWatermark) {
    /** The partition's name, or null where the topic is not known. */
    public @Nullable TopicPartition topicPartition() {
        return topic == null ? null : new TopicPartition(topic, partition);
    }

    Key key() {
        return topicId.isZero() && topic != null ? new Key(topicId, topic, partition) : new Key(topicId, "", partition);
    }

    FetchItem withTopic(@Nullable String name) {
        return new FetchItem(
                topicId,
                name,
                partition,
                currentLeaderEpoch,
                fetchOffset,
                lastFetchedEpoch,
                logStartOffset,
                maxBytes,
                highWatermark);
    }

    /** What tells partitions of a session apart: the id where there is one, else the name. */
    record Key(Uuid topicId, String topic, int partition) {}
}
