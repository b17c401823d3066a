package io.tidemark.broker.api;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.message.RequestHeader;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames of one kind of listener to the handlers of their API keys, and the answers back.
 *
 * <p>A link has one request in hand; what the client sent behind it stays unread until it is answered, so answers keep
 * the order of requests. A frame that cannot be understood, an API that is not served and a version that is not served
 * close the link with one line in the log, except that ApiVersions at a version above ours is answered
 * UNSUPPORTED_VERSION in the shape of version 0, from which the client learns what to ask instead. A handler that
 * throws has its request answered with an error; the node goes on.
 *
 * <p>Until {@link #serve} is called, links are taken in and not read: a node that is not up yet makes its clients wait
 * instead of telling them what it does not know.
 *
 * <p>On the node's loop only.
 */
public final class RequestRouter implements FrameHandler {
    private static final NodeLog LOG = NodeLog.of(RequestRouter.class);
    private static final int FIXED_HEADER_BYTES = 8;

    private final Map<ApiKey, ApiHandler<?>> handlers = new EnumMap<>(ApiKey.class);
    private final Map<Link, LinkRequest> inHand = new HashMap<>();
    private final Set<Link> held = new LinkedHashSet<>();
    private boolean isServing;

    /** Adds what is served. What has no handler is not served. */
    public RequestRouter add(ApiHandler<?> handler) {
        if (handlers.put(handler.apiKey(), handler) != null) {
            throw new IllegalArgumentException("Two handlers serve " + handler.apiKey());
        }
        return this;
    }

    /** What is served, in the order of the API keys: a view. */
    public Collection<ApiHandler<?>> handlers() {
        return handlers.values();
    }

    /** Reads the links that came in meanwhile, and from now on every one at once. */
    public void serve() {
        isServing = true;
        held.forEach(link -> link.readable(true));
        held.clear();
    }

    @Override
    public void onOpen(Link link) {
        if (!isServing) {
            link.readable(false);
            held.add(link);
        }
    }

    @Override
    public void onFrame(Link link, ByteBuf frame) {
        if (frame.readableBytes() < FIXED_HEADER_BYTES) {
            refuse(link, "a request of " + frame.readableBytes() + " bytes is too short to have a header");
            return;
        }
        int start = frame.readerIndex();
        short id = frame.getShort(start);
        short version = frame.getShort(start + 2);
        int correlationId = frame.getInt(start + 4);
        ApiKey apiKey = ApiKey.forId(id);
        ApiHandler<?> handler = apiKey == null ? null : handlers.get(apiKey);
        if (apiKey == null || handler == null) {
            refuse(link, "API [" + (apiKey == null ? id : apiKey) + "] is not served on this listener");
        } else if (version >= handler.minVersion() && version <= handler.maxVersion()) {
            handle(link, frame, handler, version);
        } else if (apiKey == ApiKey.API_VERSIONS && version > handler.maxVersion()) {
            answerInVersionZero(link, handler, correlationId);
        } else {
            refuse(
                    link,
                    "version [" + version + "] of " + apiKey + " is not served; expected " + handler.minVersion()
                            + " to " + handler.maxVersion());
        }
    }

    private <Q extends ApiMessage> void handle(Link link, ByteBuf frame, ApiHandler<Q> handler, short version) {
        ApiKey apiKey = handler.apiKey();
        RequestHeader header;
        Q request = newRequest(handler);
        try {
            MessageReader in = new MessageReader(frame);
            header = RequestFrames.readHeader(in);
            request.read(in, version);
        } catch (InvalidMessageException e) {
            refuse(link, "a request of " + apiKey + " version " + version + " is malformed: " + e.getMessage());
            return;
        } catch (RuntimeException e) {
            // Bytes from outside must not bring the node down, whatever the reader makes of them.
            LOG.error("A request of {} version {} could not be read", apiKey, version, e);
            refuse(link, "a request of " + apiKey + " version " + version + " could not be read");
            return;
        }
        LinkRequest context =
                new LinkRequest(link, apiKey, version, header.correlationId(), header.clientId(), inHand::remove);
        inHand.put(link, context);
        link.readable(false);
        dispatch(handler, request, context);
    }

    /** The handler's type says which request its key has. */
    @SuppressWarnings("unchecked")
    private static <Q extends ApiMessage> Q newRequest(ApiHandler<Q> handler) {
        return (Q) handler.apiKey().newRequest();
    }

    private static <Q extends ApiMessage> void dispatch(ApiHandler<Q> handler, Q request, PendingRequest context) {
        try {
            handler.handle(context, request);
        } catch (RuntimeException e) {
            LOG.error(
                    "{} version {} failed unexpectedly; it is answered UNKNOWN_SERVER_ERROR",
                    context.apiKey(),
                    context.apiVersion(),
                    e);
            if (!context.isDone()) {
                context.respond(handler.errorResponse(request, context.apiVersion(), ErrorCode.UNKNOWN_SERVER_ERROR));
            }
        }
    }

    private <Q extends ApiMessage> void answerInVersionZero(Link link, ApiHandler<Q> handler, int correlationId) {
        LinkRequest context = new LinkRequest(link, handler.apiKey(), (short) 0, correlationId, null, inHand::remove);
        Q nothingRead = newRequest(handler);
        context.respond(handler.errorResponse(nothingRead, (short) 0, ErrorCode.UNSUPPORTED_VERSION));
    }

    /**
     * Serves a request that did not come over a link, at the newest version served.
     *
     * @param listenerName the listener that it counts as having come in on
     * @param done given the response, or null where the handler gives none; called once
     * @throws IllegalArgumentException if the API is not served
     */
    public void call(ApiMessage request, String listenerName, Consumer<@Nullable ApiMessage> done) {
        ApiKey apiKey = ApiKey.forId(request.apiKey());
        ApiHandler<?> handler = apiKey == null ? null : handlers.get(apiKey);
        if (handler == null) {
            throw new IllegalArgumentException("API [" + (apiKey == null ? request.apiKey() : apiKey)
                    + "] is not served by this node; served are " + handlers.keySet());
        }
        dispatchCall(handler, request, listenerName, done);
    }

    /** The key was looked up by the request's own, so the request is of the handler's type. */
    @SuppressWarnings("unchecked")
    private static <Q extends ApiMessage> void dispatchCall(
            ApiHandler<Q> handler, ApiMessage request, String listenerName, Consumer<@Nullable ApiMessage> done) {
        dispatch(handler, (Q) request, new InProcessRequest(handler, listenerName, done));
    }

    @Override
    public void onClosed(Link link, @Nullable Throwable cause) {
        inHand.remove(link);
        held.remove(link);
        if (cause != null) {
            LOG.debug("A connection from {} is lost: {}", link.remoteAddress(), cause.toString());
        }
    }

    /** The API keys of the requests that are not answered yet, for a look from outside. */
    public List<ApiKey> keysInHand() {
        List<ApiKey> keys = new ArrayList<>();
        inHand.values().forEach(request -> keys.add(request.apiKey()));
        return keys;
    }

    private static void refuse(Link link, String why) {
        LOG.warn("The connection from {} on {} is closed: {}", link.remoteAddress(), link.listenerName(), why);
        link.close();
    }
}
