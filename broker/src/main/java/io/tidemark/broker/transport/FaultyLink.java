package io.tidemark.broker.transport;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A link that this node opened to another one. It stands between the node and the real link, in both directions, and
 * keeps what may not pass, in order, until it may.
 */
final class FaultyLink implements Link, FrameHandler {
    private final FaultyNetwork network;
    private final int peerPort;
    private final FrameHandler handler;
    private final Function<FrameHandler, Link> opener;
    private final Queue<OutboundFrame> outbound = new ArrayDeque<>();
    private final Queue<ByteBuf> inbound = new ArrayDeque<>();
    private @Nullable Link real;
    private Loop.@Nullable Timer connectTimer;
    private boolean isOpenHeld;
    private boolean isCloseHeld;
    private @Nullable Throwable closeCause;
    private boolean isReadable = true;
    private boolean isClosed;

    /**
     * @param peerPort where the other node listens, or will: a link may be asked for before there is anybody
     */
    FaultyLink(FaultyNetwork network, int peerPort, FrameHandler handler, Function<FrameHandler, Link> opener) {
        this.network = network;
        this.peerPort = peerPort;
        this.handler = handler;
        this.opener = opener;
    }

    /** A connect takes a packet each way. */
    void connect(int connectTimeoutMs) {
        boolean isThere = isHeldTo();
        boolean isBack = isHeldFrom();
        if (!isThere && !isBack) {
            real = opener.apply(this);
            return;
        }
        if (isThere) {
            network.struckTo(peerId(), handler.purpose());
        } else {
            network.struckFrom(peerId(), handler.purpose());
        }
        connectTimer = network.loop()
                .schedule(
                        connectTimeoutMs,
                        () -> end(new IOException("Connecting to node " + peerId() + " took longer than "
                                + connectTimeoutMs + " ms: the link to it is cut on purpose")));
    }

    @Override
    public void send(OutboundFrame frame) {
        Link open = real;
        if (isClosed) {
            frame.release();
        } else if (open == null) {
            outbound.add(frame);
        } else if (isHeldTo() || !outbound.isEmpty()) {
            network.struckTo(peerId(), handler.purpose());
            outbound.add(frame);
        } else {
            open.send(frame);
        }
    }

    @Override
    public void onOpen(Link opened) {
        if (isHeldFrom()) {
            isOpenHeld = true;
        } else {
            handler.onOpen(this);
        }
    }

    @Override
    public void onFrame(Link from, ByteBuf frame) {
        if (isClosed) {
            return;
        }
        if (isHeldFrom() || isSomethingHeld()) {
            network.struckFrom(peerId(), handler.purpose());
            inbound.add(frame.retain());
        } else {
            handler.onFrame(this, frame);
        }
    }

    private boolean isSomethingHeld() {
        return isOpenHeld || !inbound.isEmpty();
    }

    @Override
    public void onClosed(Link closed, @Nullable Throwable cause) {
        if (!isClosed && (isHeldFrom() || isSomethingHeld())) {
            isCloseHeld = true;
            closeCause = cause;
        } else {
            end(cause);
        }
    }

    /** A hold was released: what no other one holds goes on its way. */
    void passWhatMay() {
        if (isClosed) {
            return;
        }
        if (real == null) {
            if (isHeldTo() || isHeldFrom()) {
                return;
            }
            cancelConnectTimer();
            real = opener.apply(this);
        }
        while (!outbound.isEmpty() && !isClosed && !isHeldTo()) {
            real.send(outbound.remove());
        }
        deliver();
    }

    private void deliver() {
        if (isHeldFrom()) {
            return;
        }
        if (isOpenHeld) {
            isOpenHeld = false;
            handler.onOpen(this);
        }
        while (!inbound.isEmpty() && isReadable && !isClosed) {
            ByteBuf frame = inbound.remove();
            try {
                handler.onFrame(this, frame);
            } finally {
                frame.release();
            }
        }
        if (isCloseHeld && inbound.isEmpty() && !isClosed) {
            end(closeCause);
        }
    }

    @Override
    public void readable(boolean wanted) {
        isReadable = wanted;
        if (real != null) {
            real.readable(wanted);
        }
        if (wanted && isSomethingHeld()) {
            // Not from here: the caller may be in the middle of answering.
            network.loop().execute(this::passWhatMay);
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        boolean isToldByReal = real != null && !isCloseHeld;
        drop();
        if (real != null) {
            real.close();
        }
        if (!isToldByReal) {
            network.loop().execute(() -> handler.onClosed(this, null));
        }
    }

    private void end(@Nullable Throwable cause) {
        drop();
        handler.onClosed(this, cause);
    }

    /** Nothing passes any more, and what was kept is given back. */
    private void drop() {
        isClosed = true;
        cancelConnectTimer();
        outbound.forEach(OutboundFrame::release);
        outbound.clear();
        inbound.forEach(ByteBuf::release);
        inbound.clear();
        network.forget(this);
    }

    private void cancelConnectTimer() {
        if (connectTimer != null) {
            connectTimer.cancel();
            connectTimer = null;
        }
    }

    private int peerId() {
        return network.nodeAt(peerPort);
    }

    private boolean isHeldTo() {
        return network.isHeldTo(peerId(), handler.purpose());
    }

    private boolean isHeldFrom() {
        return network.isHeldFrom(peerId(), handler.purpose());
    }

    @Override
    public boolean isOpen() {
        return !isClosed && (real == null || isCloseHeld || real.isOpen());
    }

    @Override
    public String listenerName() {
        return "";
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return real == null ? null : real.remoteAddress();
    }

    @Override
    public String toString() {
        return "link to node " + peerId() + (real == null ? ", cut" : " by " + real);
    }
}
