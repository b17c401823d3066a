package io.tidemark.broker.log.cleaner;

import io.tidemark.broker.journal.NodeLog;
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
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compacts a broker's logs, the dirtiest first, as many at a time as {@code log.cleaner.threads} says. Looks for one after
 * each, and after a pause where there is none. A log that is damaged is told of once and left alone until the broker
 * starts again; a disk that fails takes its directory offline.
 *
 * <p>The settings are asked for at each look, so that a change of them holds from the next log on.
 */
public final class LogCleaner {
    private static final NodeLog LOG = NodeLog.of(LogCleaner.class);
    private static final String LANE = "log-cleaner-";

    private final Supplier<CleanerSettings> settings;
    private final Clock clock;
    private final Loop loop;
    private final List<LogDirectory> directories;
    private final Supplier<List<CleanableLog>> logs;
    private final Set<PartitionLog> uncleanable = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Those at work, by their lane. */
    private final TreeMap<Integer, Turn> turns = new TreeMap<>();

    private Loop.@Nullable Timer timer;
    private boolean isClosed;

    private record Dirty(PartitionLog log, DirtyRange range) {}

    /**
     * @param settings as they hold now
     * @param directories where the checkpoints are
     * @param logs those in service, as of now
     */
    public LogCleaner(
            Supplier<CleanerSettings> settings,
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
        CleanerSettings now = settings.get();
        if (now.isEnabled()) {
            lookAgainIn(now.backoffMs());
        }
    }

    /** Ends; what it was at is begun again after the next start. */
    public void close() {
        isClosed = true;
        cancelLook();
        for (Turn turn : List.copyOf(turns.values())) {
            turn.end();
        }
    }

    private void lookAgainIn(long delayMs) {
        cancelLook();
        if (!isClosed) {
            timer = loop.schedule(Math.max(1, delayMs), this::look);
        }
    }

    private void cancelLook() {
        Loop.Timer scheduled = timer;
        if (scheduled != null) {
            scheduled.cancel();
        }
    }

    private void look() {
        if (isClosed) {
            return;
        }
        CleanerSettings now = settings.get();
        // Whoever ends before that looks again at once.
        lookAgainIn(now.backoffMs());
        for (int idle = now.threads() - turns.size(); idle > 0; idle--) {
            Dirty dirtiest = dirtiest();
            if (dirtiest == null) {
                return;
            }
            clean(dirtiest, now);
        }
    }

    private @Nullable Dirty dirtiest() {
        long nowMs = clock.wallTimeMs();
        Dirty dirtiest = null;
        for (CleanableLog candidate : logs.get()) {
            PartitionLog log = candidate.log();
            if (!log.config().compact()
                    || log.segmentCount() < 2
                    || log.isBeingCleaned()
                    || uncleanable.contains(log)) {
                continue;
            }
            try {
                DirtyRange range = DirtyRange.of(
                        log.segmentSources(),
                        log.logStartOffset(),
                        log.cleanedTo(),
                        candidate.lastStableOffset(),
                        log.config(),
                        nowMs);
                if (range.isWorthCleaning(log.config().minCleanableDirtyRatio())
                        && (dirtiest == null || range.ratio() > dirtiest.range().ratio())) {
                    dirtiest = new Dirty(log, range);
                }
            } catch (IOException e) {
                failed(log, e);
            }
        }
        return dirtiest;
    }

    private void clean(Dirty dirty, CleanerSettings now) {
        int lane = 0;
        while (turns.containsKey(lane)) {
            lane++;
        }
        LogCleaning cleaning = dirty.log().startCleaning();
        Turn turn = new Turn(
                lane, dirty.log(), cleaning, new CleaningRun(cleaning, dirty.range(), now, clock.wallTimeMs()));
        turns.put(lane, turn);
        turn.nextPiece();
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
        private final int lane;
        private final PartitionLog log;
        private final LogCleaning cleaning;
        private final CleaningRun run;
        private Loop.@Nullable Timer pause;

        Turn(int lane, PartitionLog log, LogCleaning cleaning, CleaningRun run) {
            this.lane = lane;
            this.log = log;
            this.cleaning = cleaning;
            this.run = run;
        }

        /** From outside of the turn; it learns of it when the work beside the loop is back. */
        private void end() {
            Loop.Timer scheduled = pause;
            if (scheduled != null) {
                scheduled.cancel();
            }
            cleaning.end();
        }

        private void nextPiece() {
            if (cleaning.isEnded()) {
                over(null);
                return;
            }
            long startMs = clock.monotonicMs();
            beside(run::work, next -> {
                long pauseMs = settings.get().pauseMs(run.takeBytes(), clock.monotonicMs() - startMs, turns.size());
                Runnable then = () -> goOn(next);
                if (pauseMs > 0) {
                    pause = loop.schedule(pauseMs, then);
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
            loop.runBeside(LANE + lane, work, (result, failure) -> {
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
            turns.remove(lane, this);
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure != null && isOurs) {
                failed(log, failure);
            }
            lookAgainIn(failure == null ? 0 : settings.get().backoffMs());
        }
    }
}
