package io.tidemark.broker.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, as a hash of everything and as the last lines. The hash of two runs is equal only if they are. */
final class Trace {
    private static final int LINES = 400;

    private final ArrayDeque<Line> last = new ArrayDeque<>();
    private final boolean isPrinting = Boolean.getBoolean("tidemark.simulation.trace");
    private long hash = 1_125_899_906_842_597L;

    private record Line(long timeUs, int place, String what, long one, long other) {
        @Override
        public String toString() {
            String where = place == 0 ? "world" : place >= Cluster.FIRST_CLIENT ? "client-" + place : "node-" + place;
            return String.format(Locale.ROOT, "%11.3f ms  %-10s %s", timeUs / 1_000.0, where, text());
        }

        private String text() {
            return what.replace("{1}", Long.toString(one)).replace("{2}", Long.toString(other));
        }
    }

    void add(long timeUs, int place, String what) {
        mix(timeUs);
        mix(place);
        mix(what.hashCode());
    }

    /** A line worth reading; {@code {1}} and {@code {2}} stand for the numbers. */
    void note(long timeUs, int place, String what, long one, long other) {
        add(timeUs, place, what);
        mix(one);
        mix(other);
        last.add(new Line(timeUs, place, what, one, other));
        if (isPrinting) {
            System.out.println(last.getLast());
        }
        if (last.size() > LINES) {
            last.remove();
        }
    }

    void mix(long value) {
        hash = hash * 6_364_136_223_846_793_005L + value + 1;
        hash ^= hash >>> 29;
    }

    long hash() {
        return hash;
    }

    /** The last lines, the oldest first. */
    List<String> lines(int most) {
        List<String> lines = new ArrayList<>();
        int skipped = Math.max(0, last.size() - most);
        for (Line line : last) {
            if (skipped-- <= 0) {
                lines.add(line.toString());
            }
        }
        return lines;
    }
}
