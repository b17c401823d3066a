package io.tidemark.broker.coordinator.runtime;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.time.Loop;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Hands out producer ids, each once in the cluster, from blocks that the controller gives. The next block is asked for
 * when nine tenths of the present one are used, so that hardly anybody waits; who finds no id left waits for the block,
 * and is told COORDINATOR_LOAD_IN_PROGRESS if it does not come. On the loop only.
 */
public final class ProducerIds {
    private static final double PREFETCH_AT = 0.9;

    private final Source source;
    private final Loop loop;
    private final long waitMs;
    private final long retryBackoffMs;
    private final Queue<Waiter> waiters = new ArrayDeque<>();
    private @Nullable Block current;
    private @Nullable Block next;
    private long used;
    private boolean asking;

    /** The ids from {@code firstId} to {@code firstId + count - 1}. */
    public record Block(long firstId, int count) {}

    /** Where blocks come from. */
    @FunctionalInterface
    public interface Source {
        /** Asks the controller; the completion is called once, later, on the loop. */
        void allocate(Completion<Block> completion);
    }

    private static final class Waiter {
        private final Completion<Long> completion;
        private Loop.Timer timeout = () -> {};

        Waiter(Completion<Long> completion) {
            this.completion = completion;
        }
    }

    /**
     * @param waitMs how long somebody may wait for a block
     * @param retryBackoffMs how long to leave the controller alone after it failed
     */
    public ProducerIds(Source source, Loop loop, long waitMs, long retryBackoffMs) {
        this.source = source;
        this.loop = loop;
        this.waitMs = waitMs;
        this.retryBackoffMs = retryBackoffMs;
    }

    /** Gives an id: at once if there is one, else when the next block comes. */
    public void next(Completion<Long> completion) {
        if (waiters.isEmpty() && rollOver()) {
            completion.onReply(take());
            return;
        }
        Waiter waiter = new Waiter(completion);
        waiters.add(waiter);
        waiter.timeout = loop.schedule(waitMs, () -> {
            waiters.remove(waiter);
            completion.onError(ErrorCode.COORDINATOR_LOAD_IN_PROGRESS);
        });
        ask();
    }

    /** True if there is an id to take. */
    private boolean rollOver() {
        if (current != null && used < current.count()) {
            return true;
        }
        current = next;
        next = null;
        used = 0;
        return current != null;
    }

    private long take() {
        if (current == null) {
            throw new IllegalStateException("No block of producer ids");
        }
        long id = current.firstId() + used++;
        if (used >= current.count() * PREFETCH_AT) {
            ask();
        }
        return id;
    }

    private void ask() {
        if (asking || next != null) {
            return;
        }
        asking = true;
        source.allocate(new Completion<>() {
            @Override
            public void onReply(Block block) {
                asking = false;
                next = block;
                serveWaiters();
            }

            @Override
            public void onError(ErrorCode error) {
                loop.schedule(retryBackoffMs, () -> {
                    asking = false;
                    if (!waiters.isEmpty()) {
                        ask();
                    }
                });
            }
        });
    }

    private void serveWaiters() {
        while (!waiters.isEmpty() && rollOver()) {
            Waiter waiter = waiters.remove();
            waiter.timeout.cancel();
            waiter.completion.onReply(take());
        }
        if (!waiters.isEmpty()) {
            ask();
        }
    }
}
