package io.tidemark.broker.disk;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What changed a simulated disk, and the moment at which its process ends. */
final class DiskStop {
    private static final long NEVER = Long.MAX_VALUE;

    private final List<DiskOperation> changes = new ArrayList<>();
    private long stopAt = NEVER;
    private boolean stopped;

    List<DiskOperation> changes() {
        return changes;
    }

    void stopAfter(long changeCount) {
        stopAt = changes.size() + changeCount;
    }

    boolean stopped() {
        return stopped;
    }

    void restart() {
        stopped = false;
        stopAt = NEVER;
    }

    /** Lets an operation pass, unless the process has ended. */
    void pass(DiskOperation operation) throws IOException {
        if (operation.kind().changes() && changes.size() >= stopAt) {
            stopped = true;
        }
        if (stopped) {
            throw new IOException("the process was stopped");
        }
        if (operation.kind().changes()) {
            changes.add(operation);
        }
    }
}
