package io.tidemark.broker.fetch;

import io.tidemark.broker.types.Uuid;
import org.jspecify.annotations.Nullable;

/** Finds the name of a topic by its id. */
@FunctionalInterface
public interface TopicNames {
    /** The name, or null where no topic has the id now. */
    @Nullable
    String name(Uuid topicId);
}
