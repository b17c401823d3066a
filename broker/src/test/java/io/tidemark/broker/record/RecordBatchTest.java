package io.tidemark.broker.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordBatchTest {
    private static final long NOW = 1_700_000_000_000L;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ByteBuf twoOrders() {
        return new RecordBatchBuilder()
                .producer(4001, (short) 0, 0)
                .add(NOW, bytes("order-1"), bytes("{\"amt\":10,\"id\":1}"))
                .add(NOW, bytes("order-2"), bytes("{\"amt\":20,\"id\":2}"))
                .build();
    }

    @Test
    void twoRecordsOfSevenAndSeventeenBytesMake123Bytes() {
        ByteBuf batch = twoOrders();

        assertThat(batch.readableBytes()).isEqualTo(123);
        assertThat(ByteBufUtil.hexDump(batch))
                .isEqualTo(
                        "0000000000000000" // base offset
                                + "0000006f" // length: 111
                                + "ffffffff" // leader epoch
                                + "02" // magic
                                + ByteBufUtil.hexDump(batch, 17, 4) // checksum, see below
                                + "0000" // attributes
                                + "00000001" // last offset delta
                                + "0000018bcfe56800" // base timestamp
                                + "0000018bcfe56800" // max timestamp
                                + "0000000000000fa1" // producer id
                                + "0000" // producer epoch
                                + "00000000" // base sequence
                                + "00000002" // count
                                + "3c00000" + "00e6f726465722d31227b22616d74223a31302c226964223a317d00"
                                + "3c00000" + "20e6f726465722d32227b22616d74223a32302c226964223a327d00");
        assertThat(new RecordBatch(batch, 0).isValid()).isTrue();
    }

    @Test
    void kafkaReadsWhatTheBuilderWrote() {
        MemoryRecords records = MemoryRecords.readableRecords(twoOrders().nioBuffer());

        MutableRecordBatch batch = records.batches().iterator().next();
        batch.ensureValid();
        assertThat(batch.producerId()).isEqualTo(4001);
        assertThat(batch.lastSequence()).isEqualTo(1);
        List<String> read = new ArrayList<>();
        batch.forEach(record -> read.add(
                StandardCharsets.UTF_8.decode(record.key()) + "=" + StandardCharsets.UTF_8.decode(record.value())));
        assertThat(read).containsExactly("order-1={\"amt\":10,\"id\":1}", "order-2={\"amt\":20,\"id\":2}");
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void readsWhatKafkaWroteInEachCompression(CompressionType type) {
        MemoryRecords records = MemoryRecords.withRecords(
                Compression.of(type.typeName()).build(),
                new SimpleRecord(NOW, bytes("k1"), bytes("v1".repeat(500)), new RecordHeader[] {
                    new RecordHeader("h", bytes("x")), new RecordHeader("none", null)
                }),
                new SimpleRecord(NOW + 5, (byte[]) null, null));

        RecordBatch batch = new RecordBatch(Unpooled.wrappedBuffer(records.buffer()), 0);

        assertThat(batch.isValid()).isTrue();
        assertThat(batch.compressionType()).isEqualTo(type);
        List<LogRecord> read = new ArrayList<>();
        batch.records().forEach(read::add);
        assertThat(read).hasSize(2);
        assertThat(read.get(0).value()).isEqualTo(Unpooled.wrappedBuffer(bytes("v1".repeat(500))));
        assertThat(read.get(0).headers()).extracting(LogRecord.Header::key).containsExactly("h", "none");
        assertThat(read.get(1).key()).isNull();
        assertThat(read.get(1).value()).isNull();
        assertThat(read.get(1).offset()).isEqualTo(1);
        assertThat(read.get(1).timestamp()).isEqualTo(NOW + 5);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void kafkaReadsEachCompression(CompressionType type) {
        ByteBuf batch = new RecordBatchBuilder()
                .compression(type)
                .add(NOW, bytes("k"), bytes("value".repeat(2000)))
                .build();

        MemoryRecords records = MemoryRecords.readableRecords(batch.nioBuffer());

        assertThat(records.records()).singleElement().satisfies(record -> assertThat(record.value())
                .isEqualTo(ByteBuffer.wrap(bytes("value".repeat(2000)))));
    }

    @Test
    void stampingOffsetAndEpochLeavesTheChecksumAlone() {
        RecordBatch batch = new RecordBatch(twoOrders(), 0);
        int crc = batch.crc();

        batch.stamp(1234, 7);

        assertThat(batch.isValid()).isTrue();
        assertThat(batch.crc()).isEqualTo(crc);
        assertThat(batch.lastOffset()).isEqualTo(1235);
        assertThat(batch.partitionLeaderEpoch()).isEqualTo(7);
    }

    @Test
    void logAppendTimeBecomesTheTimestampOfEveryRecord() {
        RecordBatch batch = new RecordBatch(twoOrders(), 0);

        batch.stampLogAppendTime(NOW + 1000);

        assertThat(batch.isValid()).isTrue();
        assertThat(batch.records()).extracting(LogRecord::timestamp).containsOnly(NOW + 1000);
    }

    @Test
    void kafkaReadsAnEndTransactionMarker() {
        ByteBuf marker = RecordBatchBuilder.endTransactionMarker(NOW, 4001, (short) 3, true, 9);

        MutableRecordBatch batch = MemoryRecords.readableRecords(marker.nioBuffer())
                .batches()
                .iterator()
                .next();
        assertThat(batch.isControlBatch()).isTrue();
        assertThat(batch.isTransactional()).isTrue();
        assertThat(EndTransactionMarker.of(new RecordBatch(marker, 0))).isEqualTo(new EndTransactionMarker(true, 9));
        assertThat(org.apache.kafka.common.record.internal.EndTransactionMarker.deserialize(
                                batch.iterator().next())
                        .coordinatorEpoch())
                .isEqualTo(9);
    }

    @Test
    void aCutOffBatchAtTheEndIsLeftOut() {
        ByteBuf both = Unpooled.wrappedBuffer(twoOrders(), twoOrders().slice(0, 100));

        assertThat(RecordBatches.of(both)).hasSize(1);
        assertThat(RecordBatches.of(both).validBytes()).isEqualTo(123);
    }

    @Test
    void aBatchOfAnotherMagicOrAnImpossibleLengthIsRefused() {
        ByteBuf magic = twoOrders().setByte(16, 1);
        ByteBuf length = twoOrders().setInt(8, -5);

        assertThatThrownBy(() -> RecordBatches.of(magic).iterator().hasNext())
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("magic 1");
        assertThatThrownBy(() -> RecordBatches.of(length).iterator().hasNext())
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("length -5");
    }

    @Test
    void noSingleWrongByteMakesTheIterationHangOrAllocate() {
        ByteBuf original = twoOrders();
        for (int i = RecordBatch.HEADER_BYTES; i < original.readableBytes(); i++) {
            for (int value : new int[] {0, 1, 0x7f, 0x80, 0xfe, 0xff}) {
                RecordBatch damaged = new RecordBatch(original.copy().setByte(i, value), 0);
                try {
                    damaged.records().forEach(record -> assertThat(record).isNotNull());
                } catch (CorruptBatchException e) {
                    assertThat(e).hasMessageContaining("ecord");
                }
            }
        }
    }

    @Test
    void sequencesStartAgainAfterTheLargest() {
        assertThat(Sequences.add(Integer.MAX_VALUE, 1)).isZero();
        assertThat(Sequences.follows(Integer.MAX_VALUE, 0)).isTrue();
        assertThat(Sequences.follows(4, 6)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
    void fewBytesThatWouldFillTheMemoryAreRefused(CompressionType type) {
        ByteBuf bomb = Codec.compress(type, Unpooled.wrappedBuffer(new byte[4_000_000]));

        assertThat(bomb.readableBytes()).isLessThan(250_000);
        assertThat(Codec.decompress(type, bomb.duplicate(), 4_000_000).readableBytes())
                .isEqualTo(4_000_000);
        assertThatThrownBy(() -> Codec.decompress(type, bomb.duplicate(), 3_000_000))
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("3000000");
    }

    @Test
    void aBlockOfSnappyThatClaimsMoreThanItCanHoldIsRefusedBeforeThereIsRoomForIt() {
        ByteBuf framed = Codec.compress(CompressionType.SNAPPY, Unpooled.wrappedBuffer(new byte[100]));
        framed.setInt(20, 0xffffff07);
        ByteBuf bare = Unpooled.wrappedBuffer(new byte[] {-1, -1, -1, -1, 7, 0, 0});

        for (ByteBuf claim : List.of(framed, bare)) {
            assertThatThrownBy(() -> Codec.decompress(CompressionType.SNAPPY, claim))
                    .isInstanceOf(CorruptBatchException.class)
                    .hasMessageContaining("claims to hold");
        }
    }

    @Test
    void absurdCountsOfRecordsCostNothing() {
        ByteBuf batch = new RecordBatchBuilder().add(1, null, null).build();
        batch.setInt(RecordBatch.RECORD_COUNT, Integer.MAX_VALUE);

        assertThatThrownBy(() -> new RecordBatch(batch, 0).records().forEach(record -> {}))
                .isInstanceOf(CorruptBatchException.class);
    }
}
