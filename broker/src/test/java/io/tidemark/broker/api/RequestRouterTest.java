package io.tidemark.broker.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.MessageWriter;
import io.tidemark.broker.protocol.OutboundFrame;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.ApiVersionsResponse;
import io.tidemark.broker.protocol.message.HeartbeatRequest;
import io.tidemark.broker.protocol.message.HeartbeatResponse;
import io.tidemark.broker.protocol.message.MetadataRequest;
import io.tidemark.broker.transport.Network.Link;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestRouterTest {
    private final RecordingLink link = new RecordingLink();
    private final List<RequestContext> heartbeats = new ArrayList<>();
    private final RequestRouter router =
            new RequestRouter().add(new HeldHeartbeats()).add(new AnsweredApiVersions());

    @Test
    void answersUnderTheCorrelationIdOfTheRequest() {
        send(ApiKey.HEARTBEAT, 4, 77, new HeartbeatRequest().setGroupId("g"));

        heartbeats.get(0).respond(new HeartbeatResponse().setErrorCode((short) 27));

        MessageReader in = new MessageReader(link.sentFrame());
        assertThat(ResponseFrames.readHeader(in, ApiKey.HEARTBEAT, (short) 4).correlationId())
                .isEqualTo(77);
        assertThat(ResponseFrames.readBody(in, ApiKey.HEARTBEAT, (short) 4))
                .isEqualTo(new HeartbeatResponse().setErrorCode((short) 27));
    }

    @Test
    void readsNothingMoreFromALinkUntilItsRequestIsAnswered() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest());
        assertThat(link.readable).isFalse();

        heartbeats.get(0).respond(new HeartbeatResponse());

        assertThat(link.readable).isTrue();
    }

    @Test
    void readsOnAfterARequestThatGetsNoAnswer() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest());

        heartbeats.get(0).respondNothing();

        assertThat(link.readable).isTrue();
        assertThat(link.sent).isEmpty();
    }

    @Test
    void readsNoLinkBeforeItServes() {
        router.onOpen(link);
        assertThat(link.readable).isFalse();

        router.serve();

        assertThat(link.readable).isTrue();
    }

    @Test
    void tellsTheHandlerWhoAsksAndHow() {
        send(ApiKey.HEARTBEAT, 3, 5, new HeartbeatRequest());

        RequestContext context = heartbeats.get(0);
        assertThat(context.apiVersion()).isEqualTo((short) 3);
        assertThat(context.correlationId()).isEqualTo(5);
        assertThat(context.clientId()).isEqualTo("client");
        assertThat(context.listenerName()).isEqualTo("FAKE");
    }

    @Test
    void refusesASecondAnswer() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest());
        heartbeats.get(0).respond(new HeartbeatResponse());

        assertThatThrownBy(() -> heartbeats.get(0).respondNothing()).hasMessageContaining("answered twice");
    }

    @Test
    void dropsTheAnswerToAClosedLink() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest());
        link.close();
        router.onClosed(link, null);

        heartbeats.get(0).respond(new HeartbeatResponse());

        assertThat(link.sent).isEmpty();
    }

    @Test
    void answersApiVersionsAboveItsMaximumInTheShapeOfVersionZero() {
        ByteBuf frame = Unpooled.buffer()
                .writeShort(ApiKey.API_VERSIONS.id())
                .writeShort(99)
                .writeInt(5)
                .writeBytes(new byte[] {1, 2, 3, 4, 5});

        router.onFrame(link, frame);

        MessageReader in = new MessageReader(link.sentFrame());
        assertThat(ResponseFrames.readHeader(in, ApiKey.API_VERSIONS, (short) 0).correlationId())
                .isEqualTo(5);
        ApiVersionsResponse response =
                (ApiVersionsResponse) ResponseFrames.readBody(in, ApiKey.API_VERSIONS, (short) 0);
        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNSUPPORTED_VERSION.code());
        assertThat(link.isOpen()).isTrue();
        assertThat(link.readable).isTrue();
    }

    @Test
    void closesALinkThatAsksForAnUnknownApi() {
        router.onFrame(link, Unpooled.buffer().writeShort(999).writeShort(0).writeInt(1));

        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void closesALinkThatAsksForAnApiThatIsNotServed() {
        send(ApiKey.METADATA, 9, 1, new MetadataRequest());

        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void closesALinkThatAsksForAVersionThatIsNotServed() {
        router.onFrame(
                link,
                Unpooled.buffer()
                        .writeShort(ApiKey.HEARTBEAT.id())
                        .writeShort(42)
                        .writeInt(1));

        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void closesALinkWhoseRequestIsCutShort() {
        ByteBuf whole = encode(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest().setGroupId("some group"));
        for (int length = 0; length < whole.readableBytes(); length++) {
            RecordingLink fresh = new RecordingLink();

            router.onFrame(fresh, whole.slice(0, length));

            assertThat(fresh.isOpen()).as("after %s bytes", length).isFalse();
        }
        assertThat(heartbeats).isEmpty();
    }

    @Test
    void answersARequestWhoseHandlerThrowsAndGoesOn() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest().setGroupId("throw"));

        MessageReader in = new MessageReader(link.sentFrame());
        ResponseFrames.readHeader(in, ApiKey.HEARTBEAT, (short) 4);
        HeartbeatResponse response = (HeartbeatResponse) ResponseFrames.readBody(in, ApiKey.HEARTBEAT, (short) 4);
        assertThat(response.errorCode()).isEqualTo(ErrorCode.UNKNOWN_SERVER_ERROR.code());
        assertThat(link.readable).isTrue();
    }

    @Test
    void closesALinkWhoseAnswerCannotBeWritten() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest());

        heartbeats.get(0).respond(new Unwritable());

        assertThat(link.isOpen()).isFalse();
        assertThat(link.sent).isEmpty();
    }

    @Test
    void closesTheConnectionForAHandlerThatWantsIt() {
        send(ApiKey.HEARTBEAT, 4, 1, new HeartbeatRequest());

        heartbeats.get(0).closeConnection();

        assertThat(link.isOpen()).isFalse();
    }

    @Test
    void servesARequestFromWithinTheProcess() {
        List<ApiMessage> answers = new ArrayList<>();

        router.call(new HeartbeatRequest(), "PLAINTEXT", answers::add);
        heartbeats.get(0).respond(new HeartbeatResponse());

        assertThat(heartbeats.get(0).apiVersion()).isEqualTo(ApiKey.HEARTBEAT.maxStableVersion());
        assertThat(heartbeats.get(0).listenerName()).isEqualTo("PLAINTEXT");
        assertThat(answers).containsExactly(new HeartbeatResponse());
    }

    @Test
    void refusesARequestFromWithinTheProcessThatIsNotServed() {
        assertThatThrownBy(() -> router.call(new MetadataRequest(), "PLAINTEXT", answer -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[METADATA]");
    }

    private void send(ApiKey apiKey, int version, int correlationId, ApiMessage request) {
        router.onFrame(link, encode(apiKey, version, correlationId, request));
    }

    private static ByteBuf encode(ApiKey apiKey, int version, int correlationId, ApiMessage request) {
        return join(RequestFrames.encode(apiKey, (short) version, correlationId, "client", request));
    }

    private static ByteBuf join(OutboundFrame frame) {
        ByteBuf whole = Unpooled.buffer();
        for (OutboundFrame.Part part : frame.parts()) {
            if (part instanceof OutboundFrame.Bytes bytes) {
                whole.writeBytes(bytes.buffer());
            } else if (part instanceof OutboundFrame.RecordBytes records) {
                try {
                    whole.writeBytes(records.records().toByteBuf());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return whole;
    }

    private static final class Unwritable implements ApiMessage {
        @Override
        public short apiKey() {
            return ApiKey.HEARTBEAT.id();
        }

        @Override
        public short lowestSupportedVersion() {
            return 0;
        }

        @Override
        public short highestSupportedVersion() {
            return 0;
        }

        @Override
        public void read(MessageReader in, short version) {}

        @Override
        public void write(MessageWriter out, short version) {
            throw new IllegalStateException("on purpose");
        }
    }

    /** Keeps the requests for the test to answer. */
    private final class HeldHeartbeats implements ApiHandler<HeartbeatRequest> {
        @Override
        public ApiKey apiKey() {
            return ApiKey.HEARTBEAT;
        }

        @Override
        public void handle(RequestContext context, HeartbeatRequest request) {
            if (request.groupId().equals("throw")) {
                throw new IllegalStateException("on purpose");
            }
            heartbeats.add(context);
        }

        @Override
        public ApiMessage errorResponse(HeartbeatRequest request, short version, ErrorCode error) {
            return new HeartbeatResponse().setErrorCode(error.code());
        }
    }

    private static final class AnsweredApiVersions implements ApiHandler<ApiVersionsRequest> {
        @Override
        public ApiKey apiKey() {
            return ApiKey.API_VERSIONS;
        }

        @Override
        public void handle(RequestContext context, ApiVersionsRequest request) {
            context.respond(new ApiVersionsResponse());
        }

        @Override
        public ApiMessage errorResponse(ApiVersionsRequest request, short version, ErrorCode error) {
            return new ApiVersionsResponse().setErrorCode(error.code());
        }
    }

    private static final class RecordingLink implements Link {
        final List<OutboundFrame> sent = new ArrayList<>();
        boolean readable = true;
        private boolean open = true;

        ByteBuf sentFrame() {
            assertThat(sent).hasSize(1);
            return join(sent.get(0));
        }

        @Override
        public void send(OutboundFrame frame) {
            sent.add(frame);
        }

        @Override
        public void readable(boolean wanted) {
            readable = wanted;
        }

        @Override
        public void close() {
            open = false;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public String listenerName() {
            return "FAKE";
        }

        @Override
        public InetSocketAddress remoteAddress() {
            return null;
        }
    }
}
