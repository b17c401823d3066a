/**
 * What a failed test leaves: the history and the state of its cluster, as text and as one HTML page that needs nothing
 * else. {@link io.tidemark.evidence.Evidence} writes both.
 *
 * <p>Facts: everything comes from the cluster's own files and a snapshot, taken when the evidence is written; a cluster
 * that nobody asks costs nothing. The page has no script and refers to no other file. Thread rule: any thread, as the
 * cluster.
 */
@NullMarked
package io.tidemark.evidence;

import org.jspecify.annotations.NullMarked;
