package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.message.ApiVersionsRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.MetadataRequest;
import io.tidemark.broker.protocol.message.MetadataResponse;
import io.tidemark.broker.types.Uuid;
import java.util.HexFormat;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class MessageReaderTest {
    @Test
    void readsPrimitives() {
        MessageReader in = reader("01 ff fffe fffe 80000000 80000000 8000000000000000 3ff8000000000000");

        assertThat(in.readBoolean("f")).isTrue();
        assertThat(in.readByte("f")).isEqualTo((byte) -1);
        assertThat(in.readShort("f")).isEqualTo((short) -2);
        assertThat(in.readUnsignedShort("f")).isEqualTo(65534);
        assertThat(in.readInt("f")).isEqualTo(Integer.MIN_VALUE);
        assertThat(in.readUnsignedInt("f")).isEqualTo(2147483648L);
        assertThat(in.readLong("f")).isEqualTo(Long.MIN_VALUE);
        assertThat(in.readDouble("f")).isEqualTo(1.5);
        assertThat(in.remaining()).isZero();
        assertThat(in.position()).isEqualTo(30);
    }

    @Test
    void readsVarints() {
        assertThat(reader("00").readUnsignedVarint("f")).isZero();
        assertThat(reader("8001").readUnsignedVarint("f")).isEqualTo(128);
        assertThat(reader("ffffffff07").readUnsignedVarint("f")).isEqualTo(Integer.MAX_VALUE);
        assertThat(reader("ffffffff0f").readVarint("f")).isEqualTo(Integer.MIN_VALUE);
        assertThat(reader("01").readVarint("f")).isEqualTo(-1);
        assertThat(reader("ffffffffffffffffff01").readVarlong("f")).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void refusesVarintsThatDoNotEnd() {
        assertInvalid(() -> reader("ffffffffff01").readUnsignedVarint("size"), "size", "5 bytes");
        assertInvalid(() -> reader("ffffffffffffffffffff01").readVarlong("delta"), "delta", "10 bytes");
        assertInvalid(() -> reader("ff").readUnsignedVarint("size"), "size at byte 1", "1 bytes", "0 left");
    }

    @Test
    void readsStringsAndBytes() {
        assertThat(reader("0002 6f6b").readString("f", false)).isEqualTo("ok");
        assertThat(reader("03 6f6b").readString("f", true)).isEqualTo("ok");
        assertThat(reader("ffff").readNullableString("f", false)).isNull();
        assertThat(reader("00").readNullableString("f", true)).isNull();
        assertThat(reader("00000002 0102").readBytes("f", false)).containsExactly(1, 2);
        assertThat(reader("03 0102").readBytes("f", true)).containsExactly(1, 2);
        assertThat(reader("01").readBytes("f", true)).isEmpty();
        assertThat(reader("00").readNullableBytes("f", true)).isNull();
    }

    @Test
    void readsWhatIsNoUtf8AsReplacementCharacters() {
        assertThat(reader("03 ff41").readString("f", true)).isEqualTo("\uFFFDA");
    }

    @Test
    void refusesNullWhereAValueMustBe() {
        assertInvalid(() -> reader("00").readString("topic", true), "topic", "expected a string, got null");
        assertInvalid(() -> reader("ffffffff").readBytes("key", false), "key", "expected bytes, got null");
        assertInvalid(() -> reader("00").readRecords("records", true), "records", "got null");
        assertInvalid(() -> reader("00").readArrayCount("topics", true, false, 1), "topics", "got null");
    }

    @Test
    void refusesLengthsThatTheBytesLeftCannotHold() {
        assertInvalid(() -> reader("0005 6f6b").readString("topic", false), "topic at byte 2", "5 bytes", "2 left");
        assertInvalid(() -> reader("fffe").readNullableString("topic", false), "topic", "-2");
        assertInvalid(() -> reader("7fffffff").readBytes("key", false), "key", "2147483647 bytes");
        assertInvalid(() -> reader("80000000").readNullableBytes("key", false), "key", "-2147483648");
        assertInvalid(() -> reader("ffffffff0f").readNullableBytes("key", true), "key", "-2");
    }

    @Test
    void refusesCountsThatTheBytesLeftCannotHold() {
        assertInvalid(
                () -> reader("7fffffff 0000").readArrayCount("topics", false, false, 4),
                "topics at byte 0",
                "at most 0",
                "got 2147483647");
        assertInvalid(() -> reader("00000003 00000000").readArrayCount("t", false, false, 2), "at most 2", "got 3");
        assertInvalid(() -> reader("fffffffe").readArrayCount("t", false, true, 1), "got -2");
        assertThat(reader("00000002 00000000").readArrayCount("t", false, false, 2))
                .isEqualTo(2);
    }

    @Test
    void refusesAFrameOfAFewBytesThatClaimsAHugeArray() {
        MetadataRequest request = new MetadataRequest();

        assertInvalid(() -> request.read(reader("7fffffff"), (short) 1), "MetadataRequest.topics", "2147483647");
        assertInvalid(() -> request.read(reader("ffffffff07"), (short) 12), "MetadataRequest.topics", "2147483646");
    }

    @Test
    void viewsRecordsWithoutACopy() {
        ByteBuf frame = Unpooled.wrappedBuffer(HexFormat.of().parseHex("0000000201020304"));
        MessageReader in = new MessageReader(frame);

        Records records = in.readRecords("records", false);

        frame.setByte(4, 9);
        assertThat(records).isEqualTo(new BufferRecords(Unpooled.wrappedBuffer(new byte[] {9, 2})));
        assertThat(in.remaining()).isEqualTo(2);
    }

    @Test
    void readsTheZeroIdAsTheConstant() {
        assertThat(reader("00".repeat(16)).readUuid("id")).isSameAs(Uuid.ZERO);
    }

    @Test
    void skipsUnknownTaggedFields() {
        ApiVersionsRequest request = new ApiVersionsRequest();
        // Name, version, then two tags that no version has, one of them empty.
        request.read(reader("0261 0262 02 63 03 aabbcc 64 00"), (short) 3);

        assertThat(request.clientSoftwareName()).isEqualTo("a");
        assertThat(request.clientSoftwareVersion()).isEqualTo("b");
    }

    @Test
    void skipsUnknownTaggedFieldsAmongKnownOnes() {
        FetchResponse.PartitionData partition = new FetchResponse.PartitionData();
        MessageWriter out = new MessageWriter();
        partition.write(out, (short) 12);
        ByteBuf bytes = out.toByteBuf();
        bytes.writerIndex(bytes.writerIndex() - 1);
        // Tag 1 is the current leader; 0x5 and 0x100 are not known.
        bytes.writeBytes(HexFormat.of().parseHex("03" + "0109" + "000000070000000800" + "0501ff" + "80020100"));

        FetchResponse.PartitionData read = new FetchResponse.PartitionData();
        MessageReader in = new MessageReader(bytes);
        read.read(in, (short) 12);

        assertThat(read.currentLeader().leaderId()).isEqualTo(7);
        assertThat(read.currentLeader().leaderEpoch()).isEqualTo(8);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void refusesTaggedFieldsOfAnotherSizeThanTheySay() {
        FetchResponse.PartitionData partition = new FetchResponse.PartitionData();
        MessageWriter out = new MessageWriter();
        partition.write(out, (short) 12);
        ByteBuf bytes = out.toByteBuf();
        bytes.writerIndex(bytes.writerIndex() - 1);
        bytes.writeBytes(HexFormat.of().parseHex("01" + "010a" + "000000070000000800ff"));

        assertInvalid(
                () -> new FetchResponse.PartitionData().read(new MessageReader(bytes), (short) 12),
                "FetchResponse.PartitionData.currentLeader",
                "to end at byte");
    }

    @Test
    void refusesMoreTaggedFieldsThanFit() {
        assertInvalid(() -> reader("ffffffff07").skipTaggedFields("FetchRequest"), "FetchRequest", "at most 0");
        assertInvalid(() -> reader("01 05 7f 00").skipTaggedFields("FetchRequest"), "FetchRequest", "127 bytes");
    }

    @Test
    void refusesVersionsThatAMessageDoesNotHave() {
        assertInvalid(
                () -> new MetadataResponse().read(reader("00"), (short) 99),
                "MetadataResponse has no version 99",
                "0-13");
    }

    private static MessageReader reader(String hex) {
        return new MessageReader(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    private static void assertInvalid(ThrowingCallable read, String... parts) {
        assertThatThrownBy(read).isInstanceOf(InvalidMessageException.class).hasMessageContainingAll(parts);
    }
}
