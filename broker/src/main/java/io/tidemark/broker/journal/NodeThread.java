package io.tidemark.broker.journal;

/** A thread that works for one node only. */
public interface NodeThread {
    /** Where the lines go that are written on it. */
    NodeJournal journal();
}
