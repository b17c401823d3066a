package io.tidemark.broker.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.ProduceValidator.Rules;
import io.tidemark.broker.record.RecordsRejectedException.RecordError;
import io.tidemark.broker.types.TopicPartition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProduceValidatorTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final long HOUR_MS = 3_600_000;
    private static final Rules PLAIN = new Rules(1000, 5000, false, TimestampType.CREATE_TIME, Long.MAX_VALUE, HOUR_MS);
    private static final Rules COMPACTED =
            new Rules(1000, 5000, true, TimestampType.CREATE_TIME, Long.MAX_VALUE, HOUR_MS);
    private static final Rules APPEND_TIME =
            new Rules(1000, 5000, false, TimestampType.LOG_APPEND_TIME, Long.MAX_VALUE, HOUR_MS);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static RecordBatchBuilder builder() {
        return new RecordBatchBuilder();
    }

    private static List<RecordBatch> validate(Rules rules, ByteBuf batches) {
        return new ProduceValidator(new TopicPartition("orders", 3), rules).validate(batches, AppendOrigin.CLIENT, NOW);
    }

    private static RecordsRejectedException rejected(Rules rules, ByteBuf batches) {
        try {
            validate(rules, batches);
        } catch (RecordsRejectedException e) {
            assertThat(e).hasMessageContaining("orders-3");
            return e;
        }
        throw new AssertionError("The batch was not rejected");
    }

    private static void assertRejected(ErrorCode code, ByteBuf batches) {
        assertThat(rejected(PLAIN, batches).errorCode()).isEqualTo(code);
    }

    /** A batch with its bytes changed, and its checksum made right again. */
    private static ByteBuf altered(ByteBuf batch, Consumer<ByteBuf> change) {
        change.accept(batch);
        return batch.setInt(RecordBatch.CRC, new RecordBatch(batch, 0).computeCrc());
    }

    private static ByteBuf twoRecords() {
        return builder()
                .add(NOW, bytes("a"), bytes("1"))
                .add(NOW, bytes("b"), bytes("2"))
                .build();
    }

    @Test
    void leavesAGoodBatchAsItIs() {
        ByteBuf batch = twoRecords();
        ByteBuf before = batch.copy();

        assertThat(validate(PLAIN, batch)).hasSize(1);
        assertThat(batch).isEqualTo(before);
    }

    @Test
    void aWrongChecksumIsACorruptMessage() {
        ByteBuf batch = twoRecords();
        assertRejected(ErrorCode.CORRUPT_MESSAGE, batch.setByte(batch.writerIndex() - 2, 'x'));
    }

    @Test
    void aBatchLargerThanAllowedIsTooLarge() {
        RecordsRejectedException e =
                rejected(PLAIN, builder().add(NOW, null, new byte[1000]).build());
        assertThat(e.errorCode()).isEqualTo(ErrorCode.MESSAGE_TOO_LARGE);
        assertThat(e).hasMessageContaining("expected at most 1000 (max.message.bytes)");
    }

    @Test
    void recordsLargerThanASegmentAreRefused() {
        assertRejected(
                ErrorCode.RECORD_LIST_TOO_LARGE,
                builder().add(NOW, null, new byte[6000]).build());
    }

    @Test
    void onlyMagicTwoIsTaken() {
        assertRejected(ErrorCode.INVALID_RECORD, twoRecords().setByte(16, 1));
        assertRejected(ErrorCode.INVALID_RECORD, twoRecords().setByte(16, 0));
        assertRejected(ErrorCode.CORRUPT_MESSAGE, twoRecords().setByte(16, 3));
    }

    @Test
    void aClientSendsExactlyOneBatch() {
        assertRejected(ErrorCode.INVALID_RECORD, Unpooled.EMPTY_BUFFER);
        assertRejected(ErrorCode.INVALID_RECORD, Unpooled.wrappedBuffer(twoRecords(), twoRecords()));
    }

    @Test
    void impossibleSizesAreCorrupt() {
        for (int length : new int[] {0, -1, 48, 1_000_000, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            assertRejected(ErrorCode.CORRUPT_MESSAGE, twoRecords().setInt(8, length));
        }
        ByteBuf batch = twoRecords();
        assertRejected(ErrorCode.CORRUPT_MESSAGE, batch.slice(0, batch.readableBytes() - 1));
        assertRejected(ErrorCode.CORRUPT_MESSAGE, batch.slice(0, 30));
    }

    @Test
    void theCountMustAgreeWithTheLastOffsetDelta() {
        assertRejected(ErrorCode.INVALID_RECORD, altered(twoRecords(), b -> b.setInt(RecordBatch.RECORD_COUNT, 3)));
        assertRejected(
                ErrorCode.INVALID_RECORD, altered(twoRecords(), b -> b.setInt(RecordBatch.LAST_OFFSET_DELTA, 7)));
        assertRejected(ErrorCode.INVALID_RECORD, altered(twoRecords(), b -> b.setInt(RecordBatch.RECORD_COUNT, 0)
                .setInt(RecordBatch.LAST_OFFSET_DELTA, -1)));
    }

    @Test
    void offsetDeltasMustBeDense() {
        int secondDelta = RecordBatch.HEADER_BYTES + 9 + 3;
        ByteBuf batch = altered(twoRecords(), b -> b.setByte(secondDelta, 4));

        RecordsRejectedException e = rejected(PLAIN, batch);
        assertThat(e.errorCode()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(e).hasMessageContaining("offset delta 2; expected 1");
    }

    @Test
    void damageInsideWithARightChecksumIsAnInvalidRecord() {
        for (int position = RecordBatch.HEADER_BYTES; position < twoRecords().readableBytes(); position++) {
            int at = position;
            ByteBuf batch = altered(twoRecords(), b -> b.setByte(at, 0xff));
            try {
                validate(PLAIN, batch);
            } catch (RecordsRejectedException e) {
                assertThat(e.errorCode()).isIn(ErrorCode.INVALID_RECORD, ErrorCode.INVALID_TIMESTAMP);
            }
        }
    }

    @Test
    void clientsWriteNoControlRecordsAndNoNegativeSequences() {
        assertRejected(
                ErrorCode.INVALID_RECORD,
                builder().control(ControlRecordType.COMMIT, NOW, new byte[6]).build());
        assertRejected(
                ErrorCode.INVALID_RECORD,
                builder().producer(5, (short) 0, -1).add(NOW, null, null).build());
    }

    @Test
    void offsetsAreTheLeadersToGive() {
        assertRejected(ErrorCode.INVALID_RECORD, twoRecords().setLong(0, 5));
        assertRejected(ErrorCode.INVALID_RECORD, twoRecords().setLong(0, -1));
        // Before anything else is looked at, as the reference does.
        assertRejected(ErrorCode.INVALID_RECORD, twoRecords().setLong(0, 5).setInt(RecordBatch.CRC, 0));
    }

    @Test
    void aCoordinatorMayWriteAMarker() {
        ByteBuf marker = RecordBatchBuilder.endTransactionMarker(NOW, 1, (short) 0, true, 0);

        assertThat(new ProduceValidator(new TopicPartition("orders", 3), COMPACTED)
                        .validate(marker, AppendOrigin.COORDINATOR, NOW))
                .hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void aCompactedTopicWantsAKeyOfEveryRecordAndSaysWhichHasNone(CompressionType compression) {
        ByteBuf batch = builder()
                .compression(compression)
                .add(NOW, bytes("a"), bytes("1"))
                .add(NOW, null, bytes("2"))
                .add(NOW, null, bytes("3"))
                .build();

        RecordsRejectedException e = rejected(COMPACTED, batch);

        assertThat(e.errorCode()).isEqualTo(ErrorCode.INVALID_RECORD);
        assertThat(e.recordErrors()).extracting(RecordError::batchIndex).containsExactly(1, 2);
        assertThat(e.recordErrors().get(0).message())
                .isEqualTo("Compacted topic cannot accept message without key in topic partition orders-3.");
        assertThat(validate(PLAIN, batch)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void aTimestampMoreThanAnHourAheadIsInvalid(CompressionType compression) {
        ByteBuf batch = builder()
                .compression(compression)
                .add(NOW + HOUR_MS, null, null)
                .add(NOW + HOUR_MS + 1, null, null)
                .build();

        RecordsRejectedException e = rejected(PLAIN, batch);

        assertThat(e.errorCode()).isEqualTo(ErrorCode.INVALID_TIMESTAMP);
        assertThat(e.recordErrors()).extracting(RecordError::batchIndex).containsExactly(1);
    }

    @Test
    void aTimestampMayLieAsFarBackAsTheTopicSays() {
        Rules bounded = new Rules(1000, 5000, false, TimestampType.CREATE_TIME, 500, HOUR_MS);

        assertThat(validate(bounded, builder().add(NOW - 500, null, null).build()))
                .hasSize(1);
        assertThat(rejected(bounded, builder().add(NOW - 501, null, null).build())
                        .errorCode())
                .isEqualTo(ErrorCode.INVALID_TIMESTAMP);
        assertThat(validate(PLAIN, builder().add(1, null, null).build())).hasSize(1);
    }

    @Test
    void recordsWithoutATimestampAreTaken() {
        assertThat(validate(PLAIN, builder().add(-1, null, null).build())).hasSize(1);
    }

    @Test
    void appendTimeIsStampedWithARightChecksum() {
        RecordBatch batch =
                validate(APPEND_TIME, builder().add(5, null, null).build()).get(0);

        assertThat(batch.isValid()).isTrue();
        assertThat(batch.maxTimestamp()).isEqualTo(NOW);
        assertThat(batch.records()).extracting(LogRecord::timestamp).containsExactly(NOW);
    }

    @Test
    void aProducerMayNotClaimAppendTime() {
        ByteBuf batch = altered(twoRecords(), b -> b.setShort(RecordBatch.ATTRIBUTES, 8));

        assertRejected(ErrorCode.INVALID_TIMESTAMP, batch);
    }

    @Test
    void aGreatestTimestampThatTheRecordsDoNotHaveIsCorrected() {
        ByteBuf batch = altered(twoRecords(), b -> b.setLong(RecordBatch.MAX_TIMESTAMP, NOW - 5));

        RecordBatch valid = validate(PLAIN, batch).get(0);

        assertThat(valid.maxTimestamp()).isEqualTo(NOW);
        assertThat(valid.isValid()).isTrue();
    }

    @Test
    void anUnknownCompressionIsUnsupported() {
        assertRejected(
                ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                altered(twoRecords(), b -> b.setShort(RecordBatch.ATTRIBUTES, 6)));
    }

    @Test
    void recordsThatAreNotOfTheirCompressionAreInvalid() {
        ByteBuf batch = altered(twoRecords(), b -> b.setShort(RecordBatch.ATTRIBUTES, CompressionType.GZIP.id()));

        assertThat(rejected(COMPACTED, batch).errorCode()).isEqualTo(ErrorCode.INVALID_RECORD);
    }

    @Test
    void aMissingCodecNamesWhatToAdd() {
        assertThatThrownBy(() -> {
                    throw new CodecMissingException(
                            CompressionType.ZSTD, "com.github.luben:zstd-jni", new NoClassDefFoundError());
                })
                .hasMessageContaining("compressed with zstd")
                .hasMessageContaining("add com.github.luben:zstd-jni");
    }
}
