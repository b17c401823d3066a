package io.tidemark.broker.types;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A 128-bit id as Kafka uses it for topics, directories and incarnations, written as 22 characters of URL-safe base64
 * without padding.
 *
 * @param mostSignificantBits the first eight bytes on the wire
 * @param leastSignificantBits the last eight bytes on the wire
 */
public record Uuid(long mostSignificantBits, long leastSignificantBits) implements Comparable<Uuid> {
    /** Absent, or not known. */
    public static final Uuid ZERO = new Uuid(0, 0);

    /** The id of {@code __cluster_metadata}. */
    public static final Uuid METADATA_TOPIC_ID = new Uuid(0, 1);

    private static final int TEXT_LENGTH = 22;

    /** A random version 4 id that is neither reserved nor starts with a dash, which command lines would misread. */
    public static Uuid random(RandomGenerator random) {
        while (true) {
            long most = (random.nextLong() & ~0xF000L) | 0x4000L;
            long least = (random.nextLong() & ~0xC000000000000000L) | 0x8000000000000000L;
            Uuid candidate = new Uuid(most, least);
            if (!candidate.toString().startsWith("-")) {
                return candidate;
            }
        }
    }

    /**
     * Reads the base64 form.
     *
     * @throws IllegalArgumentException if the text is not 16 bytes of URL-safe base64
     */
    public static Uuid fromString(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Id [" + text + "] is not URL-safe base64; expected " + TEXT_LENGTH + " characters", e);
        }
        if (bytes.length != 16) {
            throw new IllegalArgumentException("Id [" + text + "] holds " + bytes.length + " bytes; expected 16 ("
                    + TEXT_LENGTH + " characters of base64)");
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Uuid(buffer.getLong(), buffer.getLong());
    }

    public boolean isZero() {
        return mostSignificantBits == 0 && leastSignificantBits == 0;
    }

    // Written out, as is hashCode: the ones that records get by themselves are slow to come up in a cold JVM.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Uuid that
                && mostSignificantBits == that.mostSignificantBits
                && leastSignificantBits == that.leastSignificantBits;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(mostSignificantBits ^ leastSignificantBits);
    }

    @Override
    public int compareTo(Uuid other) {
        int most = Long.compare(mostSignificantBits, other.mostSignificantBits);
        return most != 0 ? most : Long.compare(leastSignificantBits, other.leastSignificantBits);
    }

    @Override
    public String toString() {
        ByteBuffer buffer = ByteBuffer.allocate(16).putLong(mostSignificantBits).putLong(leastSignificantBits);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(buffer.array());
    }
}
