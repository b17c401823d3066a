package io.tidemark.evidence;

import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A commit of a group, out of the timeline.
 *
 * @param event where it was found
 * @param group the group
 * @param partition the partition's name, for example {@code orders-0}
 * @param offset the committed offset
 */
record Committed(TimelineEvent event, String group, String partition, long offset) {
    private static final Pattern TEXT = Pattern.compile("committed (\\d+) of (.+)");

    static List<Committed> in(List<TimelineEvent> events) {
        return events.stream().flatMap(event -> of(event).stream()).toList();
    }

    static Optional<Committed> of(TimelineEvent event) {
        Matcher text = TEXT.matcher(event.text());
        return event.kind() == Kind.OFFSET && text.matches()
                ? Optional.of(new Committed(event, event.subject(), text.group(2), Long.parseLong(text.group(1))))
                : Optional.empty();
    }
}
