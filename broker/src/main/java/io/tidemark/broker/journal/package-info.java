/**
 * What a node writes into its log, once for the user's logging and once for who keeps an eye on this very node: with many
 * nodes in one JVM, the logging alone does not tell whose line it is.
 *
 * <p>Facts: {@link io.tidemark.broker.journal.NodeLog} is the only logger in the broker. A line goes to slf4j, with the
 * key {@value io.tidemark.broker.journal.NodeJournal#NODE_KEY} in its mapped diagnostic context, and, from INFO up, to the
 * journal of the node on whose thread it was written. Lines written elsewhere go to slf4j alone. Thread rule: any thread.
 */
@NullMarked
package io.tidemark.broker.journal;

import org.jspecify.annotations.NullMarked;
