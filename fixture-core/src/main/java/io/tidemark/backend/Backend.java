package io.tidemark.backend;

import java.util.Set;

/** A way to run the nodes of a cluster: in this JVM, as processes, in containers. Safe from any thread. */
public interface Backend {
    /** The name in error messages, for example {@code in-process}. */
    String name();

    Set<Capability> capabilities();

    /** Makes a node and starts nothing. Called again with the same spec for each restart. */
    BackendNode create(NodeSpec spec);
}
