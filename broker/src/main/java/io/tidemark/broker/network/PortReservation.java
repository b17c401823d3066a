package io.tidemark.broker.network;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * Keeps a port for a listener that comes and goes: a socket that is bound and never listens. While the listener is
 * away clients are refused, and nobody else is given the port; the listener binds over it, as both allow the reuse of
 * the address and only one of them listens.
 */
public final class PortReservation implements Closeable {
    private final SocketChannel socket;
    private final int port;

    private PortReservation(SocketChannel socket, int port) {
        this.socket = socket;
        this.port = port;
    }

    /**
     * Reserves a port.
     *
     * @param host the host that the listener will bind
     * @param port the port, or 0 for any free one
     * @throws IOException if the port is taken; the message names it
     */
    public static PortReservation reserve(String host, int port) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
            return new PortReservation(socket, ((InetSocketAddress) socket.getLocalAddress()).getPort());
        } catch (IOException e) {
            socket.close();
            throw new IOException(
                    "Port [" + host + ":" + port + "] cannot be reserved: " + e.getMessage()
                            + ". Is another process listening there?",
                    e);
        }
    }

    public int port() {
        return port;
    }

    /** Gives the port back. A listener that is bound to it keeps it. */
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
