package io.tidemark.broker.time;

/**
 * For how long the nodes that share this process stood still because the machine had no time for them. Their silence in
 * that time tells nothing of them: a process that dies or hangs has others beside it that go on, these have not. Readable
 * from any thread.
 */
@FunctionalInterface
public interface Stalls {
    /** Of a node that is alone in its process, nothing is known. */
    Stalls NONE = nodeId -> 0;

    /**
     * How long a node stood still in sum, in this life, up to now, in milliseconds. What it was paused for on purpose does
     * not count, and 0 is said of a node that is not in this process or does not run.
     */
    long stalledMs(int nodeId);
}
