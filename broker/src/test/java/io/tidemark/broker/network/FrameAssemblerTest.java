package io.tidemark.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameAssemblerTest {
    private static final int LIMIT = 1_000;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
    private final FrameAssembler frames = new FrameAssembler(allocator, LIMIT);

    @Test
    void putsAFrameTogetherFromSingleBytes() throws Exception {
        ByteBuf whole = frame("hello");
        while (whole.isReadable()) {
            assertThat(frames.next()).isNull();
            frames.add(Unpooled.buffer(1).writeByte(whole.readByte()));
        }

        assertThat(text(frames.next())).isEqualTo("hello");
        assertThat(frames.next()).isNull();
    }

    @Test
    void findsEveryFrameOfOneRead() throws Exception {
        frames.add(
                Unpooled.wrappedBuffer(frame("one"), frame(""), frame("three"), Unpooled.wrappedBuffer(new byte[2])));

        assertThat(text(frames.next())).isEqualTo("one");
        assertThat(text(frames.next())).isEmpty();
        assertThat(text(frames.next())).isEqualTo("three");
        assertThat(frames.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, LIMIT + 1, Integer.MAX_VALUE, 0x47455420})
    void refusesALengthThatIsNegativeOrAboveTheLimit(int length) {
        frames.add(Unpooled.buffer().writeInt(length));

        assertThatThrownBy(frames::next)
                .isInstanceOf(MalformedFrameException.class)
                .hasMessageContaining("[" + length + "]")
                .hasMessageContaining("0 to " + LIMIT);
    }

    @Test
    void allocatesNothingForBytesThatHaveNotCome() throws Exception {
        frames.add(allocator.buffer(4).writeInt(LIMIT));

        assertThat(frames.next()).isNull();
        assertThat(allocator.metric().usedHeapMemory()).isLessThan(LIMIT);
    }

    @Test
    void leavesAFrameThatSomebodyKeepsUntouchedByWhatComesAfterIt() throws Exception {
        frames.add(Unpooled.copiedBuffer(frame("kept"), Unpooled.wrappedBuffer(new byte[] {0, 0})));
        ByteBuf kept = frames.next();
        ByteBuf rest = frame("x".repeat(600));
        rest.skipBytes(2);

        frames.add(rest);

        assertThat(text(frames.next())).hasSize(600);
        assertThat(text(kept)).isEqualTo("kept");
    }

    @Test
    void givesBackEveryBuffer() throws Exception {
        for (int i = 0; i < 50; i++) {
            ByteBuf bytes = frame("x".repeat(i * 7));
            ByteBuf first = allocator.buffer().writeBytes(bytes, bytes.readableBytes() / 2);
            frames.add(first);
            ByteBuf early = frames.next();
            frames.add(allocator.buffer().writeBytes(bytes));
            ByteBuf late = frames.next();
            release(early);
            release(late);
        }
        frames.add(allocator.buffer().writeInt(5));

        frames.release();

        assertThat(allocator.metric().usedHeapMemory()).isZero();
    }

    private static void release(ByteBuf frame) {
        if (frame != null) {
            frame.release();
        }
    }

    private static ByteBuf frame(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Unpooled.buffer().writeInt(bytes.length).writeBytes(bytes);
    }

    private static String text(ByteBuf frame) {
        return frame.toString(StandardCharsets.UTF_8);
    }
}
