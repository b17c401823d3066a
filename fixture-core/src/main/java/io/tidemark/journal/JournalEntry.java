package io.tidemark.journal;

/**
 * Something that a node has told of itself.
 *
 * <pre>{@code
 * journal.lines().stream().map(JournalEntry::text).forEach(System.out::println);
 * }</pre>
 *
 * <pre>{@code
 * String line = entry.timestampMs() + " node " + entry.nodeId() + ": " + entry.text();
 * }</pre>
 *
 * @param timestampMs when, by the cluster's clock, in milliseconds since 1970
 * @param nodeId the node
 * @param text one line, for example {@code producer-1 connects}
 */
public record JournalEntry(long timestampMs, int nodeId, String text) {}
