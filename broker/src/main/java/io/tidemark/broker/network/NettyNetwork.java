package io.tidemark.broker.network;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.tidemark.broker.transport.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The network door on Netty's NIO transport. Channels are registered by hand, without Netty's bootstraps, which would
 * bring a resolver and more to start up.
 */
final class NettyNetwork implements Network {
    private static final int BACKLOG = 128;

    /** On the heap and without a pool: nothing to leak, nothing to set up, and small enough for tests. */
    private static final ByteBufAllocator ALLOCATOR = new UnpooledByteBufAllocator(false, true);

    private final NettyLoop loop;
    private final int maxFrameBytes;
    private final int connectTimeoutMs;
    private final Set<Channel> channels = new LinkedHashSet<>();

    NettyNetwork(NettyLoop loop, int maxFrameBytes, int connectTimeoutMs) {
        this.loop = loop;
        this.maxFrameBytes = maxFrameBytes;
        this.connectTimeoutMs = connectTimeoutMs;
        loop.closeChannelsAtEnd(this::closeAll);
    }

    @Override
    public Listener listen(String name, String host, int port, FrameHandler handler) throws IOException {
        NodeServerChannel server = new NodeServerChannel();
        server.config().setAllocator(ALLOCATOR);
        server.config().setOption(ChannelOption.SO_REUSEADDR, true);
        server.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
        BoundListener listener = new BoundListener(server);
        server.pipeline().addLast(new Acceptor(name, handler, listener));
        loop.eventLoop().register(server);
        InetSocketAddress address = address(host, port);
        ChannelFuture bound = server.bind(address);
        if (!bound.isSuccess()) {
            server.close();
            throw new IOException(
                    "Listener " + name + " cannot bind [" + (host.isEmpty() ? "*" : host) + ":" + port + "]: "
                            + reason(bound) + ". Is another process listening there?",
                    bound.cause());
        }
        track(server);
        return listener;
    }

    private static String reason(ChannelFuture future) {
        Throwable cause = future.cause();
        return cause == null ? "no answer" : String.valueOf(cause.getMessage());
    }

    private static InetSocketAddress address(String host, int port) throws UnknownHostException {
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(InetAddress.getByName(host), port);
    }

    @Override
    public Link connect(String host, int port, FrameHandler handler) {
        NodeSocketChannel channel = new NodeSocketChannel();
        configure(channel);
        channel.config().setConnectTimeoutMillis(connectTimeoutMs);
        NettyLink link = new NettyLink(loop, channel, "", handler, maxFrameBytes);
        channel.pipeline().addLast(link);
        loop.eventLoop().register(channel);
        track(channel);
        // On a later turn of the loop, so that no callback comes before this call has returned.
        loop.execute(() -> startConnect(channel, host, port, link));
        return link;
    }

    private static void startConnect(Channel channel, String host, int port, NettyLink link) {
        try {
            channel.connect(address(host, port)).addListener((ChannelFutureListener) link::onConnectDone);
        } catch (UnknownHostException e) {
            link.onConnectFailed(e);
        }
    }

    private static void configure(Channel channel) {
        channel.config().setAllocator(ALLOCATOR);
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    }

    private void track(Channel channel) {
        channels.add(channel);
        channel.closeFuture().addListener(future -> channels.remove(channel));
    }

    /** Closes every listener and every link. On the loop. */
    private void closeAll() {
        new ArrayList<>(channels).forEach(Channel::close);
    }

    private static final class BoundListener implements Listener {
        private final NodeServerChannel server;
        private final Set<Channel> accepted = new LinkedHashSet<>();

        BoundListener(NodeServerChannel server) {
            this.server = server;
        }

        @Override
        public int port() {
            return server.localAddress().getPort();
        }

        @Override
        public void close() {
            server.close();
            new ArrayList<>(accepted).forEach(Channel::close);
        }
    }

    /** Makes a link of each accepted connection. */
    private final class Acceptor extends ChannelInboundHandlerAdapter {
        private final String name;
        private final FrameHandler handler;
        private final BoundListener listener;

        Acceptor(String name, FrameHandler handler, BoundListener listener) {
            this.name = name;
            this.handler = handler;
            this.listener = listener;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            Channel channel = (Channel) message;
            if (!loop.mayRun()) {
                channel.unsafe().closeForcibly();
                return;
            }
            configure(channel);
            channel.pipeline().addLast(new NettyLink(loop, channel, name, handler, maxFrameBytes));
            track(channel);
            listener.accepted.add(channel);
            channel.closeFuture().addListener(future -> listener.accepted.remove(channel));
            loop.eventLoop().register(channel);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // An accept can fail for want of descriptors; the listener goes on.
            context.fireExceptionCaught(cause);
        }
    }
}
