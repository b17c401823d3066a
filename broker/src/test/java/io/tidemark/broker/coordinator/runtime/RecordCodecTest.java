package io.tidemark.broker.coordinator.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.group.GroupRecordTypes;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.group.GroupMetadataKey;
import io.tidemark.broker.protocol.group.GroupMetadataValue;
import io.tidemark.broker.protocol.group.OffsetCommitKey;
import io.tidemark.broker.protocol.group.OffsetCommitValue;
import io.tidemark.broker.types.Uuid;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.coordinator.group.generated.CoordinatorRecordType;
import org.junit.jupiter.api.Test;

/** The bytes are Kafka's: its own classes read what we write. */
class RecordCodecTest {
    private final RecordCodec codec = new RecordCodec(GroupRecordTypes.ALL);

    private static final CoordinatorRecord OFFSET = new CoordinatorRecord(
            new OffsetCommitKey().setGroup("readers").setTopic("orders").setPartition(3),
            new OffsetCommitValue()
                    .setOffset(42)
                    .setLeaderEpoch(7)
                    .setMetadata("note")
                    .setCommitTimestamp(1_000)
                    .setTopicId(new Uuid(1, 2)),
            (short) 4);

    private static final CoordinatorRecord GROUP = new CoordinatorRecord(
            new GroupMetadataKey().setGroup("readers"),
            new GroupMetadataValue()
                    .setProtocolType("consumer")
                    .setProtocol("range")
                    .setGeneration(5)
                    .setLeader("one")
                    .setCurrentStateTimestamp(1_000)
                    .setMembers(List.of(new GroupMetadataValue.MemberMetadata()
                            .setMemberId("one")
                            .setGroupInstanceId("instance")
                            .setClientId("client")
                            .setClientHost("/127.0.0.1")
                            .setRebalanceTimeout(60_000)
                            .setSessionTimeout(45_000)
                            .setSubscription(new byte[] {1})
                            .setAssignment(new byte[] {2}))),
            (short) 3);

    @Test
    void kafkaReadsOffsets() {
        ByteBuffer keyBytes = ByteBuffer.wrap(codec.encodeKey(OFFSET));
        ByteBuffer valueBytes = ByteBuffer.wrap(codec.encodeValue(OFFSET));

        assertThat(CoordinatorRecordType.fromId(keyBytes.getShort())).isEqualTo(CoordinatorRecordType.OFFSET_COMMIT);
        var key = new org.apache.kafka.coordinator.group.generated.OffsetCommitKey(
                new ByteBufferAccessor(keyBytes), (short) 0);
        var value = new org.apache.kafka.coordinator.group.generated.OffsetCommitValue(
                new ByteBufferAccessor(valueBytes), valueBytes.getShort());

        assertThat(key.group()).isEqualTo("readers");
        assertThat(key.topic()).isEqualTo("orders");
        assertThat(key.partition()).isEqualTo(3);
        assertThat(value.offset()).isEqualTo(42);
        assertThat(value.leaderEpoch()).isEqualTo(7);
        assertThat(value.metadata()).isEqualTo("note");
        assertThat(value.topicId()).isEqualTo(new org.apache.kafka.common.Uuid(1, 2));
        assertThat(keyBytes.hasRemaining()).isFalse();
        assertThat(valueBytes.hasRemaining()).isFalse();
    }

    @Test
    void kafkaReadsGroups() {
        ByteBuffer keyBytes = ByteBuffer.wrap(codec.encodeKey(GROUP));
        ByteBuffer valueBytes = ByteBuffer.wrap(codec.encodeValue(GROUP));

        assertThat(CoordinatorRecordType.fromId(keyBytes.getShort())).isEqualTo(CoordinatorRecordType.GROUP_METADATA);
        var key = new org.apache.kafka.coordinator.group.generated.GroupMetadataKey(
                new ByteBufferAccessor(keyBytes), (short) 0);
        var value = new org.apache.kafka.coordinator.group.generated.GroupMetadataValue(
                new ByteBufferAccessor(valueBytes), valueBytes.getShort());

        assertThat(key.group()).isEqualTo("readers");
        assertThat(value.generation()).isEqualTo(5);
        assertThat(value.leader()).isEqualTo("one");
        assertThat(value.members()).hasSize(1);
        assertThat(value.members().get(0).groupInstanceId()).isEqualTo("instance");
        assertThat(value.members().get(0).assignment()).containsExactly(2);
        assertThat(valueBytes.hasRemaining()).isFalse();
    }

    @Test
    void recordsAreReadAsTheyWereWritten() {
        for (CoordinatorRecord record : List.of(OFFSET, GROUP)) {
            assertThat(codec.decode(
                            Unpooled.wrappedBuffer(codec.encodeKey(record)),
                            Unpooled.wrappedBuffer(codec.encodeValue(record))))
                    .isEqualTo(record);
        }
    }

    @Test
    void tombstoneHasNoValue() {
        CoordinatorRecord tombstone = new CoordinatorRecord(OFFSET.key(), null, (short) 0);

        assertThat(codec.encodeValue(tombstone)).isNull();
        assertThat(codec.decode(Unpooled.wrappedBuffer(codec.encodeKey(tombstone)), null))
                .isEqualTo(tombstone);
    }

    @Test
    void recordOfAnUnknownTypeIsNone() {
        assertThat(codec.decode(Unpooled.wrappedBuffer(new byte[] {0, 3, 0, 0}), null))
                .isNull();
    }

    @Test
    void bytesThatAreNoRecordAreSaidToBeNone() {
        assertThatThrownBy(() -> codec.decode(Unpooled.wrappedBuffer(new byte[] {0, 1, 0, 9, 1}), null))
                .isInstanceOf(InvalidMessageException.class);
    }
}
