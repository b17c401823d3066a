package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.KafkaSpecs.Subject;
import io.tidemark.broker.protocol.group.GroupRecordTypes;
import io.tidemark.broker.protocol.group.OffsetCommitKey;
import io.tidemark.broker.protocol.metadata.NoOpRecord;
import io.tidemark.broker.protocol.share.ShareRecordTypes;
import io.tidemark.broker.protocol.transaction.TransactionRecordTypes;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.junit.jupiter.api.Test;

/** Records of the internal logs are framed as Kafka's own tools expect. */
class RecordSerdeTest {
    private final MetadataRecordSerde kafkaMetadata = MetadataRecordSerde.INSTANCE;

    @Test
    void framesMetadataRecordsAsKafka() {
        List<Subject> records = ofFamily("metadata");
        assertThat(records).hasSizeGreaterThan(20);
        for (Subject subject : records) {
            for (int version = subject.lowestVersion(); version <= subject.highestVersion(); version++) {
                ApiMessage ours = random(subject, version);

                byte[] bytes = io.tidemark.broker.protocol.MetadataRecordSerde.write(ours, (short) version);

                ApiMessageAndVersion kafkas =
                        kafkaMetadata.read(new ByteBufferAccessor(ByteBuffer.wrap(bytes)), bytes.length);
                assertThat(kafkas.message().getClass()).isEqualTo(subject.kafkaClass());
                assertThat(kafkas.version()).isEqualTo((short) version);
                assertThat(writtenByKafka(kafkas)).isEqualTo(bytes);
                assertThat(io.tidemark.broker.protocol.MetadataRecordSerde.read(Unpooled.wrappedBuffer(bytes)))
                        .isEqualTo(new VersionedMessage(ours, (short) version));
            }
        }
    }

    private byte[] writtenByKafka(ApiMessageAndVersion record) {
        org.apache.kafka.common.protocol.ObjectSerializationCache cache =
                new org.apache.kafka.common.protocol.ObjectSerializationCache();
        ByteBuffer buffer = ByteBuffer.allocate(kafkaMetadata.recordSize(record, cache));
        kafkaMetadata.write(record, cache, new ByteBufferAccessor(buffer));
        return buffer.array();
    }

    @Test
    void refusesBytesThatAreNoMetadataRecord() {
        byte[] valid = io.tidemark.broker.protocol.MetadataRecordSerde.write(new NoOpRecord(), (short) 0);
        assertThat(valid).containsExactly(1, 20, 0, 0);

        assertRefused("02140000", "frame version", "expected 1, got 2");
        assertRefused("017f0000", "record type", "a known type", "127");
        assertRefused("01140100", "NoOpRecord has no version 1");
        assertRefused("011400000b", "the end of the record", "1 bytes more");
        assertRefused("01ffffffff0f0000", "record type", "0 to 32767");
        assertRefused("0114", "record version", "1 bytes");
    }

    private static void assertRefused(String hex, String... parts) {
        ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
        assertThatThrownBy(() -> io.tidemark.broker.protocol.MetadataRecordSerde.read(bytes))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContainingAll(parts);
    }

    @Test
    void framesCoordinatorRecordsAsKafka() {
        framesAsKafka("group", GroupRecordTypes.INSTANCE);
        framesAsKafka("transaction", TransactionRecordTypes.INSTANCE);
        framesAsKafka("share", ShareRecordTypes.INSTANCE);
    }

    private static void framesAsKafka(String family, CoordinatorRecordTypes types) {
        List<Subject> subjects = ofFamily(family);
        assertThat(subjects).isNotEmpty();
        for (Subject subject : subjects) {
            boolean isKey = subject.model().spec().kind().equals("coordinator-key");
            for (int version = subject.lowestVersion(); version <= subject.highestVersion(); version++) {
                ApiMessage ours = random(subject, version);
                Message kafkas = kafkaTwin(subject, ours, (short) version);
                if (isKey) {
                    byte[] bytes = CoordinatorRecordSerde.writeKey(ours);
                    assertThat(bytes)
                            .isEqualTo(MessageUtil.toCoordinatorTypePrefixedBytes(
                                    (org.apache.kafka.common.protocol.ApiMessage) kafkas));
                    assertThat(CoordinatorRecordSerde.readKey(Unpooled.wrappedBuffer(bytes), types))
                            .isEqualTo(ours);
                } else {
                    byte[] bytes = CoordinatorRecordSerde.writeValue(ours, (short) version);
                    assertThat(bytes).isEqualTo(MessageUtil.toVersionPrefixedBytes((short) version, kafkas));
                    assertThat(CoordinatorRecordSerde.readValue(Unpooled.wrappedBuffer(bytes), ours.apiKey(), types))
                            .isEqualTo(new VersionedMessage(ours, (short) version));
                }
            }
        }
    }

    @Test
    void hasNoKeyForATypeThatIsNotKnown() {
        ByteBuf key = Unpooled.wrappedBuffer(new byte[] {0, 99, 1, 2, 3});

        assertThat(CoordinatorRecordSerde.readKey(key, GroupRecordTypes.INSTANCE))
                .isNull();
    }

    @Test
    void refusesBytesThatAreNoCoordinatorRecord() {
        assertThatThrownBy(() -> CoordinatorRecordSerde.readKey(
                        Unpooled.wrappedBuffer(new byte[] {0, 1, 0}), GroupRecordTypes.INSTANCE))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("OffsetCommitKey.group");
        assertThatThrownBy(() -> CoordinatorRecordSerde.readValue(
                        Unpooled.wrappedBuffer(new byte[] {0, 77}),
                        new OffsetCommitKey().apiKey(),
                        GroupRecordTypes.INSTANCE))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("OffsetCommitValue has no version 77");
        assertThatThrownBy(() -> CoordinatorRecordSerde.readValue(
                        Unpooled.wrappedBuffer(new byte[] {0, 0}), (short) 99, GroupRecordTypes.INSTANCE))
                .isInstanceOf(InvalidMessageException.class)
                .hasMessageContaining("type 99");
    }

    private static List<Subject> ofFamily(String family) {
        return KafkaSpecs.all().stream()
                .filter(subject -> subject.model().spec().family().equals(family))
                .toList();
    }

    private static ApiMessage random(Subject subject, int version) {
        return MessageFiller.fill(
                MessageFiller.create(subject.ourClass()),
                subject.model().root(),
                new RandomValues(new Random(version), version, false)
                        .struct(subject.model().root()));
    }

    private static Message kafkaTwin(Subject subject, ApiMessage ours, short version) {
        MessageWriter out = new MessageWriter();
        ours.write(out, version);
        Message kafkas = (Message) MessageFiller.create(subject.kafkaClass());
        kafkas.read(new ByteBufferAccessor(ByteBuffer.wrap(out.toByteArray())), version);
        return kafkas;
    }
}
