package io.tidemark;

import io.tidemark.TimelineEvent.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What faults have struck, when and where: the first few strikes of each, and of the rest how many and the last. Not safe
 * from several threads.
 */
final class Strikes {
    private static final int MOST_TOLD = 3;
    private static final int MOST_FAULTS = 300;

    private final Map<Object, OfOne> faults = new LinkedHashMap<>();

    /** The strikes of one fault. */
    private static final class OfOne {
        final List<TimelineEvent> told = new ArrayList<>();
        long more;
        TimelineEvent last = new TimelineEvent(0, Kind.STRIKE, "", "");
    }

    void add(long timestampMs, Object fault, String place, String text) {
        OfOne strikes = faults.get(fault);
        if (strikes == null) {
            if (faults.size() == MOST_FAULTS) {
                faults.remove(faults.keySet().iterator().next());
            }
            strikes = new OfOne();
            faults.put(fault, strikes);
        }
        TimelineEvent event = new TimelineEvent(timestampMs, Kind.STRIKE, place, fault + " struck " + text);
        if (strikes.told.size() < MOST_TOLD) {
            strikes.told.add(event);
        } else {
            strikes.more++;
            strikes.last = event;
        }
    }

    List<TimelineEvent> events() {
        List<TimelineEvent> all = new ArrayList<>();
        for (OfOne strikes : faults.values()) {
            all.addAll(strikes.told);
            TimelineEvent last = strikes.last;
            if (strikes.more == 1) {
                all.add(last);
            } else if (strikes.more > 1) {
                all.add(new TimelineEvent(
                        last.timestampMs(),
                        Kind.STRIKE,
                        last.subject(),
                        last.text() + ", the last of " + strikes.more + " more"));
            }
        }
        return all;
    }
}
