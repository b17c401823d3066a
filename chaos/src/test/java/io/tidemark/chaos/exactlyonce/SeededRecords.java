package io.tidemark.chaos.exactlyonce;

import io.tidemark.Cluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records whose keys a seed draws and whose values count up from 0, and what is wrong with what came of them. */
final class SeededRecords {
    private static final int KEYS = 97;

    private final List<String> keys = new ArrayList<>();
    private final Map<String, List<Long>> valuesByKey = new TreeMap<>();

    SeededRecords(long seed, int count) {
        Random random = new Random(seed);
        for (long value = 0; value < count; value++) {
            String key = Integer.toString(random.nextInt(KEYS));
            keys.add(key);
            valuesByKey.computeIfAbsent(key, none -> new ArrayList<>()).add(value);
        }
    }

    Sender sender(Cluster cluster, String topic) {
        return new Sender(
                cluster.clients().producer(String.class, String.class, Map.of("acks", "all", "linger.ms", "5")), topic);
    }

    /** Sends them bit by bit. */
    final class Sender {
        private final Producer<String, String> producer;
        private final String topic;
        private int sent;

        private Sender(Producer<String, String> producer, String topic) {
            this.producer = producer;
            this.topic = topic;
        }

        /** Sends those that are still to be sent of the first so many, and returns when they are acknowledged. */
        void sendUpTo(int end) {
            for (; sent < end; sent++) {
                producer.send(new ProducerRecord<>(topic, keys.get(sent), Integer.toString(sent)));
            }
            producer.flush();
        }

        int sent() {
            return sent;
        }
    }

    /** What is missing, came twice, was never sent or is not in its key's order, a line for each key that has any. */
    List<String> faultsOf(Map<String, List<Long>> seen) {
        List<String> faults = new ArrayList<>();
        valuesByKey.forEach((key, expected) -> {
            List<Long> values = seen.getOrDefault(key, List.of());
            if (!values.equals(expected)) {
                faults.add(fault(key, expected, values));
            }
        });
        seen.keySet().stream()
                .filter(key -> !valuesByKey.containsKey(key))
                .forEach(key -> faults.add("key " + key + " was never sent: " + seen.get(key)));
        return faults;
    }

    private static String fault(String key, List<Long> expected, List<Long> seen) {
        List<Long> missing = new ArrayList<>(expected);
        missing.removeAll(new HashSet<>(seen));
        List<Long> strange = new ArrayList<>(seen);
        strange.removeAll(new HashSet<>(expected));
        Set<Long> once = new HashSet<>();
        List<Long> twice = seen.stream().filter(value -> !once.add(value)).toList();
        return "key " + key + ": missing " + missing + ", came again " + twice + ", never sent " + strange
                + ", in order: " + seen.equals(seen.stream().sorted().toList());
    }
}
