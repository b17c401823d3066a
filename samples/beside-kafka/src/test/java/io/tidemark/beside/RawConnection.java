package io.tidemark.beside;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.ResponseFrames;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/** Asks one broker in any version of a request, with no client in between that would ask again or ask another. */
final class RawConnection implements AutoCloseable {
    private static final int LIMIT_MS = 30_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private int correlationId;

    /** @param address host and port, with a colon in between */
    RawConnection(String address) throws IOException {
        int colon = address.lastIndexOf(':');
        socket = new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        socket.setSoTimeout(LIMIT_MS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    ApiMessage ask(ApiKey apiKey, int version, ApiMessage request) throws IOException {
        short apiVersion = (short) version;
        OutboundFrame frame = RequestFrames.encode(apiKey, apiVersion, ++correlationId, "raw", request);
        ByteBuf bytes = Unpooled.buffer();
        for (OutboundFrame.Part part : frame.parts()) {
            bytes.writeBytes(
                    part instanceof OutboundFrame.RecordBytes records
                            ? ((BufferRecords) records.records()).toByteBuf()
                            : ((OutboundFrame.Bytes) part).buffer());
        }
        byte[] sent = new byte[bytes.readableBytes()];
        bytes.readBytes(sent);
        out.writeInt(sent.length);
        out.write(sent);
        out.flush();
        byte[] received = new byte[in.readInt()];
        in.readFully(received);
        MessageReader reader = new MessageReader(Unpooled.wrappedBuffer(received));
        int answered = ResponseFrames.readHeader(reader, apiKey, apiVersion).correlationId();
        if (answered != correlationId) {
            throw new IOException(
                    "Answer to " + apiKey + " has correlation id " + answered + "; expected " + correlationId);
        }
        return ResponseFrames.readBody(reader, apiKey, apiVersion);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
