package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.KafkaSpecs.Subject;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every message of Kafka, in every version, is on the wire what Kafka's own code makes of it, both ways. */
class KafkaCodecTest {
    private static final int ROUNDS = 12;

    @Test
    void coversEverySpecOfKafka() {
        assertThat(KafkaSpecs.all()).hasSizeGreaterThan(270);
    }

    @TestFactory
    Stream<DynamicTest> agreesWithKafkaOnEveryByte() {
        return KafkaSpecs.all().stream()
                .map(subject -> DynamicTest.dynamicTest(subject.toString(), () -> agreesInEveryVersion(subject)));
    }

    private static void agreesInEveryVersion(Subject subject) {
        for (int version = subject.lowestVersion(); version <= subject.highestVersion(); version++) {
            for (int seed = 0; seed < ROUNDS; seed++) {
                boolean fillIgnorable = seed % 3 == 0;
                Map<String, Object> values = new RandomValues(new Random(seed), version, fillIgnorable)
                        .struct(subject.model().root());
                agrees(subject, (short) version, seed, values, fillIgnorable);
            }
        }
    }

    private static void agrees(
            Subject subject, short version, int seed, Map<String, Object> values, boolean fillIgnorable) {
        String round = subject + " version " + version + " seed " + seed;
        ApiMessage ours = MessageFiller.fill(
                MessageFiller.create(subject.ourClass()), subject.model().root(), values);
        Message kafkas = (Message) MessageFiller.fill(
                MessageFiller.create(subject.kafkaClass()), subject.model().root(), values);

        byte[] ourBytes = write(ours, version);
        byte[] kafkaBytes = write(kafkas, version);

        assertThat(ourBytes).as(round + ", written").isEqualTo(kafkaBytes);
        ApiMessage ourCopy = MessageFiller.create(subject.ourClass());
        MessageReader in = new MessageReader(Unpooled.wrappedBuffer(kafkaBytes));
        ourCopy.read(in, version);
        assertThat(in.remaining()).as(round + ", bytes left by us").isZero();
        assertThat(write(ourCopy, version)).as(round + ", read by us").isEqualTo(kafkaBytes);
        Message kafkaCopy = (Message) MessageFiller.create(subject.kafkaClass());
        ByteBufferAccessor accessor = new ByteBufferAccessor(ByteBuffer.wrap(ourBytes));
        kafkaCopy.read(accessor, version);
        assertThat(accessor.remaining()).as(round + ", bytes left by Kafka").isZero();
        assertThat(write(kafkaCopy, version)).as(round + ", read by Kafka").isEqualTo(kafkaBytes);
        if (!fillIgnorable) {
            assertThat(ourCopy)
                    .as(round)
                    .isEqualTo(ours)
                    .hasSameHashCodeAs(ours)
                    .hasToString(ours.toString());
        }
        readsAgain(subject, version, round, ourCopy, ourBytes);
    }

    /** A message that is read into twice holds nothing of the first time. */
    private static void readsAgain(Subject subject, short version, String round, ApiMessage once, byte[] bytes) {
        Map<String, Object> others = new RandomValues(new Random(version), version, true)
                .struct(subject.model().root());
        ApiMessage used = MessageFiller.fill(
                MessageFiller.create(subject.ourClass()), subject.model().root(), others);
        used.read(new MessageReader(Unpooled.wrappedBuffer(bytes)), version);
        assertThat(used).as(round + ", read into a used message").isEqualTo(once);
    }

    private static byte[] write(ApiMessage message, short version) {
        MessageWriter out = new MessageWriter();
        message.write(out, version);
        return out.toByteArray();
    }

    private static byte[] write(Message message, short version) {
        ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
