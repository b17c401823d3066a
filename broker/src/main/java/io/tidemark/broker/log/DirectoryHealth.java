package io.tidemark.broker.log;

import io.tidemark.broker.journal.NodeLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a log directory can be used. The first operation on it that fails takes it offline, with every replica in it,
 * and it stays so until the node starts again: nobody knows what else of it can be relied on (KIP-112). On the node's
 * loop only.
 */
public final class DirectoryHealth {
    private static final NodeLog LOG = NodeLog.of(DirectoryHealth.class);

    private final Path directory;
    private final List<Runnable> listeners = new ArrayList<>();
    private @Nullable String failure;

    DirectoryHealth(Path directory) {
        this.directory = directory;
    }

    public boolean isOnline() {
        return failure == null;
    }

    /** What was attempted when it failed, and why that did; null while it is online. */
    public @Nullable String failure() {
        return failure;
    }

    /** Has something run when the directory goes offline: once, on the loop, while whoever found out waits. */
    public void onOffline(Runnable listener) {
        listeners.add(listener);
    }

    /**
     * Takes the directory offline. Does nothing where it is already: what fails then is no news.
     *
     * @param attempt for example {@code append to orders-0}
     * @param cause its message names the file
     */
    public void fail(String attempt, IOException cause) {
        if (failure != null) {
            LOG.debug("In log directory {}, which is offline: could not {}", directory, attempt, cause);
            return;
        }
        failure = "could not " + attempt + ": " + cause.getMessage();
        LOG.error(
                "Log directory {} goes offline: {}. Its replicas answer KAFKA_STORAGE_ERROR until the cause is removed"
                        + " and the node is started again",
                directory,
                failure);
        LOG.debug("What took {} offline", directory, cause);
        listeners.forEach(Runnable::run);
    }
}
