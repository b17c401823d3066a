package io.tidemark.broker;

import io.tidemark.broker.protocol.ApiMessage;
import java.util.concurrent.CompletableFuture;

/**
 * One life of one node, of any role. Made once, started once, and at an end after {@link #shutdown} or {@link #kill};
 * a restart is a new {@code Broker} of the same configuration. Every method may be called from any thread.
 */
public final class Broker {
    private final BrokerConfig config;

    private Broker(BrokerConfig config, BrokerEnvironment environment) {
        this.config = config;
    }

    /** A node that is not started; nothing is opened yet. */
    public static Broker create(BrokerConfig config, BrokerEnvironment environment) {
        return new Broker(config, environment);
    }

    /**
     * Starts the node. The future is done when its listeners accept connections and, with the broker role, it is
     * registered, unfenced and caught up with the metadata. It fails if the node could not come up; the node is then
     * at an end.
     */
    public CompletableFuture<Void> start() {
        throw new UnsupportedOperationException("not wired yet");
    }

    /**
     * Stops in good order: moves leaderships away where there is a controller to ask, writes the checkpoints and the
     * clean shutdown marker, closes everything. The future is done when the thread is gone and every file is closed.
     */
    public CompletableFuture<Void> shutdown() {
        throw new UnsupportedOperationException("not wired yet");
    }

    /**
     * Halts at once, mid-queue, as {@code kill -9} does: no checkpoint, no goodbye. Sockets and files are closed and
     * the thread is gone on return. Harmless to repeat.
     */
    public void kill() {
        throw new UnsupportedOperationException("not wired yet");
    }

    /** Holds the node as SIGSTOP does: its sockets stay open, and it does nothing. */
    public void pause() {
        throw new UnsupportedOperationException("not wired yet");
    }

    /** Lets a paused node go on. */
    public void resume() {
        throw new UnsupportedOperationException("not wired yet");
    }

    public int nodeId() {
        return config.nodeId();
    }

    public BrokerConfig config() {
        return config;
    }

    /**
     * The port that a listener is bound to.
     *
     * @throws IllegalStateException if the node is not listening there
     */
    public int port(String listener) {
        throw new UnsupportedOperationException("not wired yet");
    }

    /** The node as it is between two tasks of its loop. Fails if the node is at an end. A paused node does not answer. */
    public CompletableFuture<NodeSnapshot> snapshot() {
        throw new UnsupportedOperationException("not wired yet");
    }

    /**
     * Has the node serve a request as if it had come over a connection, without one, at the newest version it serves.
     * Fails if the node is at an end, or ends before it answers.
     */
    public CompletableFuture<ApiMessage> call(ApiMessage request) {
        throw new UnsupportedOperationException("not wired yet");
    }
}
