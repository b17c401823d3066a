package io.tidemark.broker.journal;

/**
 * Hears every line, from INFO up, that one node writes into its log. Called on the node's threads, so it has to be quick,
 * safe from several of them, and must not throw.
 */
@FunctionalInterface
public interface NodeJournal {
    /** The key in slf4j's MDC that says on a node's threads whose they are, for example {@code broker 2}. */
    String NODE_KEY = "tidemark.node";

    /** Keeps nothing. */
    NodeJournal NONE = (level, source, message) -> {};

    /**
     * @param level {@code INFO}, {@code WARN} or {@code ERROR}
     * @param source the simple name of the class that wrote it
     * @param message the whole line, with what an exception says at its end
     */
    void line(String level, String source, String message);
}
