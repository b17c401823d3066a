package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.util.List;

/**
 * The segment that comes in place of some that follow one another, while it is {@code .cleaned} and nobody reads it. To
 * be filled beside the loop, by one at a time.
 */
public final class SegmentReplacement {
    private final List<SegmentSource> sources;
    private final LogSegment segment;

    SegmentReplacement(List<SegmentSource> sources, LogSegment segment) {
        this.sources = List.copyOf(sources);
        this.segment = segment;
    }

    List<SegmentSource> sources() {
        return sources;
    }

    LogSegment segment() {
        return segment;
    }

    public int sizeInBytes() {
        return segment.sizeInBytes();
    }

    /** Appends one whole batch. */
    public void append(ByteBuf bytes) throws IOException {
        segment.append(
                bytes,
                bytes.readerIndex(),
                bytes.readableBytes(),
                List.of(new RecordBatch(bytes, bytes.readerIndex())));
    }

    /** Nothing more comes: completes the indexes, and makes all of it durable, before anything else goes. Blocks. */
    public void complete() throws IOException {
        segment.seal();
        segment.file().force(true);
        segment.forceIndexes();
    }
}
