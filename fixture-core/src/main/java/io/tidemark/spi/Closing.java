package io.tidemark.spi;

import io.tidemark.ClusterException;
import org.jspecify.annotations.Nullable;

/**
 * Closes several things, each whatever became of the ones before, and throws the first failure at the end with the
 * others hung onto it. Belongs to one thread.
 *
 * <pre>{@code
 * Closing closing = new Closing();
 * closing.run(consumer);
 * closing.run(cluster);
 * closing.rethrow("clean up");
 * }</pre>
 */
public final class Closing {
    private @Nullable Throwable failure;

    public void run(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception | AssertionError e) {
            if (failure == null) {
                failure = e;
            } else {
                failure.addSuppressed(e);
            }
        }
    }

    /**
     * Throws where something failed: a verdict, such as that of a fault that never struck, as it is.
     *
     * @param task what could not be done, for the message: {@code close the cluster}
     */
    public void rethrow(String task) {
        if (failure instanceof AssertionError verdict) {
            throw verdict;
        }
        if (failure != null) {
            throw new ClusterException("Could not " + task + ": " + failure, failure);
        }
    }
}
