package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import org.junit.jupiter.api.Test;

class BufferRecordsTest {
    private final ByteBuf frame =
            Unpooled.wrappedBuffer(new byte[] {0, 1, 2, 3, 4}).skipBytes(1);
    private final BufferRecords records = new BufferRecords(frame);

    @Test
    void viewsTheReadableBytes() {
        assertThat(records.sizeInBytes()).isEqualTo(4);
        assertThat(records).isEqualTo(new BufferRecords(Unpooled.wrappedBuffer(new byte[] {1, 2, 3, 4})));
        assertThat(frame.readerIndex()).isEqualTo(1);
    }

    @Test
    void movesWhatIsAskedAndWhatIsThere() throws IOException {
        ByteArrayOutputStream sent = new ByteArrayOutputStream();

        long some = records.transferTo(Channels.newChannel(sent), 1, 2);
        long rest = records.transferTo(Channels.newChannel(sent), 3, 100);
        long none = records.transferTo(Channels.newChannel(sent), 4, 100);

        assertThat(sent.toByteArray()).containsExactly(2, 3, 4);
        assertThat(some).isEqualTo(2);
        assertThat(rest).isEqualTo(1);
        assertThat(none).isZero();
    }

    @Test
    void keepsItsPlaceWhileReadersMove() {
        records.toByteBuf().skipBytes(4);

        assertThat(records.toByteBuf().readableBytes()).isEqualTo(4);
    }
}
