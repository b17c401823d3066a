package io.tidemark.broker.architecture.violating.api;

import io.tidemark.broker.architecture.violating.network.Server;

/** Layer 6 uses another package of layer 6. */
public record ReachesAcross(Server server) {}
