package io.tidemark.backend;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.transport.ForwardingHost;
import io.tidemark.broker.transport.Network;
import io.tidemark.broker.transport.NodeHost;
import io.tidemark.journal.ClusterJournal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A host that tells the journal which clients connect to the node. */
final class WatchedHost extends ForwardingHost {
    /** What the clients of the cluster's own nodes are called. */
    private static final String NODES = "node-";

    private static final int CLIENT_ID_LENGTH_AT = 8;

    private final int nodeId;
    private final ClusterJournal journal;

    WatchedHost(NodeHost real, int nodeId, ClusterJournal journal) {
        super(real);
        this.nodeId = nodeId;
        this.journal = journal;
    }

    @Override
    public Network network() {
        Network network = real.network();
        return new Network() {
            @Override
            public Listener listen(String name, String host, int port, FrameHandler handler) throws IOException {
                return network.listen(name, host, port, new Watching(handler));
            }

            @Override
            public Link connect(String host, int port, FrameHandler handler) {
                return network.connect(host, port, handler);
            }
        };
    }

    /** Learns a client's name from its first request. On the node's loop only. */
    private final class Watching implements Network.FrameHandler {
        private final Network.FrameHandler handler;
        private final Map<Network.Link, String> clients = new HashMap<>();

        Watching(Network.FrameHandler handler) {
            this.handler = handler;
        }

        @Override
        public String purpose() {
            return handler.purpose();
        }

        @Override
        public void onOpen(Network.Link link) {
            handler.onOpen(link);
        }

        @Override
        public void onFrame(Network.Link link, ByteBuf frame) {
            if (!clients.containsKey(link)) {
                String client = clientOf(frame);
                clients.put(link, client);
                if (!client.startsWith(NODES)) {
                    journal.connection(nodeId, client + " connects");
                }
            }
            handler.onFrame(link, frame);
        }

        @Override
        public void onClosed(Network.Link link, @Nullable Throwable cause) {
            String client = clients.remove(link);
            if (client != null && !client.startsWith(NODES)) {
                journal.connection(nodeId, client + (cause == null ? " is gone" : " is lost: " + cause.getMessage()));
            }
            handler.onClosed(link, cause);
        }
    }

    /** The client's name is at the same place in every header but the oldest of all. */
    private static String clientOf(ByteBuf frame) {
        int start = frame.readerIndex() + CLIENT_ID_LENGTH_AT;
        int length = frame.readableBytes() < CLIENT_ID_LENGTH_AT + Short.BYTES ? -1 : frame.getShort(start);
        return length <= 0 || length > frame.readableBytes() - CLIENT_ID_LENGTH_AT - Short.BYTES
                ? "a client without a name"
                : frame.toString(start + Short.BYTES, length, StandardCharsets.UTF_8);
    }
}
