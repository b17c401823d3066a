package io.tidemark.requests;

import io.tidemark.broker.types.Uuid;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The names of topics that requests call by their ids, as far as they are known. An id never gets another name. */
final class TopicNames {
    private final Map<Uuid, String> known = new ConcurrentHashMap<>();

    void learn(Uuid topicId, String name) {
        known.put(topicId, name);
    }

    boolean knows(Uuid topicId) {
        return known.containsKey(topicId);
    }

    /** Empty where it is not known. */
    String nameOf(Uuid topicId) {
        return known.getOrDefault(topicId, "");
    }
}
