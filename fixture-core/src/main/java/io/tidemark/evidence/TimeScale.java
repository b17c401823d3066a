package io.tidemark.evidence;

import java.util.Collection;
import java.util.TreeMap;

/**
 * Where a moment is on an axis from 0 to 1. Time in which nothing happens is cut short, so that a wait of half a minute
 * does not press all else into a corner.
 */
final class TimeScale {
    private static final long LONGEST_GAP_MS = 1_000;
    private static final double MARGIN = 1.04;

    private final TreeMap<Long, Long> positions = new TreeMap<>();
    private final double end;

    /** A scale for moments in milliseconds since 1970. */
    TimeScale(Collection<Long> moments) {
        long before = 0;
        long position = 0;
        for (long moment : moments.stream().sorted().toList()) {
            if (!positions.isEmpty()) {
                position += Math.min(LONGEST_GAP_MS, moment - before);
            }
            positions.put(moment, position);
            before = moment;
        }
        this.end = Math.max(1, position * MARGIN);
    }

    double at(long moment) {
        var known = positions.floorEntry(moment);
        if (known == null) {
            return 0;
        }
        return Math.min(1, (known.getValue() + Math.min(LONGEST_GAP_MS, moment - known.getKey())) / end);
    }

    /** The last known moment that is not behind a place on the axis. */
    long momentAt(double place) {
        long found = positions.isEmpty() ? 0 : positions.firstKey();
        for (var entry : positions.entrySet()) {
            if (entry.getValue() / end <= place) {
                found = entry.getKey();
            }
        }
        return found;
    }
}
