package io.tidemark.requests;

import java.util.ArrayList;
import java.util.List;

/** Kafka's specs have more than one name for a thing. */
final class Synonyms {
    static final List<String> TOPIC = List.of("topic", "name", "topicName");
    static final List<String> PARTITION = List.of("partition", "partitionIndex", "partitionId", "index");
    private static final List<String> USER = List.of("user", "name");

    private Synonyms() {}

    /** The name itself first. */
    static List<String> of(String name) {
        List<String> names = new ArrayList<>(List.of(name));
        for (List<String> group : List.of(TOPIC, PARTITION, USER)) {
            if (group.contains(name)) {
                names.addAll(group);
            }
        }
        return names;
    }
}
