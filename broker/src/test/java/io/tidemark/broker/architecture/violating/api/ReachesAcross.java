package io.tidemark.broker.architecture.violating.api;

import io.tidemark.broker.architecture.violating.network.Server;

/** Layer 5 uses another package of layer 5. */
public record ReachesAcross(Server server) {}
