package io.tidemark.broker.network;

/** Holds a thread while it is shut. The one place where a loop's thread may wait. */
final class PauseGate {
    private volatile boolean shut;

    synchronized void shut() {
        shut = true;
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /** Returns when the gate is open. An interrupt is kept for later. */
    void pass() {
        if (shut) {
            await();
        }
    }

    private synchronized void await() {
        boolean interrupted = false;
        while (shut) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
