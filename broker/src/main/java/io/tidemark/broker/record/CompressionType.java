package io.tidemark.broker.record;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How the records of a batch are compressed. The ordinal is the id in the batch's attributes. */
public enum CompressionType {
    NONE,
    GZIP,
    SNAPPY,
    LZ4,
    ZSTD;

    private static final CompressionType[] BY_ID = values();

    public int id() {
        return ordinal();
    }

    /** Kafka's name for it, as in {@code compression.type}. */
    public String typeName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static @Nullable CompressionType forId(int id) {
        return id >= 0 && id < BY_ID.length ? BY_ID[id] : null;
    }

    /**
     * @throws IllegalArgumentException if there is no such type
     */
    public static CompressionType forName(String name) {
        for (CompressionType type : BY_ID) {
            if (type.typeName().equals(name)) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "Compression type [" + name + "] is unknown; expected none, gzip, snappy, lz4 or zstd");
    }
}
