package io.tidemark.broker.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs seeds from the command line, without end unless it is told one. By system properties, all below
 * {@code tidemark.simulation}: {@code seed} for a single one, with {@code trace} for all that happens in it;
 * {@code from} for the first of many; {@code seconds} and {@code seeds} for how long and how many.
 */
public final class SimulationRun {
    private static final String PREFIX = "tidemark.simulation.";
    private static final long REPORT_NS = 60_000_000_000L;

    private final long startNs = System.nanoTime();
    private final long endNs;
    private final long lastSeed;
    private final AtomicLong nextSeed;
    private long runs;
    private long events;
    private long virtualMs;
    private long reportedNs = startNs;
    private final List<String> failures = new ArrayList<>();

    private SimulationRun(long firstSeed, long count, long seconds) {
        nextSeed = new AtomicLong(firstSeed);
        lastSeed = firstSeed + count - 1;
        endNs = seconds == 0 ? Long.MAX_VALUE : startNs + seconds * 1_000_000_000L;
    }

    public static void main(String[] arguments) throws InterruptedException {
        Long seed = Long.getLong(PREFIX + "seed");
        SimulationRun run = seed != null
                ? new SimulationRun(seed, 1, 0)
                : new SimulationRun(
                        Long.getLong(PREFIX + "from", 1),
                        Long.getLong(PREFIX + "seeds", Long.MAX_VALUE / 2),
                        Long.getLong(PREFIX + "seconds", 0));
        run.run(
                seed != null
                        ? 1
                        : Integer.getInteger(
                                PREFIX + "threads", Runtime.getRuntime().availableProcessors()));
    }

    private void run(int threads) throws InterruptedException {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(this::work, "simulation-" + i);
            workers.add(worker);
            worker.start();
        }
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(summary());
        if (!failures.isEmpty()) {
            throw new Violation(failures.size() + " of the runs broke a rule; their reports are above");
        }
    }

    private void work() {
        for (long seed = nextSeed.getAndIncrement();
                seed <= lastSeed && System.nanoTime() < endNs;
                seed = nextSeed.getAndIncrement()) {
            take(new Simulation(seed).run());
        }
    }

    private synchronized void take(Simulation.Outcome outcome) {
        runs++;
        events += outcome.events();
        virtualMs += outcome.virtualMs();
        if (!outcome.isSound()) {
            failures.add(outcome.report());
            System.out.println(outcome.report());
        } else if (lastSeed == outcome.seed()) {
            System.out.println(outcome.report() + ", " + outcome.events() + " events, hash " + outcome.traceHash());
        }
        if (System.nanoTime() - reportedNs > REPORT_NS) {
            reportedNs = System.nanoTime();
            System.out.println(summary());
        }
    }

    private String summary() {
        return String.format(
                Locale.ROOT,
                "%d runs, %d failed; %d events in %.2f virtual hours, %.0f s",
                runs,
                failures.size(),
                events,
                virtualMs / 3_600_000.0,
                (System.nanoTime() - startNs) / 1e9);
    }
}
