package io.tidemark.broker.disk;

import java.util.TreeMap;

/** What a name in a folder of a simulated disk stands for. */
sealed interface SimulatedNode {

    /** A folder: its names as they are, and as a power loss would leave them at worst. */
    final class Folder implements SimulatedNode {
        final TreeMap<String, SimulatedNode> live = new TreeMap<>();
        final TreeMap<String, SimulatedNode> durable = new TreeMap<>();
    }

    /** A file, with or without a name. */
    final class Content implements SimulatedNode {
        final FileContent bytes = new FileContent();
        boolean locked;
    }
}
