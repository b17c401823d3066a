package io.tidemark.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.KafkaSpecs.Subject;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever bytes come in, a reader takes them for a message or refuses them by name, and never pays for their claims. */
class BrokenBytesTest {
    /** What a refusal and the fields in front of it may cost, whatever is claimed. */
    private static final long FIXED_BYTES = 256 * 1024;

    /** What a byte on the wire may cost on the heap: an empty struct of one byte becomes an object with lists. */
    private static final long BYTES_PER_BYTE = 1024;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void refusesEveryTruncation() {
        for (Subject subject : KafkaSpecs.all()) {
            for (int version = subject.lowestVersion(); version <= subject.highestVersion(); version++) {
                byte[] bytes = randomMessage(subject, (short) version, 7);
                int step = Math.max(1, bytes.length / 200);
                for (int length = 0; length < bytes.length; length += step) {
                    boolean read = reads(subject, (short) version, Arrays.copyOf(bytes, length));
                    assertThat(read)
                            .as("%s version %s cut from %s to %s bytes", subject, version, bytes.length, length)
                            .isFalse();
                }
            }
        }
    }

    @Test
    void readsOrRefusesEveryMutation() {
        Random random = new Random(42);
        for (Subject subject : KafkaSpecs.all()) {
            for (int version = subject.lowestVersion(); version <= subject.highestVersion(); version++) {
                byte[] bytes = randomMessage(subject, (short) version, 11);
                for (int round = 0; round < 40 && bytes.length > 0; round++) {
                    byte[] mutated = bytes.clone();
                    for (int i = 0; i <= round % 3; i++) {
                        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
                    }
                    reads(subject, (short) version, mutated);
                }
            }
        }
    }

    @Test
    void readsOrRefusesGarbage() {
        Random random = new Random(43);
        for (Subject subject : KafkaSpecs.all()) {
            for (int round = 0; round < 60; round++) {
                byte[] bytes = new byte[random.nextInt(64)];
                random.nextBytes(bytes);
                // High bytes make the greatest lengths and counts.
                if (round % 2 == 0) {
                    Arrays.fill(bytes, bytes.length / 2, bytes.length, (byte) 0xff);
                }
                for (int version : List.of(subject.lowestVersion(), subject.highestVersion())) {
                    reads(subject, (short) version, bytes);
                }
            }
        }
    }

    /** Whether the bytes are the message; fails for any exception but the one meant for it, and for a costly answer. */
    private boolean reads(Subject subject, short version, byte[] bytes) {
        long limit = FIXED_BYTES + BYTES_PER_BYTE * bytes.length;
        long before = threads.getCurrentThreadAllocatedBytes();
        boolean read = readsOnce(subject, version, bytes);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        if (allocated > limit) {
            // The first time of all also pays for what the JVM links; the second pays for the bytes alone.
            before = threads.getCurrentThreadAllocatedBytes();
            readsOnce(subject, version, bytes);
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocated)
                .as("bytes allocated for %s version %s of %s bytes", subject, version, bytes.length)
                .isLessThanOrEqualTo(limit);
        return read;
    }

    private static boolean readsOnce(Subject subject, short version, byte[] bytes) {
        ApiMessage message = MessageFiller.create(subject.ourClass());
        try {
            message.read(new MessageReader(Unpooled.wrappedBuffer(bytes)), version);
            return true;
        } catch (InvalidMessageException e) {
            assertThat(e).hasMessageContaining(subject.model().spec().name()).hasMessageContaining("expected");
            return false;
        } catch (RuntimeException e) {
            return fail(subject + " version " + version + " of " + Arrays.toString(bytes), e);
        }
    }

    private static byte[] randomMessage(Subject subject, short version, int seed) {
        ApiMessage message = MessageFiller.fill(
                MessageFiller.create(subject.ourClass()),
                subject.model().root(),
                new RandomValues(new Random(seed), version, false)
                        .struct(subject.model().root()));
        MessageWriter out = new MessageWriter();
        message.write(out, version);
        return out.toByteArray();
    }
}
