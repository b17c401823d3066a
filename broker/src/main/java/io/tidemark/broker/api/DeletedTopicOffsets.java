package io.tidemark.broker.api;

import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.types.Uuid;
import java.util.Map;
import java.util.TreeMap;

/** Deletes the offsets of topics that are deleted, in the groups that this node coordinates. */
public final class DeletedTopicOffsets implements MetadataListener {
    private final GroupAccess groups;

    public DeletedTopicOffsets(GroupAccess groups) {
        this.groups = groups;
    }

    @Override
    public void onMetadataUpdate(MetadataDelta delta, MetadataImage image) {
        Map<String, Uuid> deleted = new TreeMap<>();
        for (TopicImage topic : delta.deletedTopics()) {
            deleted.put(topic.name(), topic.id());
        }
        if (deleted.isEmpty()) {
            return;
        }
        for (int partition : groups.runtime().partitions()) {
            // Where it does not succeed the offsets stay until their retention ends; the topic's id keeps them apart.
            groups.runtime()
                    .ask(
                            partition,
                            groups.commitTimeoutMs(),
                            (shard, nowMs) -> shard.onTopicsDeleted(deleted, nowMs),
                            error -> {});
        }
    }
}
