/**
 * Build time only: Kafka's message specs in, Java that reads and writes Netty buffers out.
 *
 * <p>The steps are parse, model, print, each in a package of its own. Each direct folder of the input is a family of
 * messages and becomes a package. Thread rule: one thread.
 */
@NullMarked
package io.tidemark.protocol.generator;

import org.jspecify.annotations.NullMarked;
