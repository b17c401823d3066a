package io.tidemark.broker.network;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannelConfig;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.OutboundFrame.Bytes;
import io.tidemark.broker.protocol.OutboundFrame.Part;
import io.tidemark.broker.protocol.OutboundFrame.RecordBytes;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.transport.Network.FrameHandler;
import io.tidemark.broker.transport.Network.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One connection, and the last handler of its pipeline.
 *
 * <pre>
 *   connecting --onOpen--> open --close, lost, or a malformed frame--> closed
 *        \---------------- refused, timed out, or closed -----------/
 * </pre>
 *
 * What is sent while connecting is kept. {@code onClosed} is told once, of either way there.
 */
final class NettyLink extends ChannelInboundHandlerAdapter implements Link {
    private final NettyLoop loop;
    private final Channel channel;
    private final String listenerName;
    private final FrameHandler handler;
    private final FrameAssembler frames;
    private final List<OutboundFrame> beforeOpen = new ArrayList<>();
    private boolean open;
    private boolean closed;
    private boolean readable = true;
    private boolean delivering;
    private @Nullable Throwable closeCause;

    NettyLink(NettyLoop loop, Channel channel, String listenerName, FrameHandler handler, int maxFrameBytes) {
        this.loop = loop;
        this.channel = channel;
        this.listenerName = listenerName;
        this.handler = handler;
        this.frames = new FrameAssembler(channel.alloc(), maxFrameBytes);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        loop.run(() -> {
            if (closed) {
                return;
            }
            open = true;
            handler.onOpen(this);
            List<OutboundFrame> waiting = new ArrayList<>(beforeOpen);
            beforeOpen.clear();
            waiting.forEach(this::send);
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (closed || !loop.mayRun()) {
            bytes.release();
            return;
        }
        frames.add(bytes);
        loop.run(this::deliver);
    }

    private void deliver() {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            while (readable && !closed && loop.mayRun()) {
                ByteBuf frame = frames.next();
                if (frame == null) {
                    return;
                }
                try {
                    handler.onFrame(this, frame);
                } finally {
                    frame.release();
                }
            }
        } catch (MalformedFrameException e) {
            close(e);
        } finally {
            delivering = false;
        }
    }

    @Override
    public void readable(boolean wanted) {
        if (readable == wanted) {
            return;
        }
        readable = wanted;
        channel.config().setAutoRead(wanted);
        if (wanted && !delivering) {
            // Not from here: the caller may be in the middle of answering.
            loop.execute(this::deliver);
        }
    }

    @Override
    public void send(OutboundFrame frame) {
        if (closed || !loop.mayRun()) {
            frame.release();
            return;
        }
        if (!open) {
            beforeOpen.add(frame);
            return;
        }
        channel.write(channel.alloc().buffer(4, 4).writeInt(frame.sizeInBytes()), channel.voidPromise());
        for (Part part : frame.parts()) {
            write(part);
        }
        channel.flush();
    }

    private void write(Part part) {
        if (part instanceof Bytes bytes) {
            channel.write(bytes.buffer(), channel.voidPromise());
        } else if (part instanceof RecordBytes recordBytes) {
            Records records = recordBytes.records();
            channel.write(asMessage(records), channel.voidPromise());
        }
    }

    private static Object asMessage(Records records) {
        if (!(records instanceof BufferRecords)) {
            return new RecordsRegion(records);
        }
        try {
            return records.toByteBuf().retainedSlice();
        } catch (IOException e) {
            throw new IllegalStateException("Records in memory could not be had", e);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || closed) {
            close(cause);
        } else {
            loop.fault(cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closedFor(closeCause);
    }

    /** How a connect came out. */
    void onConnectDone(ChannelFuture future) {
        if (!future.isSuccess()) {
            closedFor(closeCause != null ? closeCause : future.cause());
        }
    }

    /** The address could not be had at all. */
    void onConnectFailed(Throwable cause) {
        close(cause);
        closedFor(cause);
    }

    private void close(Throwable cause) {
        if (closeCause == null) {
            closeCause = cause;
        }
        close();
    }

    @Override
    public void close() {
        channel.close();
    }

    /** A socket that does not linger sends a reset. */
    @Override
    public void reset() {
        if (channel.config() instanceof SocketChannelConfig socket && channel.isOpen()) {
            try {
                socket.setSoLinger(0);
            } catch (ChannelException e) {
                // The other end was faster.
            }
        }
        close();
    }

    private void closedFor(@Nullable Throwable cause) {
        if (closed) {
            return;
        }
        closed = true;
        open = false;
        frames.release();
        beforeOpen.forEach(OutboundFrame::release);
        beforeOpen.clear();
        loop.run(() -> handler.onClosed(this, cause));
    }

    @Override
    public boolean isOpen() {
        return !closed && channel.isOpen();
    }

    @Override
    public String listenerName() {
        return listenerName;
    }

    @Override
    public @Nullable InetSocketAddress remoteAddress() {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address : null;
    }

    @Override
    public String toString() {
        return listenerName + channel;
    }
}
