package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.log.LogCleaning;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compacts a broker's logs, one at a time, the dirtiest first. Looks for one after each, and after a pause where there is
 * none. A log that is damaged is told of once and left alone until the broker starts again; a disk that fails takes its
 * directory offline.
 */
public final class LogCleaner {
    private static final Logger LOG = LoggerFactory.getLogger(LogCleaner.class);
    private static final String LANE = "log-cleaner";

    private final CleanerSettings settings;
    private final Clock clock;
    private final Loop loop;
    private final List<LogDirectory> directories;
    private final Supplier<List<CleanableLog>> logs;
    private final Set<PartitionLog> uncleanable = Collections.newSetFromMap(new IdentityHashMap<>());
    private Loop.@Nullable Timer timer;
    private @Nullable LogCleaning current;
    private boolean isClosed;

    /**
     * @param directories where the checkpoints are
     * @param logs those in service, as of now
     */
    public LogCleaner(
            CleanerSettings settings,
            Clock clock,
            Loop loop,
            List<LogDirectory> directories,
            Supplier<List<CleanableLog>> logs) {
        this.settings = settings;
        this.clock = clock;
        this.loop = loop;
        this.directories = List.copyOf(directories);
        this.logs = logs;
    }

    /** Begins to look for logs to compact, where {@code log.cleaner.enable} says so. */
    public void start() {
        if (settings.isEnabled()) {
            lookAgainIn(settings.backoffMs());
        }
    }

    /** Ends; what it was at is begun again after the next start. */
    public void close() {
        isClosed = true;
        Loop.Timer scheduled = timer;
        if (scheduled != null) {
            scheduled.cancel();
        }
        LogCleaning cleaning = current;
        if (cleaning != null) {
            cleaning.end();
        }
    }

    private void lookAgainIn(long delayMs) {
        if (!isClosed) {
            timer = loop.schedule(Math.max(1, delayMs), this::look);
        }
    }

    private void look() {
        if (isClosed) {
            return;
        }
        long nowMs = clock.wallTimeMs();
        PartitionLog dirtiest = null;
        DirtyRange range = null;
        for (CleanableLog candidate : logs.get()) {
            PartitionLog log = candidate.log();
            if (!log.config().compact() || log.segmentCount() < 2 || uncleanable.contains(log)) {
                continue;
            }
            try {
                DirtyRange dirty = DirtyRange.of(
                        log.segmentSources(),
                        log.logStartOffset(),
                        log.cleanedTo(),
                        candidate.lastStableOffset(),
                        log.config(),
                        nowMs);
                if (dirty.isWorthCleaning(log.config().minCleanableDirtyRatio())
                        && (range == null || dirty.ratio() > range.ratio())) {
                    dirtiest = log;
                    range = dirty;
                }
            } catch (IOException e) {
                failed(log, e);
            }
        }
        if (dirtiest == null || range == null) {
            lookAgainIn(settings.backoffMs());
        } else {
            clean(dirtiest, range, nowMs);
        }
    }

    private void clean(PartitionLog log, DirtyRange range, long nowMs) {
        LogCleaning cleaning = log.startCleaning();
        current = cleaning;
        new Turn(log, cleaning, new CleaningRun(cleaning, range, settings, nowMs)).nextPiece();
    }

    /** What cannot be read or written takes the directory offline; what is damaged is left alone. */
    private void failed(PartitionLog log, Throwable cause) {
        for (LogDirectory directory : directories) {
            if (cause instanceof IOException io && directory.partition(log.topicPartition()) == log) {
                directory.health().fail("compact " + log.topicPartition(), io);
                return;
            }
        }
        giveUp(log, cause);
    }

    private void giveUp(PartitionLog log, Throwable cause) {
        LOG.error("Cannot compact {}; it is left as it is until the broker starts again", log, cause);
        uncleanable.add(log);
    }

    private void writeOffsets() {
        for (LogDirectory directory : directories) {
            try {
                if (directory.health().isOnline()) {
                    directory.writeCleanerOffsets();
                }
            } catch (IOException e) {
                directory.health().fail("write the cleaner's offsets", e);
            }
        }
    }

    /** A step that may fail with the disk. */
    private interface Step {
        void run() throws IOException;
    }

    /** One log being compacted: the way from beside the loop to the loop and back. */
    private final class Turn {
        private final PartitionLog log;
        private final LogCleaning cleaning;
        private final CleaningRun run;

        Turn(PartitionLog log, LogCleaning cleaning, CleaningRun run) {
            this.log = log;
            this.cleaning = cleaning;
            this.run = run;
        }

        private void nextPiece() {
            if (cleaning.isEnded()) {
                over(null);
                return;
            }
            long startMs = clock.monotonicMs();
            beside(run::work, next -> {
                long pauseMs = settings.pauseMs(run.takeBytes(), clock.monotonicMs() - startMs);
                Runnable then = () -> goOn(next);
                if (pauseMs > 0) {
                    timer = loop.schedule(pauseMs, then);
                } else {
                    then.run();
                }
            });
        }

        private void goOn(CleaningRun.Next next) {
            switch (next) {
                case PIECE -> nextPiece();
                case SWAP -> swap();
                case NOTHING -> {
                    if (!cleaning.isEnded()) {
                        log.cleanedTo(run.cleanedTo());
                        writeOffsets();
                    }
                    over(null);
                }
            }
        }

        private void swap() {
            onLoop(
                    cleaning::prepareSwap,
                    () -> beside(
                            cleaning::force,
                            prepared -> onLoop(
                                    cleaning::swap,
                                    () -> beside(cleaning::force, swapped -> {
                                        cleaning.deleteOld();
                                        nextPiece();
                                    }))));
        }

        private void onLoop(Step step, Runnable then) {
            if (cleaning.isEnded()) {
                over(null);
                return;
            }
            try {
                step.run();
            } catch (IOException e) {
                over(e);
                return;
            }
            then.run();
        }

        private <T> void beside(Callable<T> work, Consumer<T> then) {
            cleaning.enter();
            loop.runBeside(LANE, work, (result, failure) -> {
                cleaning.leave();
                if (result == null || cleaning.isEnded()) {
                    over(failure);
                } else {
                    then.accept(result);
                }
            });
        }

        /** A failure after the log was taken away is no news: its files were closed. */
        private void over(@Nullable Throwable failure) {
            boolean isOurs = !cleaning.isEnded();
            cleaning.end();
            current = null;
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null && isOurs) {
                failed(log, failure);
            }
            lookAgainIn(failure == null ? 0 : settings.backoffMs());
        }
    }
}
