package io.tidemark.broker.network;

import io.netty.channel.Channel;
import io.netty.channel.ChannelId;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;

/** Netty's socket with a cheap id. */
final class NodeSocketChannel extends NioSocketChannel {
    NodeSocketChannel() {}

    NodeSocketChannel(Channel parent, SocketChannel socket) {
        super(parent, socket);
    }

    @Override
    protected ChannelId newId() {
        return new NodeChannelId();
    }
}
