package io.tidemark.broker.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.protocol.message.RequestHeader;
import io.tidemark.broker.time.Loop;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A request at the door of a node. {@link RequestFaults} tell it what becomes of it: before it is handled one of
 * {@link #pass}, {@link #answer}, and after it one of {@link #send}, {@link #replace}, {@link #again}; at any time
 * {@link #close}, {@link #reset} or {@link #mute}. What is told to a request whose link is gone does nothing. On the
 * node's loop only.
 */
public final class InterceptedRequest {
    private static final int FIXED_HEADER_BYTES = 8;

    private final InterceptedLink link;
    private final ApiKey apiKey;
    private final RequestHeader header;
    private final int sizeInBytes;
    private @Nullable ByteBuf frame;
    private @Nullable ApiMessage body;
    private @Nullable OutboundFrame answer;
    private @Nullable Object attachment;
    private boolean isOwnFrame;
    private boolean isKept;
    private boolean isInHand;

    private InterceptedRequest(InterceptedLink link, ApiKey apiKey, RequestHeader header, ByteBuf frame) {
        this.link = link;
        this.apiKey = apiKey;
        this.header = header;
        this.frame = frame;
        this.sizeInBytes = frame.readableBytes();
    }

    /** Null for a frame that is no request: the node says so itself. */
    static @Nullable InterceptedRequest of(InterceptedLink link, ByteBuf frame) {
        ApiKey apiKey = frame.readableBytes() < FIXED_HEADER_BYTES ? null : RequestFrames.apiKey(frame);
        if (apiKey == null) {
            return null;
        }
        try {
            RequestHeader header = RequestFrames.readHeader(new MessageReader(frame.slice()));
            return new InterceptedRequest(link, apiKey, header, frame);
        } catch (InvalidMessageException e) {
            return null;
        }
    }

    public int nodeId() {
        return link.nodeId();
    }

    public ApiKey apiKey() {
        return apiKey;
    }

    public short version() {
        return header.requestApiVersion();
    }

    /** Empty where the client has none. */
    public String clientId() {
        String clientId = header.clientId();
        return clientId == null ? "" : clientId;
    }

    /** The size of the request's frame. */
    public int sizeInBytes() {
        return sizeInBytes;
    }

    public Loop loop() {
        return link.loop();
    }

    /** Whether somebody still waits for it. */
    public boolean isOpen() {
        return link.isCurrent(this);
    }

    /** What a fault keeps with it. */
    public @Nullable Object attachment() {
        return attachment;
    }

    public void attach(Object newAttachment) {
        this.attachment = newAttachment;
    }

    /** What a fault keeps with the link that it came over, from its first request to its last. */
    public @Nullable Object linkAttachment() {
        return link.attachment();
    }

    public void attachToLink(Object newAttachment) {
        link.attach(newAttachment);
    }

    /** Keeps the request's bytes past its handling, for {@link #again} and for {@link #body} after it. */
    public void keep() {
        if (frame != null && !isOwnFrame) {
            // On the heap, so that a node that is killed leaves nothing behind.
            frame = Unpooled.copiedBuffer(frame);
            isOwnFrame = true;
            body = null;
        }
        isKept = true;
    }

    void keepIfWaiting() {
        if (!isInHand && link.isCurrent(this)) {
            keep();
        }
    }

    /**
     * The request itself; null where it cannot be read, or was handled and not kept. Records in it alias the frame: not
     * to be held on to.
     */
    public @Nullable ApiMessage body() {
        if (body == null && frame != null) {
            try {
                MessageReader in = new MessageReader(frame.slice());
                RequestFrames.readHeader(in);
                body = RequestFrames.readBody(in, apiKey, version());
            } catch (InvalidMessageException e) {
                return null;
            }
        }
        return body;
    }

    boolean isInHand() {
        return isInHand;
    }

    /** Lets it go to the node. */
    public void pass() {
        ByteBuf passing = frame;
        if (!isOpen() || isInHand || passing == null) {
            return;
        }
        isInHand = true;
        if (!isKept) {
            frame = null;
            body = null;
        }
        link.handle(isKept ? passing.slice() : passing);
    }

    /** Answers it, and the node never hears of it. */
    public void answer(ApiMessage response) {
        if (isOpen() && !isInHand) {
            link.finish(encoded(response));
        }
    }

    void answered(@Nullable OutboundFrame given) {
        isInHand = false;
        answer = given;
        if (link.faults().isAwake()) {
            link.faults().onAnswer(this, given);
        } else {
            send();
        }
    }

    /** The node's answer; null where it gave none, or where it cannot be read any more. */
    public @Nullable ApiMessage answerBody() {
        OutboundFrame given = answer;
        if (given == null) {
            return null;
        }
        try {
            MessageReader in = new MessageReader(bytesOf(given));
            ResponseFrames.readHeader(in, apiKey, version());
            return ResponseFrames.readBody(in, apiKey, version());
        } catch (IOException e) {
            throw new UncheckedIOException("The records of an answer to " + apiKey + " are gone", e);
        }
    }

    private static ByteBuf bytesOf(OutboundFrame frame) throws IOException {
        ByteBuf all = Unpooled.buffer(frame.sizeInBytes());
        for (OutboundFrame.Part part : frame.parts()) {
            ByteBuf bytes = part instanceof OutboundFrame.RecordBytes records
                    ? records.records().toByteBuf()
                    : ((OutboundFrame.Bytes) part).buffer();
            all.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
        }
        return all;
    }

    /** Sends the node's answer, if it gave one. */
    public void send() {
        OutboundFrame given = answer;
        answer = null;
        if (isOpen()) {
            link.finish(given);
        } else if (given != null) {
            given.release();
        }
    }

    /** Sends another answer in the place of the node's. */
    public void replace(ApiMessage response) {
        dropAnswer();
        if (isOpen()) {
            link.finish(encoded(response));
        }
    }

    /** Has the node handle it once more; it must have been {@linkplain #keep kept}. The first answer is dropped. */
    public void again() {
        dropAnswer();
        // Not from here: the node is in the middle of answering.
        loop().execute(this::pass);
    }

    /** Closes its link in good order; what the node answered is lost. */
    public void close() {
        dropAnswer();
        if (isOpen()) {
            link.close();
        }
    }

    /** Closes its link by a reset, as a process that died does. */
    public void reset() {
        dropAnswer();
        if (isOpen()) {
            link.reset();
        }
    }

    /** Leaves its link open, and dead: nothing is read or answered any more, as behind a network that lost its state. */
    public void mute() {
        dropAnswer();
        if (isOpen()) {
            link.mute();
        }
    }

    /** Closes a link that was {@linkplain #mute muted} with a reset. */
    public void resetMuted() {
        link.reset();
    }

    private void dropAnswer() {
        if (answer != null) {
            answer.release();
            answer = null;
        }
    }

    private OutboundFrame encoded(ApiMessage response) {
        return ResponseFrames.encode(apiKey, version(), header.correlationId(), response);
    }

    /** For example {@code PRODUCE v13 of orders-app to node 1}. */
    @Override
    public String toString() {
        return apiKey + " v" + version() + " of " + clientId() + " to node " + nodeId();
    }
}
