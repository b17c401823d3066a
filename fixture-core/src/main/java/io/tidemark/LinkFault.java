package io.tidemark;

import io.tidemark.broker.transport.LinkFaults;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Something that is held back on the links between nodes. Safe from any thread.
 *
 * <pre>{@code
 * try (LinkFault cut = cluster.links().isolate(1)) {
 *     assertThat(cluster.partition("orders", 0)).eventually().hasIsr(2, 3);
 * }
 * }</pre>
 */
public final class LinkFault implements AutoCloseable {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final String name;
    private final List<LinkFaults.Hold> holds;
    private final LongConsumer onHeal;
    private final AtomicBoolean healed = new AtomicBoolean();

    /** @param onHeal told once, by the first heal, how often it has struck */
    LinkFault(String name, List<LinkFaults.Hold> holds, LongConsumer onHeal) {
        this.name = name;
        this.holds = holds;
        this.onHeal = onHeal;
    }

    /** How many frames and connects it has held back so far; 0 means that it never did anything. */
    public long strikes() {
        return holds.stream().mapToLong(LinkFaults.Hold::strikes).sum();
    }

    /**
     * Waits until it has held something back.
     *
     * @throws AssertionError if it has not when the time is up
     */
    public LinkFault awaitStruck(Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (strikes() == 0) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Fault [" + name + "] has held nothing back within " + timeout
                        + ". Is anything sent over the links that it covers?");
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return this;
    }

    /** Lets pass what it held, in order, and all that follows. Harmless to repeat. */
    public void heal() {
        holds.forEach(LinkFaults.Hold::release);
        if (healed.compareAndSet(false, true)) {
            onHeal.accept(strikes());
        }
    }

    /** True once it holds nothing back any more, whoever has healed it. */
    public boolean isHealed() {
        return holds.stream().noneMatch(LinkFaults.Hold::isActive);
    }

    /** {@link #heal() Heals}. */
    @Override
    public void close() {
        heal();
    }

    /** For example {@code cut([1] <-> [2, 3])}. */
    @Override
    public String toString() {
        return name;
    }
}
