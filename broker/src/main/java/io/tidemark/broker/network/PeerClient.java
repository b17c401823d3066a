package io.tidemark.broker.network;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.protocol.message.ResponseHeader;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.time.Loop.Timer;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import io.tidemark.broker.transport.Peer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests to one node over one link.
 *
 * <pre>
 *   no link --send--> linked --lost, timed out, closed--> no link, and for a while no new one
 * </pre>
 *
 * After a link was lost the next one waits, longer each time that none came up (reconnect backoff); requests given
 * meanwhile wait with it, against their own time limits.
 */
final class PeerClient implements Peer, FrameHandler {
    static final long FIRST_BACKOFF_MS = 20;
    static final long MAX_BACKOFF_MS = 200;

    private final String host;
    private final int port;
    private final String clientId;
    private final String purpose;
    private final Network network;
    private final Loop loop;
    private final Clock clock;
    private final ArrayDeque<Exchange> exchanges = new ArrayDeque<>();
    private @Nullable Link link;
    private @Nullable Timer reconnect;
    private long backoffMs;
    private long connectNotBeforeMs = Long.MIN_VALUE;
    private int nextCorrelationId;

    PeerClient(String host, int port, int nodeId, String purpose, Network network, Loop loop, Clock clock) {
        this.host = host;
        this.port = port;
        this.clientId = "node-" + nodeId + "-" + purpose;
        this.purpose = purpose;
        this.network = network;
        this.loop = loop;
        this.clock = clock;
    }

    @Override
    public void send(ApiMessage request, long timeoutMs, Reply reply) {
        send(request, keyOf(request).maxStableVersion(), timeoutMs, reply);
    }

    private static ApiKey keyOf(ApiMessage request) {
        ApiKey apiKey = ApiKey.forId(request.apiKey());
        if (apiKey == null) {
            throw new IllegalArgumentException("Only a request can be sent to a peer, not a "
                    + request.getClass().getSimpleName());
        }
        return apiKey;
    }

    @Override
    public void send(ApiMessage request, short version, long timeoutMs, Reply reply) {
        ApiKey apiKey = keyOf(request);
        int correlationId = nextCorrelationId++;
        OutboundFrame frame = RequestFrames.encode(apiKey, version, correlationId, clientId, request);
        Exchange exchange = new Exchange(apiKey, version, correlationId, frame, reply);
        exchange.timeout = loop.schedule(timeoutMs, () -> onTimeout(exchange, timeoutMs));
        exchanges.add(exchange);
        Link open = link;
        if (open != null) {
            exchange.sendOver(open);
        } else if (reconnect == null) {
            connectInTime();
        }
    }

    private void connectInTime() {
        long waitMs = connectNotBeforeMs == Long.MIN_VALUE ? 0 : connectNotBeforeMs - clock.monotonicMs();
        if (waitMs > 0) {
            reconnect = loop.schedule(waitMs, this::connect);
        } else {
            connect();
        }
    }

    private void connect() {
        reconnect = null;
        if (exchanges.isEmpty()) {
            return;
        }
        Link opening = network.connect(host, port, this);
        link = opening;
        exchanges.forEach(exchange -> exchange.sendOver(opening));
    }

    @Override
    public String purpose() {
        return purpose;
    }

    @Override
    public void onOpen(Link opened) {
        backoffMs = 0;
    }

    @Override
    public void onFrame(Link from, ByteBuf frame) {
        Exchange exchange = from == link ? exchanges.peek() : null;
        if (exchange == null) {
            drop(new IOException(name() + " sent a response that nothing asked for"));
            return;
        }
        ApiMessage response = exchange.apiKey.newResponse();
        try {
            MessageReader in = new MessageReader(frame);
            ResponseHeader header = ResponseFrames.readHeader(in, exchange.apiKey, exchange.version);
            if (header.correlationId() != exchange.correlationId) {
                drop(new IOException(name() + " answered correlation id [" + header.correlationId() + "]; expected "
                        + exchange.correlationId));
                return;
            }
            response.read(in, exchange.version);
        } catch (InvalidMessageException e) {
            drop(new IOException(name() + " answered " + exchange.apiKey + " with bytes that are not a response", e));
            return;
        }
        exchanges.remove();
        exchange.timeout.cancel();
        exchange.reply.onResponse(response);
    }

    @Override
    public void onClosed(Link closed, @Nullable Throwable cause) {
        if (closed == link) {
            drop(new IOException(
                    "The link to " + name() + " is lost" + (cause == null ? "" : ": " + cause.getMessage()), cause));
        }
    }

    private void onTimeout(Exchange exchange, long timeoutMs) {
        drop(new IOException(name() + " did not answer " + exchange.apiKey + " within " + timeoutMs + " ms"));
    }

    @Override
    public void close() {
        drop(new IOException("The link to " + name() + " is closed by this node"));
        connectNotBeforeMs = Long.MIN_VALUE;
        backoffMs = 0;
    }

    /** Lets go of the link and fails everything under way, each on a later turn of the loop. */
    private void drop(IOException cause) {
        Link dropped = link;
        link = null;
        if (dropped != null) {
            backoffMs = Math.min(MAX_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, backoffMs * 2));
            connectNotBeforeMs = clock.monotonicMs() + backoffMs;
            dropped.close();
        }
        if (reconnect != null) {
            reconnect.cancel();
            reconnect = null;
        }
        List<Exchange> failed = new ArrayList<>(exchanges);
        exchanges.clear();
        for (Exchange exchange : failed) {
            exchange.timeout.cancel();
            exchange.releaseUnsent();
            loop.execute(() -> exchange.reply.onFailure(cause));
        }
    }

    private String name() {
        return "[" + host + ":" + port + "]";
    }

    @Override
    public String toString() {
        return clientId + " to " + name();
    }

    /** A request and the reply it waits for. */
    private static final class Exchange {
        final ApiKey apiKey;
        final short version;
        final int correlationId;
        final Reply reply;
        Timer timeout = () -> {};
        private @Nullable OutboundFrame unsent;

        Exchange(ApiKey apiKey, short version, int correlationId, OutboundFrame frame, Reply reply) {
            this.apiKey = apiKey;
            this.version = version;
            this.correlationId = correlationId;
            this.unsent = frame;
            this.reply = reply;
        }

        void sendOver(Link link) {
            OutboundFrame frame = unsent;
            unsent = null;
            if (frame != null) {
                link.send(frame);
            }
        }

        void releaseUnsent() {
            if (unsent != null) {
                unsent.release();
                unsent = null;
            }
        }
    }
}
