package io.tidemark;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for what a node does, and turns every way in which it may not come about into one kind of exception. */
final class Outcome {
    /** How often somebody looks whether there still is anybody who could answer. */
    private static final long LOOK_MS = 10;

    private Outcome() {}

    /**
     * The result.
     *
     * @param task what is being done, for the message: {@code restart broker 2}
     * @throws ClusterException if it failed, took too long, or this thread was interrupted
     */
    static <T> T await(CompletableFuture<T> pending, long timeoutMs, String task) {
        try {
            return pending.get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw failed(task, e);
        } catch (TimeoutException e) {
            throw new ClusterException("Could not " + task + " within " + timeoutMs + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted before it was done: " + task, e);
        }
    }

    /**
     * As {@link #await}; null where there is nobody any more who could answer.
     *
     * @param isGone true as soon as whoever was asked will not answer
     */
    static <T> @Nullable T awaitUnless(
            BooleanSupplier isGone, CompletableFuture<T> pending, long timeoutMs, String task) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (true) {
            try {
                return pending.get(LOOK_MS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                if (isGone.getAsBoolean()) {
                    return null;
                }
                throw failed(task, e);
            } catch (TimeoutException e) {
                if (isGone.getAsBoolean()) {
                    return null;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new ClusterException("Could not " + task + " within " + timeoutMs + " ms", e);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ClusterException("Interrupted before it was done: " + task, e);
            }
        }
    }

    /** Names the task and the root of its failure. */
    static ClusterException failed(String task, Throwable failure) {
        Throwable cause = failure;
        if ((failure instanceof ExecutionException || failure instanceof CompletionException)
                && failure.getCause() != null) {
            cause = failure.getCause();
        }
        return new ClusterException("Could not " + task + ": " + cause.getMessage(), cause);
    }
}
