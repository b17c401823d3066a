package io.tidemark.requests;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.types.Uuid;
import io.tidemark.requests.MessageFields.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a request is about, as far as it says so itself.
 *
 * @param parts the topics that it names, each with its partitions
 * @param groups consumer groups
 * @param transactionalIds transactional ids
 */
record RequestFacts(List<TopicPart> parts, Set<String> groups, Set<String> transactionalIds) {
    /** The key type by which a coordinator of groups is asked for; transactions have 1. */
    private static final byte GROUP_KEY = 0;

    /**
     * A topic that a request names, by its name or its id.
     *
     * @param name empty where there is an id
     * @param topicId zero where there is a name
     * @param partitions empty where the request means the whole topic
     */
    record TopicPart(String name, Uuid topicId, Set<Integer> partitions) {}

    static RequestFacts of(ApiKey apiKey, ApiMessage request) {
        RequestFacts facts = new RequestFacts(new ArrayList<>(), new TreeSet<>(), new TreeSet<>());
        facts.read(request);
        if (apiKey == ApiKey.FIND_COORDINATOR) {
            facts.readKeys(request);
        }
        return facts;
    }

    private void read(Object struct) {
        String name = "";
        Uuid topicId = Uuid.ZERO;
        Set<Integer> partitions = new TreeSet<>();
        for (Field field : MessageFields.of(struct.getClass())) {
            String called = field.name().toLowerCase(Locale.ROOT);
            Object value = field.in(struct);
            if (value instanceof String text) {
                if (called.endsWith("groupid")) {
                    groups.add(text);
                } else if (called.endsWith("transactionalid")) {
                    transactionalIds.add(text);
                } else if (Synonyms.TOPIC.contains(field.name()) && isOfTopic(struct)) {
                    name = text;
                }
            } else if (value instanceof Uuid id && field.name().equals("topicId")) {
                topicId = id;
            } else if (value instanceof List<?> items) {
                readList(called, items, partitions);
            } else if (value != null && MessageFields.isStruct(value.getClass())) {
                read(value);
            }
        }
        if (!name.isEmpty() || !topicId.equals(Uuid.ZERO)) {
            parts.add(new TopicPart(name, topicId, partitions));
        }
    }

    private static boolean isOfTopic(Object struct) {
        return struct.getClass().getSimpleName().contains("Topic");
    }

    private void readList(String called, List<?> items, Set<Integer> partitions) {
        for (Object item : items) {
            if (item instanceof Integer number) {
                if (called.startsWith("partition")) {
                    partitions.add(number);
                }
            } else if (item instanceof String text) {
                if (called.startsWith("topic")) {
                    parts.add(new TopicPart(text, Uuid.ZERO, Set.of()));
                } else if (called.startsWith("group")) {
                    groups.add(text);
                } else if (called.startsWith("transactionalid")) {
                    transactionalIds.add(text);
                }
            } else if (MessageFields.isStruct(item.getClass())) {
                if (called.startsWith("partition")) {
                    partitionOf(item, partitions);
                } else {
                    read(item);
                }
            }
        }
    }

    private static void partitionOf(Object struct, Set<Integer> partitions) {
        for (Field field : MessageFields.of(struct.getClass())) {
            if (field.type() == int.class
                    && Synonyms.PARTITION.contains(field.name())
                    && field.in(struct) instanceof Integer number) {
                partitions.add(number);
            }
        }
    }

    /** Coordinators are asked for by keys, whose type says what they are. */
    private void readKeys(ApiMessage request) {
        boolean areGroups = true;
        List<String> keys = new ArrayList<>();
        for (Field field : MessageFields.of(request.getClass())) {
            Object value = field.in(request);
            if (field.name().equals("keyType")) {
                areGroups = value instanceof Byte type && type == GROUP_KEY;
            } else if (value instanceof String key && field.name().equals("key")) {
                keys.add(key);
            } else if (value instanceof List<?> more) {
                more.forEach(key -> keys.add(String.valueOf(key)));
            }
        }
        (areGroups ? groups : transactionalIds).addAll(keys);
    }
}
