package io.tidemark.broker.disk;

import java.util.random.RandomGenerator;

/** A file of a simulated disk, with or without a name. */
final class SimulatedContent extends DiskNode.Content {
    final FileContent bytes = new FileContent();
    boolean locked;

    @Override
    void losePower(RandomGenerator random, int blockBytes) {
        bytes.losePower(random, blockBytes);
    }
}
