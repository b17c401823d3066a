package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.disk.DiskOperation;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Stops a node before each change that an operation makes to the disk, in each way that matters: killed, with what was
 * written left in the page cache, or cut off from power, with what was never forced left to chance, some of them again
 * while they recover. What comes up must be a log that somebody wrote, down to its last forced byte.
 *
 * <p>Breaks of the code that it was seen to find, each by itself:
 *
 * <pre>
 * cut           not forced; the recovery point above it not lowered durably; transaction indexes not cut; the folder not
 *               forced after a deletion; segments deleted from the first to the last
 * flush         the logs not forced; the indexes of closed segments not forced
 * close         the indexes of the last segment not forced, as a flush leaves them
 * recovery      checksums not checked; transaction indexes not made anew; holes taken for granted; segments after a torn
 *               one kept; leader epochs put back of some segments only; snapshots
 *               beyond the end believed; an empty segment left behind a hole; indexes made anew below a recovery point
 *               that stays; a recovery point beyond the log's end kept (seed 18); indexes trusted that were still open at
 *               the recovery point (seed 515)
 * compaction    the replacement not forced; not all forced that supersedes, or not its names (seed 500); a swap that is given
 *               up not durably gone; a swap beside what is cleaned still believed
 * </pre>
 *
 * <p>{@code -Dtidemark.crash.seconds=3600} goes on for that long; {@code -Dtidemark.crash.seed=n} begins at that seed.
 */
@Execution(ExecutionMode.CONCURRENT)
class CrashTableTest {
    private static final int SEEDS = 8;
    private static final int LEAST_POINTS = 2_000;

    @Test
    void whereverANodeStopsItsLogComesUpWhole() {
        long first = Long.getLong("tidemark.crash.seed", 1);
        long seconds = Long.getLong("tidemark.crash.seconds", 0);
        long until = System.nanoTime() + seconds * 1_000_000_000L;
        int points = 0;
        for (long seed = first; seed < first + SEEDS || System.nanoTime() < until; seed++) {
            for (CrashScript.Action action : CrashScript.Action.values()) {
                points += crashAtEachPoint(seed, action);
            }
        }
        assertThat(points).as("crash points").isGreaterThanOrEqualTo(LEAST_POINTS);
    }

    private static int crashAtEachPoint(long seed, CrashScript.Action action) {
        int points = 0;
        boolean more = true;
        for (int operations = 0; more; operations++) {
            more = crashAfter(operations, seed, action, false, 0);
            points++;
            for (int loss = 0; loss < lossesOfNames(action); loss++) {
                crashAfter(operations, seed, action, true, loss);
                points++;
            }
        }
        return points;
    }

    /** What renames several files at once can be lost in more ways than others. */
    private static int lossesOfNames(CrashScript.Action action) {
        return switch (action) {
            case COMPACTION, FINISHED_SWAP, RETENTION -> 4;
            default -> 1;
        };
    }

    /** Returns false where the operation was done before the stop came. */
    private static boolean crashAfter(int operations, long seed, CrashScript.Action action, boolean power, int loss) {
        CrashScript script = null;
        int before = 0;
        try {
            script = new CrashScript(seed, seed % 2 == 0 || action.compacts());
            script.setUp(action);
            before = script.disk.changeCount();
            script.disk.stopAfter(operations);
            boolean interrupted = interrupted(script, action);
            script.bench.directory.abandon();
            comeUp(script, new SplittableRandom((seed * 1_000 + operations) * 10 + loss), power);
            return interrupted;
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(describe(script, before, operations, seed, action, power), e);
        }
    }

    private static boolean interrupted(CrashScript script, CrashScript.Action action) throws IOException {
        try {
            script.run(action);
            return script.disk.stopped();
        } catch (IOException e) {
            if (!script.disk.stopped()) {
                throw e;
            }
            return true;
        }
    }

    private static void comeUp(CrashScript script, SplittableRandom random, boolean power) throws IOException {
        script.noteSegments();
        crash(script, random, power);
        if (random.nextInt(4) == 0) {
            script.disk.stopAfter(random.nextInt(12));
            script.steps.add("crash, start and crash again");
            try {
                script.open();
            } catch (IOException e) {
                if (!script.disk.stopped()) {
                    throw e;
                }
            }
            script.bench.directory.abandon();
            crash(script, random, power);
        }
        if (script.compacts && random.nextInt(4) == 0) {
            script.steps.add("compact no more");
            script.bench.configs.put("cleanup.policy", "delete");
        }
        StrayFiles strays = random.nextInt(3) == 0 ? StrayFiles.plantedIn(script.bench, random) : null;
        script.steps.add(strays == null ? "crash and start" : "crash, plant strays and start");
        LastStop lastStop = RecoveredLog.lastStop(script.bench);
        TornSegment torn = TornSegment.in(script.bench, lastStop);
        script.open();
        torn.check(script.bench.log);
        RecoveredLog recovered = new RecoveredLog(script.bench, lastStop);
        // Of a log that is thrown away, the snapshots go first.
        boolean forgot = power || script.isThrownAway();
        recovered.check(script, forgot);
        if (strays != null) {
            strays.check(script.bench);
        }
        script.written.cameUpAs(
                recovered.batches(),
                script.bench.log.logStartOffset(),
                script.bench.log.logEndOffset(),
                script.segmentStarts());
        goOn(script, random, lastStop, power, forgot);
    }

    private static void crash(CrashScript script, SplittableRandom random, boolean power) {
        script.bench.loop.forgetTimers();
        if (power) {
            script.disk.powerLoss(random.nextLong());
        } else {
            script.written.killed();
            script.disk.restart();
        }
    }

    /** A log that came up must also go on: what is forced now is there after the next loss of power, all of it. */
    private static void goOn(
            CrashScript script, SplittableRandom random, LastStop lastStop, boolean power, boolean forgot)
            throws IOException {
        script.append();
        script.flush();
        RecoveredLog forced = new RecoveredLog(script.bench, lastStop);
        forced.check(script, forgot);
        script.append();
        script.bench.directory.abandon();
        crash(script, random, power);
        script.steps.add("crash and start once more");
        LastStop nextStop = RecoveredLog.lastStop(script.bench);
        script.open();
        RecoveredLog again = new RecoveredLog(script.bench, nextStop);
        again.check(script, forgot);
        assertThat(again.batches())
                .containsAll(forced.batches().stream()
                        .filter(batch -> batch.baseOffset() >= script.written.greatestStart())
                        .toList());
    }

    private static String describe(
            @Nullable CrashScript script,
            int before,
            int operations,
            long seed,
            CrashScript.Action action,
            boolean power) {
        StringBuilder text = new StringBuilder("Seed ")
                .append(seed)
                .append(", ")
                .append(action)
                .append(power ? ", power lost" : ", killed")
                .append(" after ")
                .append(operations)
                .append(" of its operations. Repeat with -Dtidemark.crash.seed=")
                .append(seed);
        if (script != null) {
            text.append("\n  steps: ").append(String.join("; ", script.steps));
            List<DiskOperation> changes = script.disk.changes();
            changes.subList(Math.min(before, changes.size()), changes.size())
                    .forEach(change -> text.append("\n  ").append(change));
        }
        return text.toString();
    }
}
