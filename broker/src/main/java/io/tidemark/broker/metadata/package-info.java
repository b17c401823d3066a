/**
 * The cluster's metadata as an immutable image, and the delta between two images. The image is a pure function of the
 * records of {@code __cluster_metadata} up to an offset; brokers and controllers replay the same records.
 *
 * <p>Pure: no I/O, threads, locks, clock or randomness. Images may be read from any thread; a delta belongs to the
 * thread that builds it.
 */
@NullMarked
package io.tidemark.broker.metadata;

import org.jspecify.annotations.NullMarked;
