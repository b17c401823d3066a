package io.tidemark.requests;

import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.types.Uuid;
import io.tidemark.requests.RequestFacts.TopicPart;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the fetch session (KIP-227) of one link has: its requests name only what has changed. A session that began before
 * anybody looked is not known, and is asked to begin anew.
 */
final class FetchTopics {
    private static final int NEW_SESSION = 0;
    private static final int NO_SESSION = -1;

    private final Map<Topic, Set<Integer>> partitions = new HashMap<>();
    private boolean isKnown;

    private record Topic(String name, Uuid topicId) {}

    /** False where the session is not known: its client has to be told that it has none. */
    boolean follow(FetchRequest request) {
        if (request.sessionEpoch() == NEW_SESSION || request.sessionEpoch() == NO_SESSION) {
            partitions.clear();
            isKnown = true;
        }
        if (!isKnown) {
            return false;
        }
        for (FetchRequest.FetchTopic topic : request.topics()) {
            Set<Integer> fetched =
                    partitions.computeIfAbsent(new Topic(topic.topic(), topic.topicId()), any -> new TreeSet<>());
            topic.partitions().forEach(partition -> fetched.add(partition.partition()));
        }
        for (FetchRequest.ForgottenTopic topic : request.forgottenTopicsData()) {
            Topic key = new Topic(topic.topic(), topic.topicId());
            Set<Integer> fetched = partitions.getOrDefault(key, new TreeSet<>());
            topic.partitions().forEach(fetched::remove);
            if (fetched.isEmpty()) {
                partitions.remove(key);
            }
        }
        return true;
    }

    /** Everything that the session fetches. */
    List<TopicPart> parts() {
        return partitions.entrySet().stream()
                .map(entry ->
                        new TopicPart(entry.getKey().name(), entry.getKey().topicId(), Set.copyOf(entry.getValue())))
                .toList();
    }
}
