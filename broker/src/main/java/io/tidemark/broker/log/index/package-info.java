/**
 * The sparse indexes of a segment: offset to position, and timestamp to offset, in Kafka's fixed-size entries.
 *
 * <p>Facts: an index is a hint and never the truth; every lookup ends in a bounded scan of the log itself. A file is
 * mapped when its first entry is written, at its greatest size, sparse, and cut to its entries when its segment is no
 * longer written to. Thread rule: on the node's loop.
 */
@NullMarked
package io.tidemark.broker.log.index;

import org.jspecify.annotations.NullMarked;
