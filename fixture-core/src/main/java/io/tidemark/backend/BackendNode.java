package io.tidemark.backend;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.NodeSnapshot;
import io.tidemark.broker.PageCacheAction;
import io.tidemark.broker.PageCacheReport;
import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.types.TopicPartition;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One run of one node, from its start to its kill or shutdown. Safe from any thread.
 *
 * <pre>{@code
 * BackendNode node = backend.create(spec);
 * node.start().get();
 * node.kill();
 * }</pre>
 */
public interface BackendNode {
    /** Completes when the node listens and, with the broker role, is registered, unfenced and caught up. */
    CompletableFuture<Void> start();

    /** Completes when the node has shut down in good order and nothing of it is left but its files. */
    CompletableFuture<Void> shutdown();

    /** Ends the node where it stands. On return nothing of it runs and its sockets are closed. Harmless to repeat. */
    void kill();

    /**
     * Ends the node where it stands, as {@link #kill()} does, and puts its files into a state that a power loss could
     * have left.
     *
     * @param seed decides what is lost of all that was never forced to disk
     */
    default void losePower(long seed) {
        throw new UnsupportedOperationException("This backend cannot have a node lose its power");
    }

    /** What is wrong with the node's disk; the same over all its runs. */
    default DiskFaults diskFaults() {
        throw new UnsupportedOperationException("This backend has no hold of a node's disk");
    }

    /** Why the node has ended by itself; null where it has not. */
    default @Nullable Throwable fault() {
        return null;
    }

    /** The node does nothing more, with its sockets open, until {@link #resume()}. */
    void pause();

    void resume();

    /** What the node holds, at one moment of its own. Stays incomplete while the node is paused. */
    CompletableFuture<NodeSnapshot> snapshot();

    /** Sends a request through the node's own router, with no client and no socket. */
    CompletableFuture<ApiMessage> call(ApiMessage request);

    /** Does something to the page cache of a replica's segments, and tells what is in it after that. */
    CompletableFuture<PageCacheReport> pageCache(TopicPartition partition, PageCacheAction action);

    /**
     * Appends a batch to a partition that the node leads, past the check that a transaction's coordinator knows of it.
     *
     * @param batch released by the callee
     * @return the offset of its first record
     */
    default CompletableFuture<Long> appendUnasked(TopicPartition partition, ByteBuf batch) {
        throw new UnsupportedOperationException("This backend cannot append past a transaction's coordinator");
    }
}
