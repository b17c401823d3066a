package io.tidemark.broker.transport;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A host whose listeners can be hurt: every request that comes in, of clients and of other nodes alike, passes
 * {@link RequestFaults} before the node hears of it, and so does every answer.
 *
 * <pre>{@code
 * NodeHost host = new NodeDoor(1, real, faults);
 * }</pre>
 */
public final class NodeDoor extends ForwardingHost implements Network {
    private static final long TRY_EVERY_MS = 5;
    private static final int MOST_TRIES = 200;

    private final int nodeId;
    private final RequestFaults faults;
    private final List<HurtListener> listeners = new ArrayList<>();
    private boolean isRefusing;

    public NodeDoor(int nodeId, NodeHost real, RequestFaults faults) {
        super(real);
        this.nodeId = nodeId;
        this.faults = faults;
        faults.attach(this);
    }

    public int nodeId() {
        return nodeId;
    }

    @Override
    public Network network() {
        return this;
    }

    @Override
    public Listener listen(String name, String host, int port, FrameHandler handler) throws IOException {
        HurtListener listener = new HurtListener(name, host, handler);
        listener.open(port);
        listeners.add(listener);
        if (isRefusing) {
            listener.shut();
        }
        return listener;
    }

    @Override
    public Link connect(String host, int port, FrameHandler handler) {
        return real.network().connect(host, port, handler);
    }

    /**
     * Closes every listener with the links that it has taken in, so that whoever connects is refused, while the node
     * lives. On the loop only.
     */
    public void refuseConnections() {
        isRefusing = true;
        listeners.forEach(HurtListener::shut);
    }

    /**
     * Listens again, on the same ports. On the loop only. A listener that was closed lets its port go in a later turn of the
     * loop, so that it is tried for a second.
     *
     * @return completes on the loop when it listens, or with an {@link UncheckedIOException} where a port was taken meanwhile
     */
    public CompletableFuture<Void> acceptConnections() {
        isRefusing = false;
        CompletableFuture<Void> done = new CompletableFuture<>();
        openAgain(done, MOST_TRIES);
        return done;
    }

    private void openAgain(CompletableFuture<Void> done, int triesLeft) {
        if (isRefusing) {
            done.complete(null);
            return;
        }
        try {
            listeners.forEach(HurtListener::openAgain);
            done.complete(null);
        } catch (UncheckedIOException e) {
            if (triesLeft > 1) {
                loop().schedule(TRY_EVERY_MS, () -> openAgain(done, triesLeft - 1));
            } else {
                done.completeExceptionally(e);
            }
        }
    }

    @Override
    public void halt() {
        faults.detach(this);
        super.halt();
    }

    @Override
    public void close(Runnable whenEnded) {
        faults.detach(this);
        super.close(whenEnded);
    }

    @Override
    public String toString() {
        return "door of node " + nodeId;
    }

    /** One listener of the node, and what it has taken in. */
    private final class HurtListener implements Listener, FrameHandler {
        final Map<Link, InterceptedLink> links = new LinkedHashMap<>();
        private final String name;
        private final String host;
        private final FrameHandler handler;
        private @Nullable Listener listening;
        private int port;
        private boolean isClosed;

        HurtListener(String name, String host, FrameHandler handler) {
            this.name = name;
            this.host = host;
            this.handler = handler;
        }

        void open(int wantedPort) throws IOException {
            listening = real.network().listen(name, host, wantedPort, this);
            port = listening.port();
        }

        void shut() {
            if (listening != null) {
                listening.close();
                listening = null;
            }
        }

        void openAgain() {
            if (listening == null && !isClosed) {
                try {
                    open(port);
                } catch (IOException e) {
                    throw new UncheckedIOException("Node " + nodeId + " cannot listen on port " + port + " again", e);
                }
            }
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public void close() {
            isClosed = true;
            shut();
        }

        @Override
        public String purpose() {
            return handler.purpose();
        }

        @Override
        public void onOpen(Link link) {
            InterceptedLink intercepted = new InterceptedLink(nodeId, loop(), link, handler, faults);
            links.put(link, intercepted);
            handler.onOpen(intercepted);
        }

        @Override
        public void onFrame(Link link, ByteBuf frame) {
            InterceptedLink intercepted = links.get(link);
            if (intercepted != null) {
                intercepted.onFrame(frame);
            }
        }

        @Override
        public void onClosed(Link link, @Nullable Throwable cause) {
            InterceptedLink intercepted = links.remove(link);
            if (intercepted != null) {
                intercepted.onClosed();
                handler.onClosed(intercepted, cause);
            }
        }
    }
}
