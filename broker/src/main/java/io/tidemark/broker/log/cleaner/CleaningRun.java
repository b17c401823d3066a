package io.tidemark.broker.log.cleaner;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.log.LogCleaning;
import io.tidemark.broker.log.SegmentReplacement;
import io.tidemark.broker.log.SegmentSource;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compacts one log, a piece at a time: reads all headers for the transactions that were aborted, the dirty part for its
 * keys, and then everything below the end of that to rewrite it, group by group.
 *
 * <pre>
 * TRANSACTIONS -> KEYS -> REWRITE -> (swap, on the loop) -> REWRITE ... -> DONE
 * </pre>
 *
 * <p>Beside the loop, one piece after the other.
 */
final class CleaningRun {
    /** What is to be done next. */
    enum Next {
        /** Another piece. */
        PIECE,
        /** The swap of a replacement that is complete. */
        SWAP,
        /** Nothing. */
        NOTHING
    }

    private enum Stage {
        TRANSACTIONS,
        KEYS,
        REWRITE,
        DONE
    }

    private final LogCleaning cleaning;
    private final DirtyRange range;
    private final int pieceBytes;
    private final AbortedTransactions aborted = new AbortedTransactions();
    private final OffsetMap offsets;
    private final BatchCleaner cleaner;
    private final long keptOffset;
    private Stage stage = Stage.TRANSACTIONS;
    private Iterator<SegmentSource> segments;
    private Iterator<List<SegmentSource>> groups =
            List.<List<SegmentSource>>of().iterator();
    private SegmentSource.@Nullable Walk walk;
    private @Nullable SegmentReplacement replacement;
    private long bytes;

    CleaningRun(LogCleaning cleaning, DirtyRange range, CleanerSettings settings, long nowMs) {
        this.cleaning = cleaning;
        this.range = range;
        this.pieceBytes = Math.max(1, settings.pieceBytes());
        this.offsets = new OffsetMap(settings.keyBytes(), range.firstDirtyOffset());
        this.keptOffset = lastOffsetBelowAnEmptyEnd();
        this.cleaner = new BatchCleaner(
                offsets, aborted, this::mustStay, nowMs, cleaning.config().deleteRetentionMs());
        this.segments = cleaning.segments().iterator();
    }

    /** A log that ends with an empty segment must not end with a hole: nobody could read up to its end. */
    private long lastOffsetBelowAnEmptyEnd() {
        SegmentSource active = cleaning.segments().get(cleaning.segments().size() - 1);
        return active.sizeInBytes() == 0 && active.baseOffset() == range.endOffset() ? range.endOffset() - 1 : -1;
    }

    private boolean mustStay(RecordBatch batch) {
        return cleaning.isLastOfItsProducer(batch) || batch.lastOffset() == keptOffset;
    }

    /** The log is compacted up to here once the run is done. */
    long cleanedTo() {
        return offsets.endOffset();
    }

    /** The bytes read and written since this was last asked. */
    long takeBytes() {
        long taken = bytes;
        bytes = 0;
        return taken;
    }

    /** Does the next piece, and says what comes after it. */
    Next work() throws IOException {
        long until = bytes + pieceBytes;
        while (bytes < until) {
            switch (stage) {
                case TRANSACTIONS -> readTransactions();
                case KEYS -> readKeys();
                case REWRITE -> {
                    if (rewrite()) {
                        return Next.SWAP;
                    }
                }
                case DONE -> {
                    return Next.NOTHING;
                }
            }
        }
        return Next.PIECE;
    }

    /** The next batch of the segments of this stage; null at their end. */
    private SegmentSource.@Nullable Walk advance() throws IOException {
        while (true) {
            SegmentSource.Walk current = walk;
            if (current != null && current.next()) {
                return current;
            }
            if (!segments.hasNext()) {
                walk = null;
                return null;
            }
            walk = segments.next().walk();
        }
    }

    private void readTransactions() throws IOException {
        SegmentSource.Walk at = advance();
        if (at == null) {
            stage = Stage.KEYS;
            segments = cleaning.segments().stream()
                    .filter(segment ->
                            segment.endOffset() > range.firstDirtyOffset() && segment.endOffset() <= range.endOffset())
                    .iterator();
            return;
        }
        RecordBatch header = at.header();
        bytes += Math.min(header.sizeInBytes(), SegmentSource.CHUNK_BYTES);
        if (!header.hasProducerId()) {
            return;
        }
        if (header.isControl()) {
            aborted.onMarker(header, EndTransactionMarker.of(at.batch()));
        } else {
            aborted.onData(header);
        }
    }

    private void readKeys() throws IOException {
        SegmentSource.Walk at = advance();
        if (at == null || offsets.isFull()) {
            if (at == null) {
                offsets.reached(Math.max(offsets.endOffset(), range.endOffset()));
            }
            forceSegments();
            startRewrite();
            return;
        }
        RecordBatch header = at.header();
        if (header.lastOffset() < range.firstDirtyOffset()) {
            return;
        }
        bytes += header.sizeInBytes();
        if (!header.isControl() && !aborted.hold(header)) {
            for (LogRecord record : at.batch().records()) {
                ByteBuf key = record.key();
                if (key != null) {
                    offsets.put(key, record.offset());
                }
            }
        }
        offsets.reached(header.nextOffset());
    }

    /** What supersedes must not be lost with the power once that which it supersedes is gone. */
    private void forceSegments() throws IOException {
        for (SegmentSource segment : cleaning.segments()) {
            if (segment.endOffset() > range.firstDirtyOffset()) {
                segment.force();
            }
        }
        // Their names too: one that was rolled to since the last flush may have none yet that is durable.
        cleaning.force();
    }

    private void startRewrite() {
        stage = Stage.REWRITE;
        walk = null;
        List<SegmentSource> known = cleaning.segments().stream()
                .filter(segment ->
                        segment.baseOffset() < offsets.endOffset() && segment.endOffset() <= range.endOffset())
                .toList();
        groups = SegmentGroups.of(known, cleaning.config()).iterator();
    }

    /** True where a replacement is complete. */
    private boolean rewrite() throws IOException {
        SegmentReplacement current = replacement;
        if (current == null) {
            if (!groups.hasNext()) {
                stage = Stage.DONE;
                return false;
            }
            List<SegmentSource> group = groups.next();
            segments = group.iterator();
            current = cleaning.replace(group);
            replacement = current;
        }
        SegmentSource.Walk at = advance();
        if (at == null) {
            current.complete();
            replacement = null;
            return true;
        }
        bytes += at.header().sizeInBytes();
        ByteBuf kept = cleaner.clean(at.batch());
        if (kept != null) {
            bytes += kept.readableBytes();
            current.append(kept);
        }
        return false;
    }
}
