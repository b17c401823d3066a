package io.tidemark.broker.network;

import io.netty.channel.ChannelId;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.tidemark.broker.journal.NodeLog;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;

/** Netty's listening socket with a cheap id, whose accepted sockets have such ids too. */
final class NodeServerChannel extends NioServerSocketChannel {
    private static final NodeLog LOG = NodeLog.of(NodeServerChannel.class);

    @Override
    protected ChannelId newId() {
        return new NodeChannelId();
    }

    @Override
    protected int doReadMessages(List<Object> accepted) throws Exception {
        SocketChannel socket = javaChannel().accept();
        if (socket == null) {
            return 0;
        }
        try {
            accepted.add(new NodeSocketChannel(this, socket));
            return 1;
        } catch (RuntimeException e) {
            LOG.warn("An accepted connection could not be taken up; it is closed", e);
            closeQuietly(socket);
            return 0;
        }
    }

    private static void closeQuietly(SocketChannel socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("Closing a socket failed", e);
        }
    }
}
