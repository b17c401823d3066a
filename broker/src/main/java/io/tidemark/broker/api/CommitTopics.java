package io.tidemark.broker.api;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a request that commits offsets, in a transaction or without one. The coordinator hears of those that are
 * there, and the others are answered for it.
 */
final class CommitTopics {
    private final MetadataImage image;
    private final boolean byId;

    /** @param byId whether the request's version names topics by their ids, or by their names */
    CommitTopics(MetadataImage image, boolean byId) {
        this.image = image;
        this.byId = byId;
    }

    @Nullable
    TopicImage find(String name, Uuid id) {
        return byId ? image.topics().topic(id) : image.topics().topic(name);
    }

    /**
     * What one partition is answered: what the coordinator decided, or that the partition is not there.
     *
     * @param decided what the coordinator decided, by names
     */
    short error(String name, Uuid id, int partition, Map<TopicPartition, Short> decided) {
        TopicImage topic = find(name, id);
        if (topic == null && byId) {
            return ErrorCode.UNKNOWN_TOPIC_ID.code();
        }
        String known = topic == null ? name : topic.name();
        return decided.getOrDefault(new TopicPartition(known, partition), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION.code());
    }
}
