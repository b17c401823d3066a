package io.tidemark.journal;

import io.tidemark.journal.ReplicaHistory.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * A replica's history in bounded memory: of the moments in one interval only the last is kept, and the interval doubles
 * whenever there are too many, so that the whole span stays in sight. What takes another role or is cut is always kept.
 */
final class ReplicaTrack {
    private static final int MOST = 400;

    private List<Moment> moments = new ArrayList<>();
    private long intervalMs = 1;

    synchronized void add(Moment moment) {
        keep(moment);
        while (moments.size() > MOST) {
            thinOut();
        }
    }

    private void keep(Moment moment) {
        if (!moments.isEmpty()) {
            Moment last = moments.get(moments.size() - 1);
            boolean isTurn = moment.leads() != last.leads() || moment.logEndOffset() < last.logEndOffset();
            if (!isTurn && moment.timestampMs() / intervalMs == last.timestampMs() / intervalMs) {
                moments.set(moments.size() - 1, moment);
                return;
            }
        }
        moments.add(moment);
    }

    /** Down to about half; where that is not to be had, as all are turns, the oldest half goes. */
    private void thinOut() {
        intervalMs *= 2;
        List<Moment> all = moments;
        moments = new ArrayList<>();
        all.forEach(this::keep);
        if (moments.size() > MOST * 3 / 4) {
            moments = new ArrayList<>(moments.subList(moments.size() - MOST / 2, moments.size()));
        }
    }

    synchronized List<Moment> moments() {
        return List.copyOf(moments);
    }
}
