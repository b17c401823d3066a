package io.tidemark.chaos.schedule;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Draws what a deed is done to, within what must be survived. Belongs to one thread. */
final class Draw {
    /** Far from those that a cluster has by itself, which count from 1001. */
    private static final int COMING_CONTROLLER = 1_901;

    private final SplittableRandom random;
    private final List<Integer> brokers;
    /** The topics with the counts of their partitions. */
    final Map<String, Integer> topics = new TreeMap<>();

    final List<String> groups = new ArrayList<>();
    final List<String> transactionalIds = new ArrayList<>();
    final List<String> clientIds = new ArrayList<>();

    Draw(SplittableRandom random, List<Integer> brokers) {
        this.random = random;
        this.brokers = brokers;
    }

    /**
     * The words for one deed.
     *
     * @param left the brokers that are not hurt; one that is chosen to be hurt is taken out
     * @throws IllegalArgumentException if it is done to something of which there is none
     */
    List<String> wordsFor(Deed deed, List<Integer> left) {
        List<String> words = new ArrayList<>();
        List<Integer> others = new ArrayList<>(brokers);
        ApiKey api = ApiKey.PRODUCE;
        int partitions = 1;
        for (Word word : deed.words()) {
            words.add(
                    switch (word) {
                        case NODE -> {
                            boolean isHurt = deed.harm() == Harm.BROKER && words.isEmpty();
                            List<Integer> from = isHurt ? left : others;
                            require(from.isEmpty(), deed, "broker");
                            Integer node = isHurt ? from.remove(random.nextInt(from.size())) : one(from);
                            others.remove(node);
                            yield node.toString();
                        }
                        case BROKER -> String.valueOf(Collections.max(brokers) + 1);
                        case CONTROLLER -> String.valueOf(COMING_CONTROLLER);
                        case GROUPS -> {
                            require(left.isEmpty() || others.size() < 2, deed, "broker");
                            Integer node = left.remove(random.nextInt(left.size()));
                            others.remove(node);
                            yield Word.ofGroups(List.of(List.of(node), others));
                        }
                        case API -> {
                            api = one(apisFor(deed));
                            yield api.name();
                        }
                        case ERROR -> one(errors().getOrDefault(api, List.of())).name();
                        case TIMES -> String.valueOf(1 + random.nextInt(Survival.MOST_TIMES));
                        case TIME -> Word.ofMillis(1 + random.nextLong(longestMs(deed)));
                        case OFF ->
                            Word.ofMillis(random.nextLong(2 * Survival.LONGEST_SKEW_MS + 1) - Survival.LONGEST_SKEW_MS);
                        case TOPIC -> {
                            require(topics.isEmpty(), deed, "topic");
                            String topic = one(List.copyOf(topics.keySet()));
                            partitions = topics.getOrDefault(topic, 1);
                            yield topic;
                        }
                        case PARTITION -> String.valueOf(random.nextInt(partitions));
                        case OFFSET -> "0";
                        case GROUP -> {
                            require(groups.isEmpty(), deed, "group");
                            yield one(groups);
                        }
                        case TRANSACTIONAL_ID -> {
                            require(transactionalIds.isEmpty(), deed, "transactional id");
                            yield one(transactionalIds);
                        }
                    });
        }
        if (deed.isOfRequests() && random.nextBoolean()) {
            words.add(one(scopesOf(api)));
        }
        return words;
    }

    /** What the requests of an API may be limited to, a word each. */
    private List<String> scopesOf(ApiKey api) {
        List<String> scopes = new ArrayList<>();
        brokers.forEach(id -> scopes.add(Scope.BROKER.of(id)));
        clientIds.forEach(id -> scopes.add(Scope.CLIENT.of(id)));
        if (api == ApiKey.PRODUCE || api == ApiKey.FETCH) {
            topics.keySet().forEach(topic -> scopes.add(Scope.TOPIC.of(topic)));
        }
        if (Survival.BY_MEMBERS.containsKey(api)) {
            groups.forEach(id -> scopes.add(Scope.GROUP.of(id)));
        }
        if (Survival.BY_TRANSACTIONS.containsKey(api)) {
            transactionalIds.forEach(id -> scopes.add(Scope.TRANSACTIONAL_ID.of(id)));
        }
        return scopes;
    }

    private static void require(boolean isNone, Deed deed, String what) {
        if (isNone) {
            throw new IllegalArgumentException("[" + deed.verb() + "] is done to a " + what + ", and no " + what
                    + " is left or was said; say topic(name, partitions), groups(...) or transactionalIds(...)");
        }
    }

    private static long longestMs(Deed deed) {
        return switch (deed) {
            case ADVANCE_CLOCK -> Survival.LONGEST_ADVANCE_MS;
            // Each of many: a request on its own may wait for longer.
            case SLOW, SLOW_DISK -> Survival.LONGEST_DELAY_MS / 10;
            default -> Survival.LONGEST_DELAY_MS;
        };
    }

    /** What those ask that there are. */
    private Map<ApiKey, List<ErrorCode>> errors() {
        Map<ApiKey, List<ErrorCode>> all = new TreeMap<>(Survival.BY_ALL);
        if (!groups.isEmpty()) {
            all.putAll(Survival.BY_MEMBERS);
        }
        if (!transactionalIds.isEmpty()) {
            all.putAll(Survival.BY_TRANSACTIONS);
        }
        return all;
    }

    private List<ApiKey> apisFor(Deed deed) {
        return errors().entrySet().stream()
                .filter(entry -> deed != Deed.ANSWER_ERROR || !entry.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    private <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
