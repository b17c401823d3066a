package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.ApiVersionsResponse;
import io.tidemark.broker.protocol.message.MetadataRequest;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.api.Test;

class FramesTest {
    @Test
    void writesHeadersThatKafkaReads() {
        for (ApiKey apiKey : ApiKey.values()) {
            for (short version = apiKey.minVersion(); version <= apiKey.maxVersion(); version++) {
                ByteBuf frame = bytes(RequestFrames.encode(apiKey, version, 77, "client", apiKey.newRequest()));

                RequestHeader header = RequestHeader.parse(frame.nioBuffer());

                assertThat(header.apiKey()).isEqualTo(ApiKeys.forId(apiKey.id()));
                assertThat(header.apiVersion()).isEqualTo(version);
                assertThat(header.correlationId()).isEqualTo(77);
                assertThat(header.clientId()).isEqualTo("client");
            }
        }
    }

    @Test
    void readsHeadersThatKafkaWrites() {
        for (ApiKeys apiKey : ApiKeys.values()) {
            if (!apiKey.hasValidVersion()) {
                continue;
            }
            for (short version : apiKey.allVersions()) {
                ByteBuffer bytes = kafkaHeader(new RequestHeader(apiKey, version, null, 5));
                MessageReader in = new MessageReader(Unpooled.wrappedBuffer(bytes));

                io.tidemark.broker.protocol.message.RequestHeader header = RequestFrames.readHeader(in);

                assertThat(header.requestApiKey()).isEqualTo(apiKey.id);
                assertThat(header.requestApiVersion()).isEqualTo(version);
                assertThat(header.correlationId()).isEqualTo(5);
                assertThat(header.clientId()).isNull();
                assertThat(in.remaining()).isZero();
            }
        }
    }

    @Test
    void answersApiVersionsUnderAHeaderThatEveryClientReads() {
        OutboundFrame frame = ResponseFrames.encode(
                ApiKey.API_VERSIONS, (short) 4, 9, new ApiVersionsResponse().setThrottleTimeMs(1));

        MessageReader in = new MessageReader(bytes(frame));
        assertThat(ResponseFrames.readHeader(in, ApiKey.API_VERSIONS, (short) 4).correlationId())
                .isEqualTo(9);
        assertThat(in.position()).isEqualTo(4);
        assertThat(ResponseFrames.readBody(in, ApiKey.API_VERSIONS, (short) 4))
                .isEqualTo(new ApiVersionsResponse().setThrottleTimeMs(1));
    }

    @Test
    void readsTheHeaderOfAVersionThatIsYetToCome() {
        MessageWriter out = new MessageWriter();
        new io.tidemark.broker.protocol.message.RequestHeader()
                .setRequestApiKey(ApiKey.API_VERSIONS.id())
                .setRequestApiVersion((short) 99)
                .setCorrelationId(3)
                .write(out, (short) 2);
        MessageReader in = new MessageReader(out.toByteBuf());

        io.tidemark.broker.protocol.message.RequestHeader header = RequestFrames.readHeader(in);

        assertThat(header.correlationId()).isEqualTo(3);
        assertThatThrownBy(() -> RequestFrames.readBody(in, ApiKey.API_VERSIONS, header.requestApiVersion()))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("ApiVersionsRequest has no version 99");
    }

    @Test
    void readsBackWhatItWrites() {
        ApiVersionsRequest request =
                new ApiVersionsRequest().setClientSoftwareName("tool").setClientSoftwareVersion("1");
        ByteBuf frame = bytes(RequestFrames.encode(ApiKey.API_VERSIONS, (short) 3, 1, null, request));
        assertThat(RequestFrames.apiKey(frame)).isEqualTo(ApiKey.API_VERSIONS);
        MessageReader in = new MessageReader(frame);
        RequestFrames.readHeader(in);

        assertThat(RequestFrames.readBody(in, ApiKey.API_VERSIONS, (short) 3)).isEqualTo(request);
    }

    @Test
    void refusesAnApiThatDoesNotExist() {
        ByteBuf frame =
                Unpooled.buffer().writeShort(1000).writeShort(0).writeInt(1).writeShort(-1);

        assertThat(RequestFrames.apiKey(frame)).isNull();
        assertThatThrownBy(() -> RequestFrames.readHeader(new MessageReader(frame)))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContainingAll("requestApiKey", "1000");
    }

    @Test
    void refusesAFrameThatIsShorterThanAHeader() {
        for (int length = 0; length < 8; length++) {
            ByteBuf frame =
                    Unpooled.buffer().writeShort(3).writeShort(1).writeInt(1).slice(0, length);

            assertThatThrownBy(() -> RequestFrames.readHeader(new MessageReader(frame)))
                    .isInstanceOf(InvalidMessageException.class);
        }
    }

    @Test
    void saysWhichRequestCouldNotBeWritten() {
        MetadataRequest request = new MetadataRequest().setTopics(null);

        assertThatThrownBy(() -> RequestFrames.encode(ApiKey.METADATA, (short) 0, 1, null, request))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("MetadataRequest.topics");
    }

    private static ByteBuffer kafkaHeader(RequestHeader header) {
        return MessageUtil.toByteBufferAccessor(header.data(), header.headerVersion())
                .buffer();
    }

    private static ByteBuf bytes(OutboundFrame frame) {
        assertThat(frame.parts()).hasSize(1);
        return ((OutboundFrame.Bytes) frame.parts().get(0)).buffer();
    }
}
