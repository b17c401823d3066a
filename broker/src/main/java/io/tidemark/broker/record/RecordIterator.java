package io.tidemark.broker.record;

import io.netty.buffer.ByteBuf;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** The records of one batch as objects. */
final class RecordIterator implements Iterator<LogRecord> {
    private final RecordCursor cursor;
    private final long baseOffset;
    private final long baseTimestamp;
    private final long appendTimeMs;
    private final int baseSequence;

    private RecordIterator(RecordBatch batch, RecordCursor cursor) {
        this.cursor = cursor;
        this.baseOffset = batch.baseOffset();
        this.baseTimestamp = batch.baseTimestamp();
        this.baseSequence = batch.baseSequence();
        this.appendTimeMs = batch.timestampType() == TimestampType.LOG_APPEND_TIME
                ? batch.maxTimestamp()
                : RecordBatch.NO_TIMESTAMP;
    }

    static RecordIterator over(RecordBatch batch) {
        return new RecordIterator(batch, cursor(batch));
    }

    /** Ends before the first record that is not whole in what there is of them. */
    static Iterator<LogRecord> overFirst(RecordBatch batch, ByteBuf available) {
        RecordCursor cursor = new RecordCursor(available, batch.recordCount());
        RecordIterator all = new RecordIterator(batch, cursor);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return all.hasNext() && cursor.isNextWhole();
            }

            @Override
            public LogRecord next() {
                return all.next();
            }
        };
    }

    /** A cursor over the records, decompressed. */
    static RecordCursor cursor(RecordBatch batch) {
        return new RecordCursor(Codec.decompress(batch.compressionType(), batch.payload()), batch.recordCount());
    }

    @Override
    public boolean hasNext() {
        return cursor.hasNext();
    }

    @Override
    public LogRecord next() {
        if (!cursor.hasNext()) {
            throw new NoSuchElementException();
        }
        cursor.next();
        return new LogRecord(
                baseOffset + cursor.offsetDelta(),
                appendTimeMs == RecordBatch.NO_TIMESTAMP ? baseTimestamp + cursor.timestampDelta() : appendTimeMs,
                baseSequence == RecordBatch.NO_SEQUENCE
                        ? RecordBatch.NO_SEQUENCE
                        : Sequences.add(baseSequence, cursor.offsetDelta()),
                cursor.key(),
                cursor.value(),
                cursor.headers());
    }
}
