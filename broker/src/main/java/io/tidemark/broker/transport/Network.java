package io.tidemark.broker.transport;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.OutboundFrame;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The network door of one node. All calls are made on the node's loop, and all callbacks come there.
 */
public interface Network {
    /**
     * Binds and listens.
     *
     * @param name the listener's name, carried by each accepted link
     * @param host the host or address to bind; empty for all
     * @param port the port, or 0 for any free one
     * @throws IOException if the address cannot be bound; the message names it
     */
    Listener listen(String name, String host, int port, FrameHandler handler) throws IOException;

    /**
     * Starts to connect and returns at once. The handler hears {@code onOpen} when the link is up, or
     * {@code onClosed} with the cause when it cannot be had. Frames sent before that are kept and sent then.
     */
    Link connect(String host, int port, FrameHandler handler);

    /** A bound listener. */
    interface Listener {
        /** The bound port. */
        int port();

        /** Stops listening and closes every link that was accepted. */
        void close();
    }

    /** One connection, in either direction. */
    interface Link {
        /** Sends a frame; the link takes over its buffers and releases them. Silently dropped on a closed link. */
        void send(OutboundFrame frame);

        /** While off, no further frame is read from the peer: back-pressure, and Kafka's muted channel. */
        void readable(boolean readable);

        void close();

        /** Closes the link so that the other end hears of a reset, where the network can do that. */
        default void reset() {
            close();
        }

        boolean isOpen();

        /** The name of the listener that accepted the link; empty on a link that this node opened. */
        String listenerName();

        /** The other end, if it is known. */
        @Nullable
        InetSocketAddress remoteAddress();
    }

    /** Hears what happens on a link. */
    interface FrameHandler {
        /** What the link is for, by which faults are scoped; empty where it has no name. */
        default String purpose() {
            return "";
        }

        default void onOpen(Link link) {}

        /**
         * A whole frame, without its four length bytes. The handler does not own it: it is released after the call,
         * unless the handler retains it.
         */
        void onFrame(Link link, ByteBuf frame);

        /**
         * The link is gone; nothing follows. Called once.
         *
         * @param cause why, or null where either side closed it in good order
         */
        default void onClosed(Link link, @Nullable Throwable cause) {}
    }
}
