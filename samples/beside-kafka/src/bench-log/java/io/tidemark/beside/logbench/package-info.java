/**
 * The log beside Apache Kafka's {@code UnifiedLog}: the same records, in the same run, in turns, each in JVMs of its own
 * with equal heaps.
 */
@NullMarked
package io.tidemark.beside.logbench;

import org.jspecify.annotations.NullMarked;
