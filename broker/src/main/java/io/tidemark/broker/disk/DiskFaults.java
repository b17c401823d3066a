package io.tidemark.broker.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** What is wrong with a simulated disk just now. */
final class DiskFaults {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<DiskOperation> changes = new ArrayList<>();
    private Predicate<DiskOperation> failing = operation -> false;
    private long stopAt = NEVER;
    private boolean stopped;
    private long capacityBytes = Long.MAX_VALUE;

    List<DiskOperation> changes() {
        return changes;
    }

    void stopAfter(long changeCount) {
        stopAt = changes.size() + changeCount;
    }

    boolean stopped() {
        return stopped;
    }

    void failWhere(Predicate<DiskOperation> operations) {
        failing = operations;
    }

    void limit(long bytes) {
        capacityBytes = bytes;
    }

    long capacityBytes() {
        return capacityBytes;
    }

    void heal() {
        failing = operation -> false;
        capacityBytes = Long.MAX_VALUE;
    }

    void restart() {
        stopped = false;
        stopAt = NEVER;
    }

    /** Lets an operation pass, or fails it. */
    void pass(DiskOperation operation) throws IOException {
        if (operation.kind().changes() && changes.size() >= stopAt) {
            stopped = true;
        }
        if (stopped) {
            throw new IOException("the process was stopped");
        }
        if (failing.test(operation)) {
            throw new IOException("input/output error (injected)");
        }
        if (operation.kind().changes()) {
            changes.add(operation);
        }
    }
}
