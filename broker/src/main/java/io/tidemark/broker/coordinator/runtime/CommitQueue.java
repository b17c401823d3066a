package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.time.Loop;
import java.util.ArrayDeque;
import java.util.Queue;

/** Those who wait for the high watermark, in the order of the offsets that they wait for. */
final class CommitQueue {
    private final Loop loop;
    private final Queue<Waiter> waiters = new ArrayDeque<>();
    private long committedOffset;

    CommitQueue(Loop loop) {
        this.loop = loop;
    }

    /** Who waits for an offset to be committed; called exactly once, with NONE or with why it was not. */
    @FunctionalInterface
    interface Outcome {
        void on(ErrorCode error);
    }

    private static final class Waiter {
        private final long endOffset;
        private final Outcome outcome;
        private Loop.Timer timeout = () -> {};
        private boolean done;

        Waiter(long endOffset, Outcome outcome) {
            this.endOffset = endOffset;
            this.outcome = outcome;
        }

        void finish(ErrorCode error) {
            if (!done) {
                done = true;
                timeout.cancel();
                outcome.on(error);
            }
        }
    }

    /** Waits until everything below the offset is committed. Offsets never fall from one call to the next. */
    void await(long endOffset, long timeoutMs, Outcome outcome) {
        if (endOffset <= committedOffset) {
            outcome.on(ErrorCode.NONE);
            return;
        }
        Waiter waiter = new Waiter(endOffset, outcome);
        waiters.add(waiter);
        waiter.timeout = loop.schedule(timeoutMs, () -> waiter.finish(ErrorCode.REQUEST_TIMED_OUT));
    }

    void onCommitted(long endOffset) {
        committedOffset = Math.max(committedOffset, endOffset);
        Waiter waiter = waiters.peek();
        while (waiter != null && waiter.endOffset <= committedOffset) {
            waiters.remove();
            waiter.finish(ErrorCode.NONE);
            waiter = waiters.peek();
        }
    }

    void failAll(ErrorCode error) {
        Waiter waiter = waiters.poll();
        while (waiter != null) {
            waiter.finish(error);
            waiter = waiters.poll();
        }
    }
}
