package io.tidemark.broker.disk;

import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** What a name in a folder stands for. */
sealed interface DiskNode {

    /** A folder: its names as they are, and as a power loss would leave them at worst. */
    final class Folder implements DiskNode {
        final TreeMap<String, DiskNode> live = new TreeMap<>();
        final TreeMap<String, DiskNode> durable = new TreeMap<>();
    }

    /** A file, with or without a name. */
    abstract non-sealed class Content implements DiskNode {
        /** Leaves what was forced, and of the rest what chance will. */
        abstract void losePower(RandomGenerator random, int blockBytes);
    }
}
