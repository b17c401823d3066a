/**
 * How long a partition cannot be written to after its leader was killed, on ours and on Apache Kafka's, in one run.
 *
 * <p>Facts: the same client, the same session time-outs, the same topic; each contender is up only while it is measured.
 * Thread rule: one thread.
 */
@NullMarked
package io.tidemark.beside.failover;

import org.jspecify.annotations.NullMarked;
