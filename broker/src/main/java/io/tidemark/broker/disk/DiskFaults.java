package io.tidemark.broker.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a disk just now: operations that fail, operations that take long, and how much still fits. Safe
 * from any thread; what is injected holds for every operation that begins afterwards.
 */
public final class DiskFaults {
    private static final String FULL = "no space left on the disk (injected)";

    private final List<Predicate<DiskOperation>> failing = new CopyOnWriteArrayList<>();
    private final List<Slowness> slow = new CopyOnWriteArrayList<>();

    /** How many bytes files may still grow by; null where there is no limit. */
    private volatile @Nullable AtomicLong freeBytes;

    private final AtomicLong strikes = new AtomicLong();

    private volatile BiConsumer<String, String> onStrike = (how, what) -> {};

    /** Waits so many milliseconds on the thread that calls it. */
    private final LongConsumer pause;

    /** For a disk that is never slow. */
    public DiskFaults() {
        this(ms -> {
            throw new IllegalStateException("This disk cannot be slow: it was given no way to wait");
        });
    }

    /**
     * @param pause waits so many milliseconds on the thread that calls it, as the system does on a slow disk; in virtual
     *     time it may do something else
     */
    public DiskFaults(LongConsumer pause) {
        this.pause = pause;
    }

    /** Operations that take so much longer. */
    private record Slowness(Predicate<DiskOperation> operations, long delayMs) {}

    /** Fails these operations, before they do anything, until the disk is healed. */
    public void failWhere(Predicate<DiskOperation> operations) {
        failing.add(operations);
    }

    /** Has these operations take longer, each by so much, until the disk is healed. */
    public void slowWhere(Predicate<DiskOperation> operations, long delayMs) {
        slow.add(new Slowness(operations, delayMs));
    }

    /** Lets files grow by so many bytes more until the disk is healed: a write then puts down what fits, and fails. */
    public void limitFreeBytes(long bytes) {
        freeBytes = new AtomicLong(bytes);
    }

    /** Ends everything that was injected. What failed stays failed; what is on its way takes its time. */
    public void heal() {
        failing.clear();
        slow.clear();
        freeBytes = null;
    }

    /** Lets an operation pass, at once or late, or fails it. */
    void pass(DiskOperation operation) throws IOException {
        for (Slowness slowness : slow) {
            if (slowness.operations().test(operation)) {
                struck("slower by " + slowness.delayMs() + " ms", operation);
                pause.accept(slowness.delayMs());
            }
        }
        for (Predicate<DiskOperation> operations : failing) {
            if (operations.test(operation)) {
                struck("input/output error", operation);
                throw new IOException("input/output error (injected)");
            }
        }
        if (isFull() && operation.kind() == DiskOperation.Kind.CREATE) {
            struck("full", operation);
            throw new IOException(FULL);
        }
    }

    private void struck(String how, DiskOperation operation) {
        strikes.incrementAndGet();
        Path path = operation.path();
        Path folder = path.getParent();
        onStrike.accept(
                how,
                operation.kind() + " of " + (folder == null ? path : folder.getFileName() + "/" + path.getFileName()));
    }

    /** Has somebody hear of each strike: what was wrong, and with what. Called on the thread that uses the disk. */
    public void tell(BiConsumer<String, String> listener) {
        onStrike = listener;
    }

    /** How many operations were failed, slowed or found no room so far, over all heals. */
    public long strikes() {
        return strikes.get();
    }

    boolean isLimited() {
        return freeBytes != null;
    }

    /** How many bytes files may still grow by, as far as this goes. */
    long freeBytes() {
        AtomicLong free = freeBytes;
        return free == null ? Long.MAX_VALUE : Math.max(0, free.get());
    }

    private boolean isFull() {
        AtomicLong free = freeBytes;
        return free != null && free.get() <= 0;
    }

    /** Takes room for a file that is about to grow; the count of bytes that there is room for. */
    long take(long growth) {
        AtomicLong free = freeBytes;
        if (free == null || growth <= 0) {
            return growth;
        }
        long before = free.getAndUpdate(left -> Math.max(0, left - growth));
        if (before < growth) {
            strikes.incrementAndGet();
            onStrike.accept("full", "a file that grows by " + growth + " bytes");
        }
        return Math.min(before, growth);
    }

    /** Gives room back: a file became smaller, or is gone. */
    void giveBack(long bytes) {
        AtomicLong free = freeBytes;
        if (free != null) {
            free.addAndGet(bytes);
        }
    }

    static IOException full() {
        return new IOException(FULL);
    }
}
