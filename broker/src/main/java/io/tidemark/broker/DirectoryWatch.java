package io.tidemark.broker;

import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.quorum.BrokerLifecycle;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the failure of a log directory means to the whole broker (KIP-112, KIP-858): the controller hears of it, and
 * elects other leaders; a broker that has no directory left, or not that of its metadata, stops. After the listeners of
 * the replicas, so that nobody is served any more by then. On the node's loop only.
 */
final class DirectoryWatch {
    private final NodeParts parts;
    private final BrokerLifecycle lifecycle;
    private final Set<LogDirectory> all = new LinkedHashSet<>();

    DirectoryWatch(NodeParts parts, BrokerLifecycle lifecycle) {
        this.parts = parts;
        this.lifecycle = lifecycle;
        all.addAll(parts.directories().logDirectories());
        all.add(parts.directories().metadataDirectory());
    }

    void start() {
        all.forEach(directory -> directory.health().onOffline(() -> onOffline(directory)));
    }

    private void onOffline(LogDirectory directory) {
        String reason = reasonToStop(directory);
        if (reason == null) {
            lifecycle.onDirectoryOffline(NodeDirectories.idOf(directory));
            return;
        }
        // In a turn of its own: what is being answered in this one may still go out.
        parts.loop().execute(() -> {
            throw new DirectoryFailedException("Broker " + parts.config().nodeId() + " stops: " + reason + ", which "
                    + directory.health().failure());
        });
    }

    private @Nullable String reasonToStop(LogDirectory failed) {
        if (failed == parts.directories().metadataDirectory()) {
            return "its metadata log is in " + failed.path();
        }
        boolean isAnyOnline = parts.directories().logDirectories().stream()
                .anyMatch(directory -> directory.health().isOnline());
        return isAnyOnline ? null : "the last of its log directories is " + failed.path();
    }
}
