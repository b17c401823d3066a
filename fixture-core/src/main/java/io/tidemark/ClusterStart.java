package io.tidemark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Starts all nodes of a cluster at once; the first that cannot start ends the waiting for the others. */
final class ClusterStart {
    private final Map<ClusterNode, CompletableFuture<Void>> starting = new LinkedHashMap<>();
    private final CompletableFuture<Void> outcome = new CompletableFuture<>();

    private ClusterStart(List<ClusterNode> nodes) {
        for (ClusterNode node : nodes) {
            starting.put(node, node.begin());
        }
        starting.forEach((node, started) -> started.whenComplete((nothing, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(Outcome.failed("start " + node, failure));
            }
        }));
        CompletableFuture.allOf(starting.values().toArray(new CompletableFuture<?>[0]))
                .thenRun(() -> outcome.complete(null));
    }

    /**
     * Returns when every node serves.
     *
     * @param missing tells what the brokers still lack when the time is up
     * @throws ClusterException if a node cannot start, or not in time
     */
    static void run(List<ClusterNode> nodes, long timeoutMs, Supplier<List<String>> missing) {
        ClusterStart start = new ClusterStart(nodes);
        try {
            start.outcome.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ClusterException failure
                    ? failure
                    : new ClusterException("Could not start the cluster: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new ClusterException(
                    "The cluster did not start within " + timeoutMs + " ms. Not serving: " + start.unfinished()
                            + ". Missing:\n  " + String.join("\n  ", missing.get())
                            + "\nGive a slow machine longer with startTimeout().",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while starting the cluster", e);
        }
    }

    private List<ClusterNode> unfinished() {
        List<ClusterNode> unfinished = new ArrayList<>();
        starting.forEach((node, started) -> {
            if (!started.isDone()) {
                unfinished.add(node);
            }
        });
        return unfinished;
    }
}
