package io.tidemark.broker.log;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A log in the hands of its cleaner: segments that are closed, and the way to put others in their place. The log goes on
 * being read and written. What cuts, closes or deletes it ends the cleaning; what was prepared until then is thrown away.
 *
 * <p>A replacement takes these steps, and a stop between any two is made good at the next open; see {@link SwapRecovery}.
 *
 * <pre>
 * .cleaned, forced      nothing counts: the old segments do
 * .cleaned -> .swap     .log, .index, .timeindex, in this order; while one is .cleaned, the old segments count
 * folder forced         from here on the new one counts
 * old -> .deleted
 * folder forced         else an old segment could be back when the new one has its place
 * .swap -> live         .log first
 * folder forced
 * old ones deleted      after file.delete.delay.ms
 * </pre>
 *
 * <p>On the loop, except where a method says otherwise.
 */
public final class LogCleaning {
    private final LogEnvironment environment;
    private final PartitionLog log;
    private final LogSegments segments;
    private final Path directory;
    private final LogConfig config;
    private final List<SegmentSource> all;
    private final Map<Long, LastBatch> lastBatches = new TreeMap<>();
    private final List<OldFiles> old = new ArrayList<>();
    private @Nullable SegmentReplacement open;
    private boolean isBusy;
    private boolean isEnded;

    private record LastBatch(long lastOffset, short producerEpoch) {}

    private record OldFiles(LogSegment segment, List<Path> paths) {}

    LogCleaning(LogEnvironment environment, PartitionLog log, LogSegments segments, ProducerStates producers) {
        this.environment = environment;
        this.log = log;
        this.segments = segments;
        this.directory = log.directory();
        this.config = log.config();
        this.all = sources(segments, log.logEndOffset());
        for (ProducerState state : producers.all()) {
            lastBatches.put(state.producerId(), new LastBatch(state.lastOffset(), state.epoch()));
        }
    }

    static List<SegmentSource> sources(LogSegments segments, long logEndOffset) {
        List<SegmentSource> sources = new ArrayList<>();
        for (LogSegment segment : segments.byBaseOffset().values()) {
            sources.add(new SegmentSource(segment, segments.endOf(segment, logEndOffset)));
        }
        return sources;
    }

    public TopicPartition topicPartition() {
        return log.topicPartition();
    }

    public LogConfig config() {
        return config;
    }

    /** Every segment as it was when the cleaning began; the last is the active one, and can only be read. */
    public List<SegmentSource> segments() {
        return all;
    }

    /**
     * Whether a batch is what the log remembers its producer by, and must stay, if only as a header. May be asked beside
     * the loop.
     */
    public boolean isLastOfItsProducer(RecordBatch batch) {
        LastBatch last = batch.hasProducerId() ? lastBatches.get(batch.producerId()) : null;
        if (last == null) {
            return false;
        }
        return last.lastOffset() == ProducerState.NO_OFFSET
                ? batch.isControl() && batch.producerEpoch() == last.producerEpoch()
                : !batch.isControl() && batch.lastOffset() == last.lastOffset();
    }

    /** True once the log was cut, closed or deleted, or {@link #end} was called. */
    public boolean isEnded() {
        return isEnded;
    }

    /** A piece of work beside the loop begins: from here to {@link #leave}, its files are not closed under it. */
    public void enter() {
        isBusy = true;
    }

    /** The work beside the loop is back. */
    public void leave() {
        isBusy = false;
        if (isEnded) {
            throwAway();
        }
    }

    /** A new segment in place of some, to be filled. May be called beside the loop, between enter and leave. */
    public SegmentReplacement replace(List<SegmentSource> group) throws IOException {
        LogSegment last = group.get(group.size() - 1).segment();
        SegmentReplacement replacement = new SegmentReplacement(
                group,
                LogSegment.createCleaned(
                        environment.disk(), directory, group.get(0).baseOffset(), config, last.createdMs()));
        open = replacement;
        return replacement;
    }

    /** Gives the complete replacement the names by which it will be found after a crash. {@link #force} must follow. */
    public void prepareSwap() throws IOException {
        log.beforeSegmentsAreReplaced();
        replacement().segment().rename(LogFiles.SWAP);
    }

    /** Makes the names of the last step durable. To be called beside the loop. Blocks. */
    public boolean force() throws IOException {
        environment.disk().forceDirectory(directory);
        return true;
    }

    /**
     * Takes the old segments out, and the replacement in. {@link #force}, then {@link #deleteOld} must follow. Where it
     * fails, the old segments are read on from their open files, and the next open goes on with the swap: from here on,
     * nothing of the replacement may be deleted.
     */
    public void swap() throws IOException {
        SegmentReplacement replacement = replacement();
        open = null;
        List<OldFiles> moved = new ArrayList<>();
        for (SegmentSource source : replacement.sources()) {
            LogSegment segment = source.segment();
            moved.add(new OldFiles(segment, LogSegments.moveAside(environment.disk(), segment)));
        }
        environment.disk().forceDirectory(directory);
        replacement.segment().rename("");
        segments.replace(replacement.sources(), replacement.segment());
        old.addAll(moved);
        log.onSegmentsReplaced();
    }

    /** Lets what was taken out go, when readers have had their time. */
    public void deleteOld() {
        for (OldFiles files : old) {
            environment.deletions().deleteLater(files.paths(), files.segment()::release, config.fileDeleteDelayMs());
        }
        old.clear();
    }

    private SegmentReplacement replacement() {
        SegmentReplacement replacement = open;
        if (replacement == null || isEnded) {
            throw new IllegalStateException("There is nothing to swap into the log of " + log.topicPartition());
        }
        return replacement;
    }

    /** The cleaner is done, or gives up. Harmless to repeat. */
    public void end() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        log.onCleaningEnded();
        deleteOld();
        if (!isBusy) {
            throwAway();
        } else {
            // A swap file must not outlive what it was made from; the rest is removed when the work is back.
            removeSwapFiles();
        }
    }

    /** As a killed process: closes the files that only this has, and leaves them where they are. From any thread. */
    void abandon() {
        isEnded = true;
        SegmentReplacement replacement = open;
        open = null;
        try {
            if (replacement != null) {
                replacement.segment().release();
            }
            for (OldFiles files : old) {
                files.segment().release();
            }
        } catch (IOException e) {
            log.warnOfLeftovers(e);
        }
    }

    private void throwAway() {
        SegmentReplacement replacement = open;
        open = null;
        if (replacement != null) {
            try {
                replacement.segment().release();
                delete(replacement.segment());
            } catch (IOException e) {
                log.warnOfLeftovers(e);
            }
        }
    }

    private void removeSwapFiles() {
        SegmentReplacement replacement = open;
        if (replacement != null && replacement.segment().hasSuffix(LogFiles.SWAP)) {
            try {
                delete(replacement.segment());
            } catch (IOException e) {
                log.warnOfLeftovers(e);
            }
        }
    }

    private void delete(LogSegment segment) throws IOException {
        Disk disk = environment.disk();
        for (Path path : segment.paths()) {
            disk.delete(path);
        }
        if (segment.hasSuffix(LogFiles.SWAP)) {
            // What it was made from is about to change; it must not come back.
            disk.forceDirectory(directory);
        }
    }
}
