/**
 * Small immutable values that every layer shares: ids, addresses, topic-partitions. No behaviour beyond their own
 * invariants, no imports from other packages of the broker. Safe from any thread.
 */
@NullMarked
package io.tidemark.broker.types;

import org.jspecify.annotations.NullMarked;
