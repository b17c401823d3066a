package io.tidemark.broker;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.BrokerEnvironment.HostLimits;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.transport.NodeHost;
import io.tidemark.broker.types.TopicPartition;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One life of one node, of any role. Made once, started once, and at an end after {@link #shutdown} or {@link #kill};
 * a restart is a new {@code Broker} of the same configuration. Every method may be called from any thread.
 *
 * <pre>
 *   new --start--> started --shutdown--> stopping --> ended
 *                     \------kill, or a fault-------/
 * </pre>
 */
public final class Broker {
    private static final NodeLog LOG = NodeLog.of(Broker.class);

    private final BrokerConfig config;
    private final BrokerEnvironment environment;
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** What was asked of the loop and is not answered; fails when the node is at an end. */
    private final Set<CompletableFuture<?>> asked = ConcurrentHashMap.newKeySet();

    private volatile @Nullable NodeHost host;
    private volatile @Nullable Node node;
    private boolean isStarted;
    private boolean isStopping;

    private Broker(BrokerConfig config, BrokerEnvironment environment) {
        this.config = config;
        this.environment = environment;
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
    public synchronized CompletableFuture<Void> start() {
        if (isStarted) {
            throw new IllegalStateException(name() + " was started before; create another for its next life");
        }
        isStarted = true;
        HostLimits limits = new HostLimits(config.values().intValue(BrokerConfigs.SOCKET_REQUEST_MAX_BYTES), (int)
                config.values().longValue(BrokerConfigs.SOCKET_CONNECTION_SETUP_TIMEOUT_MS));
        NodeHost created = environment.newHost(name(), limits, this::onFault);
        host = created;
        created.loop().execute(() -> startOnLoop(created));
        return started;
    }

    private void startOnLoop(NodeHost onHost) {
        Node created = new Node(config, environment, onHost);
        node = created;
        created.start(() -> started.complete(null), this::onStartFailure);
    }

    private void onStartFailure(Throwable cause) {
        onFault(cause);
        NodeHost failing = host;
        if (failing != null) {
            failing.halt();
        }
    }

    /** On the loop, which runs nothing more. */
    private void onFault(Throwable cause) {
        abandon();
        end(cause);
    }

    /**
     * Stops in good order: moves leaderships away where there is a controller to ask, writes the checkpoints and the
     * clean shutdown marker, closes everything. The future is completed by the node's thread as the last thing it does;
     * a {@link #kill} after that waits for its very end.
     */
    public synchronized CompletableFuture<Void> shutdown() {
        NodeHost stopping = host;
        if (stopping == null || ended.isDone()) {
            end(null);
            stopped.complete(null);
        } else if (!isStopping) {
            isStopping = true;
            stopping.resume();
            stopping.loop().execute(() -> shutdownOnLoop(stopping));
        }
        return stopped;
    }

    private void shutdownOnLoop(NodeHost stopping) {
        Node stoppingNode = node;
        Runnable closeHost = () -> stopping.close(() -> {
            end(null);
            stopped.complete(null);
        });
        if (stoppingNode == null) {
            closeHost.run();
        } else {
            stoppingNode.shutdown(closeHost);
        }
    }

    /**
     * Halts at once, mid-queue, as {@code kill -9} does: no checkpoint, no goodbye. Sockets and files are closed and
     * the thread is gone on return. Harmless to repeat.
     */
    public void kill() {
        NodeHost killed = host;
        if (killed != null) {
            killed.halt();
        }
        abandon();
        end(null);
        stopped.complete(null);
    }

    private void abandon() {
        Node abandoned = node;
        if (abandoned != null) {
            abandoned.abandon();
        }
    }

    private void end(@Nullable Throwable cause) {
        IllegalStateException atAnEnd = new IllegalStateException(name() + " is at an end", cause);
        started.completeExceptionally(cause == null ? atAnEnd : cause);
        asked.forEach(future -> future.completeExceptionally(atAnEnd));
        if (cause == null) {
            ended.complete(null);
        } else {
            LOG.debug("{} is at an end", name(), cause);
            ended.completeExceptionally(cause);
            stopped.complete(null);
        }
    }

    /** Done when the node is at an end; fails with the cause if a fault brought it there. */
    public CompletableFuture<Void> termination() {
        return ended.copy();
    }

    /** The fault that brought the node to its end; null where none has. As cheap as it is often asked for. */
    public @Nullable Throwable fault() {
        return ended.isCompletedExceptionally()
                ? ended.handle((nothing, fault) -> fault).join()
                : null;
    }

    /** Holds the node as SIGSTOP does: its sockets stay open, and it does nothing. */
    public void pause() {
        running().pause();
    }

    /** Lets a paused node go on. */
    public void resume() {
        running().resume();
    }

    private NodeHost running() {
        NodeHost running = host;
        if (running == null || ended.isDone()) {
            throw new IllegalStateException(name() + " is not running");
        }
        return running;
    }

    /** What runs on the loop; null before the start. For those who run the loop themselves. */
    @Nullable
    Node node() {
        return node;
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
        Node bound = node;
        Integer port = bound == null || ended.isDone() ? null : bound.ports().get(listener);
        if (port == null) {
            throw new IllegalStateException(name() + " does not listen on [" + listener + "]");
        }
        return port;
    }

    /** The node as it is between two tasks of its loop. Fails if the node is at an end. A paused node does not answer. */
    public CompletableFuture<NodeSnapshot> snapshot() {
        return ask((running, answer) -> answer.complete(running.snapshot()));
    }

    /**
     * Has the node serve a request as if it had come over a connection, without one, at the newest version it serves.
     * Fails if the node is at an end, or ends before it answers.
     */
    public CompletableFuture<ApiMessage> call(ApiMessage request) {
        return ask((running, answer) -> running.call(request, response -> {
            if (response == null) {
                answer.completeExceptionally(new IllegalStateException(
                        name() + " gave no answer to " + request.getClass().getSimpleName()));
            } else {
                answer.complete(response);
            }
        }));
    }

    /**
     * Does something to the page cache of a replica's segments, beside the loop, and tells what is in it after that.
     * Fails if the node is at an end; with an {@link IllegalArgumentException} if it hosts no such replica; with an
     * {@link UnsupportedOperationException} that says what to do if page cache control is not available here.
     */
    public CompletableFuture<PageCacheReport> pageCache(TopicPartition partition, PageCacheAction action) {
        return ask((running, answer) -> running.pageCache(partition, action, (report, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(report);
            }
        }));
    }

    /**
     * Appends one batch to a partition that this node leads, and asks no transaction's coordinator about it. So did
     * requests that came late, before KIP-890: after the end of their transaction they opened one that nobody ended.
     * Fails if the node is at an end, does not lead the partition, or its log does not take the batch.
     *
     * @param batch of format v2 with base offset 0; released here
     * @return the offset of the first record
     */
    public CompletableFuture<Long> appendUnasked(TopicPartition partition, ByteBuf batch) {
        return this.<Long>ask((running, answer) -> answer.complete(running.appendUnasked(partition, batch)))
                .whenComplete((offset, failure) -> batch.release());
    }

    @SuppressWarnings("CollectionUndefinedEquality") // each future is itself, which is all that the set is to know
    private <T> CompletableFuture<T> ask(Question<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        asked.add(answer);
        answer.whenComplete((value, failure) -> asked.remove(answer));
        NodeHost running = host;
        if (running != null) {
            running.loop().execute(() -> askOnLoop(question, answer));
        }
        if (running == null || ended.isDone()) {
            answer.completeExceptionally(new IllegalStateException(name() + " is not running"));
        }
        return answer;
    }

    private <T> void askOnLoop(Question<T> question, CompletableFuture<T> answer) {
        try {
            Node running = node;
            if (running == null) {
                throw new IllegalStateException(name() + " is not running");
            }
            question.ask(running, answer);
        } catch (RuntimeException e) {
            answer.completeExceptionally(e);
        }
    }

    /** As the loop's thread is named. */
    private String name() {
        return "tidemark-" + (config.isBroker() ? "broker" : "controller") + "-" + config.nodeId();
    }

    @Override
    public String toString() {
        return name();
    }

    @FunctionalInterface
    private interface Question<T> {
        void ask(Node node, CompletableFuture<T> answer);
    }
}
