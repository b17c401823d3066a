package io.tidemark.evidence;

import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One transaction from its first partition to its end, out of the timeline.
 *
 * @param transactionalId whose it is
 * @param from the event that began it
 * @param last the newest event of it
 * @param end the event that ended it; null where it is still open
 * @param partitions the names of its partitions
 */
record Span(
        String transactionalId,
        TimelineEvent from,
        TimelineEvent last,
        @Nullable TimelineEvent end,
        Set<String> partitions) {
    private static final String WITH = " with ";

    Span {
        partitions = Set.copyOf(partitions);
    }

    /** In the order in which they began. */
    static List<Span> in(List<TimelineEvent> events) {
        Map<TimelineEvent, Span> all = new LinkedHashMap<>();
        Map<String, Span> open = new LinkedHashMap<>();
        for (TimelineEvent event : events) {
            if (event.kind() != Kind.TRANSACTION) {
                continue;
            }
            Span before = open.remove(event.subject());
            TimelineEvent from = before == null ? event : before.from();
            Set<String> partitions = partitionsOf(event);
            Span now = null;
            if (!partitions.isEmpty() && !event.text().startsWith("Complete")) {
                now = new Span(event.subject(), from, event, null, partitions);
                open.put(event.subject(), now);
            } else if (before != null) {
                now = new Span(event.subject(), from, event, event, before.partitions());
            }
            if (now != null) {
                all.put(from, now);
            }
        }
        return new ArrayList<>(all.values());
    }

    private static Set<String> partitionsOf(TimelineEvent event) {
        int with = event.text().indexOf(WITH);
        return with < 0
                ? Set.of()
                : Set.of(event.text().substring(with + WITH.length()).split(", "));
    }

    /** The state as Kafka names it, for example {@code Ongoing}. */
    String state() {
        int with = last.text().indexOf(WITH);
        return with < 0 ? last.text() : last.text().substring(0, with);
    }

    boolean isOpen() {
        return end == null;
    }
}
