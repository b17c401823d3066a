/**
 * What a running cluster remembers of itself for the case that a test fails: how far each replica was at what time, who
 * connected, and what the nodes logged.
 *
 * <p>Facts: the memory is bounded. A replica's history keeps its whole span and gets coarser with its length; of
 * connections and lines the newest are kept. Nodes tell it as things happen, so a cluster that does nothing spends
 * nothing, and no thread is needed. Thread rule: {@link io.tidemark.journal.ClusterJournal} is safe from any thread; the
 * rest is immutable.
 */
@NullMarked
package io.tidemark.journal;

import org.jspecify.annotations.NullMarked;
