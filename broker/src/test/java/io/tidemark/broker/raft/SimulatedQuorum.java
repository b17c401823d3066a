package io.tidemark.broker.raft;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A quorum of {@link SimulatedVoter}s on a network and a clock of its own. What it does is a function of the seed. It
 * checks, after every event: one leader per epoch; what was committed once stays as it was, on everyone who commits it;
 * logs agree where they have the same epoch at the same offset; no high watermark of a life goes back.
 */
final class SimulatedQuorum {
    private static final int TRACE_LINES = 60;

    final SplittableRandom random;
    private final long seed;
    private final boolean isTraced;
    private final TreeMap<Integer, SimulatedVoter> voters = new TreeMap<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<Integer, Integer> leaders = new TreeMap<>();
    private final List<SimulatedVoter.Entry> committed = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private final double lossRate;
    private final long mostDelayMs;
    private final long faultEveryMs;
    private final boolean hasSplits;
    private final boolean hasCrashes;
    private final Map<Integer, Integer> side = new HashMap<>();
    private boolean isHurting;
    private long nowMs = 1_000;
    private long nextSequence;
    private long nextValue;
    private long hash;

    /** @param isTraced keeps what happened last, at some cost */
    SimulatedQuorum(int size, long seed, boolean isTraced) {
        this.seed = seed;
        this.isTraced = isTraced;
        this.random = new SplittableRandom(seed);
        // The seed draws which faults there are, and how often.
        lossRate = random.nextInt(3) == 0 ? 0 : random.nextDouble(0.3);
        mostDelayMs = 1 + random.nextLong(random.nextBoolean() ? 20 : 400);
        faultEveryMs = 200 + random.nextLong(2_000);
        hasSplits = random.nextInt(4) != 0;
        hasCrashes = random.nextInt(4) != 0;
        List<Integer> ids = new ArrayList<>();
        for (int id = 1; id <= size; id++) {
            ids.add(id);
        }
        for (int id : ids) {
            voters.put(id, new SimulatedVoter(this, id, VoterSet.ofIds(ids)));
        }
        voters.values().forEach(SimulatedVoter::start);
        propose();
    }

    private record Event(long atMs, long sequence, Runnable work) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atMs, other.atMs);
            return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
        }
    }

    long nowMs() {
        return nowMs;
    }

    void at(long delayMs, Runnable work) {
        events.add(new Event(nowMs + Math.max(delayMs, 0), nextSequence++, work));
    }

    /** Delivers later, or never, or twice. */
    void send(int from, int to, Object what, Runnable delivery) {
        if (isCut(from, to) || isHurting && random.nextDouble() < lossRate) {
            note("lost", from, to, what);
            return;
        }
        int copies = isHurting && random.nextInt(50) == 0 ? 2 : 1;
        for (int copy = 0; copy < copies; copy++) {
            at(1 + random.nextLong(isHurting ? mostDelayMs : 5), () -> {
                if (!isCut(from, to)) {
                    note("got", from, to, what);
                    delivery.run();
                }
            });
        }
    }

    private boolean isCut(int from, int to) {
        return isHurting && !side.getOrDefault(from, 0).equals(side.getOrDefault(to, 0));
    }

    /** Every event goes into the hash; into the trace only where it is wanted. */
    void note(String event, Object... about) {
        hash = hash * 31 + nowMs;
        hash = hash * 31 + event.hashCode();
        if (isTraced) {
            trace.addLast(nowMs + " " + event + " " + Arrays.toString(about));
            if (trace.size() > TRACE_LINES) {
                trace.removeFirst();
            }
        }
    }

    /** The same for the same run. */
    long hash() {
        return hash;
    }

    String trace() {
        StringBuilder lines = new StringBuilder("seed " + seed + "\n");
        trace.forEach(line -> lines.append(line).append('\n'));
        voters.values().forEach(voter -> lines.append(voter).append('\n'));
        return lines.toString();
    }

    SimulatedVoter voter(int id) {
        return voters.get(id);
    }

    void hurt(long durationMs) {
        isHurting = true;
        at(faultEveryMs, this::fault);
        run(durationMs);
    }

    private void fault() {
        if (!isHurting) {
            return;
        }
        SimulatedVoter victim = voters.get(1 + random.nextInt(voters.size()));
        if (random.nextBoolean()) {
            // What happens to the leader teaches most.
            for (SimulatedVoter voter : voters.values()) {
                victim = voter.isLeading() ? voter : victim;
            }
        }
        switch (random.nextInt(4)) {
            case 0 -> {
                if (hasSplits) {
                    voters.keySet().forEach(id -> side.put(id, random.nextInt(2)));
                    side.put(victim.id(), 2);
                    note("split", new TreeMap<>(side));
                }
            }
            case 1 -> {
                side.clear();
                note("joined");
            }
            default -> {
                if (hasCrashes && victim.isUp()) {
                    SimulatedVoter crashed = victim;
                    crashed.crash();
                    at(random.nextLong(4_000), crashed::start);
                }
            }
        }
        at(1 + random.nextLong(2 * faultEveryMs), this::fault);
    }

    /** From here on nothing fails, and all has to come right within the time. */
    void heal(long withinMs) {
        isHurting = false;
        side.clear();
        note("healed");
        voters.values().forEach(SimulatedVoter::start);
        run(withinMs / 2);
        long before = committed.size();
        run(withinMs / 2);
        long leading =
                voters.values().stream().filter(SimulatedVoter::isLeading).count();
        check(leading == 1, "healed, but " + leading + " lead");
        check(committed.size() > before, "healed, but nothing is committed any more at " + before);
        long least = voters.values().stream()
                .mapToLong(SimulatedVoter::highWatermark)
                .min()
                .orElse(-1);
        check(least >= before, "healed, but somebody is at " + least + " of " + before);
    }

    private void run(long durationMs) {
        long endMs = nowMs + durationMs;
        while (!events.isEmpty() && events.peek().atMs() <= endMs) {
            Event event = events.remove();
            nowMs = event.atMs();
            event.work().run();
            voters.values().forEach(this::check);
        }
        nowMs = endMs;
    }

    /** Somebody writes to whoever thinks that it leads. */
    private void propose() {
        for (SimulatedVoter voter : voters.values()) {
            if (voter.isLeading()) {
                voter.append(nextValue++);
            }
        }
        at(100 + random.nextLong(400), this::propose);
    }

    private void check(SimulatedVoter voter) {
        if (!voter.isUp()) {
            return;
        }
        if (voter.isLeading()) {
            int epoch = voter.leaderEpoch();
            Integer before = leaders.putIfAbsent(epoch, voter.id());
            check(before == null || before == voter.id(), voter.id() + " leads epoch " + epoch + " of " + before);
            if (before == null) {
                note("leads", voter.id(), epoch);
            }
        }
        for (long offset = voter.takeCheckedFrom(); offset < voter.highWatermark(); offset++) {
            SimulatedVoter.Entry entry = voter.entry((int) offset);
            if (offset == committed.size()) {
                committed.add(entry);
            }
            check(
                    entry.equals(committed.get((int) offset)),
                    voter.id() + " has " + entry + " committed at " + offset + "; committed was "
                            + committed.get((int) offset));
        }
        if (voter.isLeading() && voter.takeNewlyLeading()) {
            checkComplete(voter);
            checkLogs();
        }
    }

    /** Leader completeness: who is elected has all that was ever committed. */
    private void checkComplete(SimulatedVoter leader) {
        for (int offset = 0; offset < committed.size(); offset++) {
            check(
                    offset < leader.endOffset() && leader.entry(offset).equals(committed.get(offset)),
                    leader.id() + " was elected without the committed " + committed.get(offset) + " at " + offset);
        }
    }

    /** Log matching: where two logs have the same epoch at an offset, they are the same up to there. */
    private void checkLogs() {
        for (SimulatedVoter one : voters.values()) {
            for (SimulatedVoter other : voters.values()) {
                if (one.id() < other.id()) {
                    checkPair(one, other);
                }
            }
        }
    }

    private static void checkPair(SimulatedVoter one, SimulatedVoter other) {
        boolean mustMatch = false;
        for (int offset = (int) Math.min(one.endOffset(), other.endOffset()) - 1; offset >= 0; offset--) {
            mustMatch |= one.entry(offset).epoch() == other.entry(offset).epoch();
            check(
                    !mustMatch || one.entry(offset).equals(other.entry(offset)),
                    "logs of " + one.id() + " and " + other.id() + " differ at " + offset + " below a common epoch");
        }
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    int committedCount() {
        return committed.size();
    }

    int elections() {
        return leaders.size();
    }
}
