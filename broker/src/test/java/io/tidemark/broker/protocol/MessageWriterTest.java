package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.MetadataRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageWriterTest {
    /** Stands for records in a file: it cannot be told from one that is, and is not copied into the buffer. */
    private static final class FileRecords implements Records {
        private final byte[] bytes;

        FileRecords(int... bytes) {
            this.bytes = new byte[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                this.bytes[i] = (byte) bytes[i];
            }
        }

        @Override
        public int sizeInBytes() {
            return bytes.length;
        }

        @Override
        public long transferTo(WritableByteChannel target, long position, long count) throws IOException {
            return target.write(Unpooled.wrappedBuffer(bytes).nioBuffer((int) position, (int) count));
        }

        @Override
        public ByteBuf toByteBuf() {
            return Unpooled.wrappedBuffer(bytes);
        }
    }

    @Test
    void splitsTheFrameAroundRecordsInFiles() throws IOException {
        Records first = new FileRecords(1, 2, 3);
        Records second = new FileRecords(4, 5);
        FetchResponse inFiles = response(first, second);
        FetchResponse inMemory = response(
                new BufferRecords(Unpooled.wrappedBuffer(new byte[] {1, 2, 3})),
                new BufferRecords(Unpooled.wrappedBuffer(new byte[] {4, 5})));
        byte[] expected = write(inMemory);

        MessageWriter out = new MessageWriter();
        inFiles.write(out, (short) 17);
        assertThat(out.sizeInBytes()).isEqualTo(expected.length);
        OutboundFrame frame = out.toFrame();

        assertThat(frame.sizeInBytes()).isEqualTo(expected.length);
        assertThat(frame.parts()).hasSize(5);
        assertThat(frame.parts()).contains(new OutboundFrame.RecordBytes(first), new OutboundFrame.RecordBytes(second));
        assertThat(send(frame)).isEqualTo(expected);
        assertThat(write(inFiles)).isEqualTo(expected);
        frame.release();
    }

    @Test
    void ownsEachBufferOnce() {
        ByteBuf buffer = Unpooled.buffer();
        MessageWriter out = new MessageWriter(buffer);
        response(new FileRecords(1), new FileRecords(2)).write(out, (short) 12);

        out.toFrame().release();

        assertThat(buffer.refCnt()).isZero();
    }

    @Test
    void writesLongTaggedFieldsOnAnyBuffer() {
        FetchRequest request = new FetchRequest().setClusterId("c".repeat(20_000));
        ByteBuf direct = UnpooledByteBufAllocator.DEFAULT.directBuffer(16);
        MessageWriter toDirect = new MessageWriter(direct);

        request.write(toDirect, (short) 17);

        FetchRequest read = new FetchRequest();
        read.read(new MessageReader(Unpooled.wrappedBuffer(toDirect.toByteArray())), (short) 17);
        assertThat(read).isEqualTo(request);
        MessageWriter toHeap = new MessageWriter();
        request.write(toHeap, (short) 17);
        read.read(new MessageReader(Unpooled.wrappedBuffer(toHeap.toByteArray())), (short) 17);
        assertThat(read).isEqualTo(request);
    }

    @Test
    void refusesAValueThatTheVersionWouldLose() {
        MetadataRequest request = new MetadataRequest().setAllowAutoTopicCreation(false);

        assertThatThrownBy(() -> request.write(new MessageWriter(), (short) 3))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContainingAll("MetadataRequest.allowAutoTopicCreation", "version 3", "4-13");
    }

    @Test
    void dropsAnIgnorableValueThatTheVersionDoesNotHave() {
        FetchResponse response = new FetchResponse().setErrorCode((short) 3);

        MessageWriter out = new MessageWriter();
        response.write(out, (short) 4);

        assertThat(out.sizeInBytes()).isEqualTo(8);
    }

    @Test
    void refusesNullInAVersionThatDoesNotAllowIt() {
        assertThatThrownBy(() -> new MetadataRequest().setTopics(null).write(new MessageWriter(), (short) 0))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("MetadataRequest.topics is null");
    }

    @Test
    void refusesStringsThatKafkaCannotFrame() {
        MessageWriter out = new MessageWriter();

        assertThatThrownBy(() -> out.writeString("topic", "x".repeat(32_768), true, false))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContainingAll("topic", "32768", "32767");
    }

    @Test
    void refusesNumbersOutOfTheirRange() {
        MessageWriter out = new MessageWriter();

        assertThatThrownBy(() -> out.writeUnsignedShort("port", 65_536)).hasMessageContaining("port is 65536");
        assertThatThrownBy(() -> out.writeUnsignedShort("port", -1)).hasMessageContaining("port is -1");
        assertThatThrownBy(() -> out.writeUnsignedInt("size", 1L << 32)).hasMessageContaining("size is 4294967296");
    }

    @Test
    void refusesVersionsThatAMessageDoesNotHave() {
        assertThatThrownBy(() -> new FetchRequest().write(new MessageWriter(), (short) 3))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContainingAll("FetchRequest has no version 3", "4-18");
    }

    private static FetchResponse response(Records first, Records second) {
        return new FetchResponse()
                .setResponses(List.of(new FetchResponse.FetchableTopicResponse()
                        .setPartitions(List.of(
                                new FetchResponse.PartitionData()
                                        .setPartitionIndex(0)
                                        .setRecords(first),
                                new FetchResponse.PartitionData()
                                        .setPartitionIndex(1)
                                        .setRecords(second)))));
    }

    private static byte[] write(FetchResponse response) {
        MessageWriter out = new MessageWriter();
        response.write(out, (short) 17);
        return out.toByteArray();
    }

    private static byte[] send(OutboundFrame frame) throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        for (OutboundFrame.Part part : frame.parts()) {
            if (part instanceof OutboundFrame.RecordBytes records) {
                records.records().transferTo(Channels.newChannel(sent), 0, part.sizeInBytes());
            } else if (part instanceof OutboundFrame.Bytes bytes) {
                bytes.buffer().getBytes(bytes.buffer().readerIndex(), sent, part.sizeInBytes());
            }
        }
        return sent.toByteArray();
    }
}
