package io.tidemark.backend;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Everything that a backend needs to run one node.
 *
 * <pre>{@code
 * NodeSpec spec = NodeSpec.of(1, Map.of("process.roles", "broker", "node.id", "1"), 42);
 * }</pre>
 *
 * @param nodeId Kafka's {@code node.id}
 * @param properties the whole configuration in Kafka's own names, addresses and folders included
 * @param seed where the node's randomness comes from
 */
public record NodeSpec(int nodeId, SortedMap<String, String> properties, long seed) {
    public NodeSpec {
        properties = Collections.unmodifiableSortedMap(new TreeMap<>(properties));
    }

    public static NodeSpec of(int nodeId, Map<String, String> properties, long seed) {
        return new NodeSpec(nodeId, new TreeMap<>(properties), seed);
    }
}
