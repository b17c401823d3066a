package io.tidemark.broker.log.cleaner;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The last offset of each key in a part of a log. Holds the keys themselves, so that two keys are never taken for one, and
 * counts what they cost against a limit; a log with more keys is compacted in several runs.
 */
final class OffsetMap {
    /** About what an entry costs beside the bytes of its key. */
    private static final int ENTRY_BYTES = 120;

    private final long maxBytes;
    private final Map<ByteBuffer, Long> offsets = new HashMap<>();
    private long bytes;
    private long endOffset;

    /**
     * @param startOffset where the part begins
     */
    OffsetMap(long maxBytes, long startOffset) {
        this.maxBytes = maxBytes;
        this.endOffset = startOffset;
    }

    void put(ByteBuf key, long offset) {
        if (offsets.put(ByteBuffer.wrap(ByteBufUtil.getBytes(key)), offset) == null) {
            bytes += ENTRY_BYTES + key.readableBytes();
        }
    }

    /** Every record below an offset has been put in. */
    void reached(long newEndOffset) {
        endOffset = newEndOffset;
    }

    /** Never of an empty map: each run must come on by a batch. */
    boolean isFull() {
        return bytes > 0 && bytes >= maxBytes;
    }

    /** The offset below which the map knows every record. */
    long endOffset() {
        return endOffset;
    }

    int size() {
        return offsets.size();
    }

    /** Whether there is a later record of a key, among those that the map knows. */
    boolean isSuperseded(ByteBuf key, long offset) {
        Long last = offsets.get(key.nioBuffer());
        return last != null && last > offset;
    }
}
