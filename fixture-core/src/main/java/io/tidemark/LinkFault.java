package io.tidemark;

import io.tidemark.broker.transport.LinkFaults;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Something that is held back on the links between nodes. Safe from any thread. */
public final class LinkFault implements AutoCloseable {
    private final String name;
    private final List<LinkFaults.Hold> holds;
    private final Runnable onHeal;
    private final AtomicBoolean healed = new AtomicBoolean();

    LinkFault(String name, List<LinkFaults.Hold> holds, Runnable onHeal) {
        this.name = name;
        this.holds = holds;
        this.onHeal = onHeal;
    }

    /** How many frames and connects it has held back so far; 0 means that it never did anything. */
    public long strikes() {
        return holds.stream().mapToLong(LinkFaults.Hold::strikes).sum();
    }

    /** Lets pass what it held, in order, and all that follows. Harmless to repeat. */
    public void heal() {
        holds.forEach(LinkFaults.Hold::release);
        if (healed.compareAndSet(false, true)) {
            onHeal.run();
        }
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
