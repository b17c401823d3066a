package io.tidemark.broker.transport;

import io.tidemark.broker.time.Loop;

/**
 * What one life of a node runs on: its loop and its network, which share one thread. The node is at an end when its
 * host is closed or halted; the next life gets a new one. All methods may be called from any thread.
 */
public interface NodeHost {
    Loop loop();

    Network network();

    /**
     * Stops at once, as a killed process does: no task that was queued runs any more, sockets are closed without
     * flushing, the thread is gone on return. Called from the loop itself, it returns at once and the thread ends with
     * the current task. Harmless to repeat.
     */
    void halt();

    /** Holds the loop before its next task, as a process under SIGSTOP: sockets stay, nothing is read or answered. */
    void pause();

    /** Lets a paused loop go on. */
    void resume();

    /**
     * Closes in good order: every link and listener is closed, and the loop ends after the tasks already queued. Returns
     * at once.
     *
     * @param whenEnded the last thing that the loop's thread does; {@link #halt} waits for that thread even then
     */
    void close(Runnable whenEnded);
}
