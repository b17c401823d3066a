package io.tidemark.broker.transport;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A link that a node has taken in. It has one request at a time, as the node reads no second one before the first is
 * answered; while that waits at the door, nothing further is read.
 *
 * <pre>
 *   idle --frame--> waiting --pass--> in hand --answered--> answering --sent--> idle
 * </pre>
 */
final class InterceptedLink implements Link {
    private final int nodeId;
    private final Loop loop;
    private final Link real;
    private final FrameHandler handler;
    private final RequestFaults faults;
    private @Nullable InterceptedRequest current;
    private @Nullable Object attachment;
    private boolean isWanted = true;
    private boolean isMute;

    InterceptedLink(int nodeId, Loop loop, Link real, FrameHandler handler, RequestFaults faults) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.real = real;
        this.handler = handler;
        this.faults = faults;
    }

    void onFrame(ByteBuf frame) {
        InterceptedRequest request = isMute ? null : InterceptedRequest.of(this, frame);
        if (request == null) {
            if (!isMute) {
                handler.onFrame(this, frame);
            }
            return;
        }
        current = request;
        if (!faults.isAwake()) {
            request.pass();
            return;
        }
        faults.onRequest(request);
        request.keepIfWaiting();
        apply();
    }

    /** Takes a request to the node. */
    void handle(ByteBuf frame) {
        handler.onFrame(this, frame);
        apply();
    }

    @Override
    public void send(OutboundFrame frame) {
        InterceptedRequest request = current;
        if (request == null || !request.isInHand()) {
            real.send(frame);
        } else {
            request.answered(frame);
        }
    }

    @Override
    public void readable(boolean wanted) {
        isWanted = wanted;
        InterceptedRequest request = current;
        if (wanted && request != null && request.isInHand()) {
            request.answered(null);
        }
        apply();
    }

    private void apply() {
        real.readable(isWanted && !isMute && (current == null || current.isInHand()));
    }

    /** The request is done with; the next one may come. */
    void finish(@Nullable OutboundFrame answer) {
        current = null;
        if (answer != null) {
            real.send(answer);
        }
        apply();
    }

    /** From now on nothing is heard from this link and nothing is said over it; it stays open. */
    void mute() {
        isMute = true;
        current = null;
        apply();
    }

    @Override
    public void reset() {
        real.reset();
    }

    void onClosed() {
        current = null;
    }

    @Nullable
    Object attachment() {
        return attachment;
    }

    void attach(Object newAttachment) {
        this.attachment = newAttachment;
    }

    boolean isCurrent(InterceptedRequest request) {
        return current == request && real.isOpen();
    }

    RequestFaults faults() {
        return faults;
    }

    int nodeId() {
        return nodeId;
    }

    Loop loop() {
        return loop;
    }

    @Override
    public void close() {
        real.close();
    }

    @Override
    public boolean isOpen() {
        return real.isOpen();
    }

    @Override
    public String listenerName() {
        return real.listenerName();
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return real.remoteAddress();
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
