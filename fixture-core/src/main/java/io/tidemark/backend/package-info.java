/**
 * How the nodes of a cluster are run. A {@link io.tidemark.backend.Backend} makes nodes and says what it is capable of;
 * {@link io.tidemark.backend.InProcessBackend} runs each node on a loop of its own in this JVM.
 *
 * <p>Facts: a node's address and folder come with its {@link io.tidemark.backend.NodeSpec} and outlive any one run of
 * it; what a backend lacks is refused by name before anything is done. Thread rule: safe from any thread.
 */
@NullMarked
package io.tidemark.backend;

import org.jspecify.annotations.NullMarked;
