package io.tidemark.evidence;

import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What stands out in a cluster, in whole sentences, most telling first: nodes that are down, partitions that cannot be
 * written to, records that wait, readers that are held up. It names no cause that the evidence does not show.
 */
final class Findings {
    private static final String MIN_ISR = "min.insync.replicas=";

    private final Evidence evidence;
    private final List<String> found = new ArrayList<>();

    private Findings(Evidence evidence) {
        this.evidence = evidence;
    }

    static List<String> of(Evidence evidence) {
        Findings findings = new Findings(evidence);
        for (PartitionState partition : evidence.partitions()) {
            if (!partition.topic().startsWith("__")) {
                findings.leader(partition);
                findings.inSync(partition);
                findings.notCommitted(partition);
                findings.heldUp(partition);
            }
        }
        findings.groups();
        findings.faults();
        return findings.found;
    }

    private void leader(PartitionState partition) {
        if (partition.leader().isEmpty()) {
            found.add(partition.name() + " has no leader" + since(lastOf(Kind.LEADER, partition.name()))
                    + ": nobody can write to it or read from it. Its ISR is " + partition.isr());
        }
    }

    private void inSync(PartitionState partition) {
        List<Integer> missing = partition.replicaIds().stream()
                .filter(id -> !partition.isr().contains(id))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        int minIsr = minIsr(partition.topic());
        String who = missing.stream()
                .map(id -> "broker " + id + stateOf(partition, id))
                .collect(Collectors.joining(" and "));
        if (partition.isr().size() < minIsr) {
            found.add(partition.name() + " refuses writes with acks=all"
                    + since(lastOf(Kind.ISR, Kind.LEADER, partition.name())) + ": its ISR " + partition.isr()
                    + " is smaller than min.insync.replicas " + minIsr + "; out of sync: " + who);
        } else {
            found.add(partition.name() + " is under-replicated: " + who + " out of sync, ISR " + partition.isr());
        }
    }

    private static String stateOf(PartitionState partition, int brokerId) {
        ReplicaState replica = partition.replica(brokerId);
        return replica == null || replica.log() != null ? "" : " (" + replica.nodeState() + ")";
    }

    private void notCommitted(PartitionState partition) {
        OptionalLong end = partition.leader().isPresent()
                ? partition.logEndOffset(partition.leader().getAsInt())
                : OptionalLong.empty();
        OptionalLong committed = partition.highWatermark();
        if (end.isEmpty() || committed.isEmpty() || end.getAsLong() <= committed.getAsLong()) {
            return;
        }
        String behind = partition.isr().stream()
                .filter(id -> partition.logEndOffset(id).orElse(-1) < end.getAsLong())
                .map(id -> "broker " + id + stateOf(partition, id))
                .collect(Collectors.joining(" and "));
        long first = committed.getAsLong();
        long last = end.getAsLong() - 1;
        found.add(partition.name() + ": "
                + (first == last ? "record " + first + " is" : "records " + first + " to " + last + " are")
                + " in the leader's log and not committed"
                + (behind.isEmpty() ? "" : "; in the ISR and behind: " + behind));
    }

    private void heldUp(PartitionState partition) {
        OptionalLong stable = partition.lastStableOffset();
        OptionalLong committed = partition.highWatermark();
        if (stable.isEmpty() || committed.isEmpty() || stable.getAsLong() >= committed.getAsLong()) {
            return;
        }
        String who = Span.in(evidence.events()).stream()
                .filter(span -> span.isOpen() && span.partitions().contains(partition.name()))
                .map(span -> "transaction " + span.transactionalId() + ", " + span.state() + since(span.from()))
                .collect(Collectors.joining(" and "));
        found.add(partition.name() + ": read_committed consumers stop at offset " + stable.getAsLong() + " of "
                + committed.getAsLong() + ", held up by "
                + (who.isEmpty() ? "records of a transaction that no coordinator has open" : who));
    }

    /** What a group has committed beside how much there is to read, and where it went on after it had no member. */
    private void groups() {
        Map<String, Map<String, Long>> committed = new LinkedHashMap<>();
        Map<String, TimelineEvent> empty = new LinkedHashMap<>();
        for (TimelineEvent event : evidence.events()) {
            Committed.of(event).ifPresent(commit -> committed
                    .computeIfAbsent(commit.group(), group -> new TreeMap<>())
                    .put(commit.partition(), commit.offset()));
            if (event.kind() == Kind.GROUP) {
                Map<String, Long> offsets = committed.getOrDefault(event.subject(), Map.of());
                if (event.text().endsWith(" 0 members")) {
                    empty.put(event.subject(), event);
                } else if (empty.containsKey(event.subject()) && !offsets.isEmpty()) {
                    found.add("Group " + event.subject() + " had no member from"
                            + at(Objects.requireNonNull(empty.remove(event.subject())))
                                    .substring(3) + " to"
                            + at(event).substring(3) + "; it went on where it had committed: " + shown(offsets));
                }
            }
        }
        committed.forEach((group, offsets) -> {
            Map<String, Long> behind = new TreeMap<>(offsets);
            behind.entrySet().removeIf(entry -> endOf(entry.getKey()) <= entry.getValue());
            if (!behind.isEmpty()) {
                found.add("Group " + group + " has not committed all that there is: "
                        + behind.entrySet().stream()
                                .map(entry ->
                                        entry.getValue() + " of " + endOf(entry.getKey()) + " in " + entry.getKey())
                                .collect(Collectors.joining(", ")));
            }
        });
    }

    private static String shown(Map<String, Long> offsets) {
        return offsets.entrySet().stream()
                .map(entry -> entry.getKey() + " at offset " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private long endOf(String name) {
        return evidence.partitions().stream()
                .filter(partition -> partition.name().equals(name))
                .mapToLong(partition -> partition.highWatermark().orElse(0))
                .findFirst()
                .orElse(0);
    }

    private void faults() {
        List<TimelineEvent> faults = evidence.events().stream()
                .filter(event -> event.kind() == Kind.FAULT)
                .toList();
        List<TimelineEvent> strikes = evidence.events().stream()
                .filter(event -> event.kind() == Kind.STRIKE)
                .toList();
        if (!strikes.isEmpty()) {
            found.add("Struck by faults: " + listed(strikes));
        }
        if (!faults.isEmpty()) {
            found.add("Done to the cluster: " + listed(faults));
        }
    }

    /** The last few. */
    private String listed(List<TimelineEvent> events) {
        return events.subList(Math.max(0, events.size() - 4), events.size()).stream()
                .map(event -> event.subject() + " " + event.text() + at(event))
                .collect(Collectors.joining("; "));
    }

    /** As the timeline of configs has it, of the topic or else of all brokers. */
    private int minIsr(String topic) {
        String ofTopic = null;
        String ofBrokers = null;
        for (TimelineEvent event : evidence.events()) {
            if (event.kind() == Kind.CONFIG && event.text().startsWith(MIN_ISR)) {
                String value = event.text().substring(MIN_ISR.length());
                if (event.subject().equals("topic [" + topic + "]")) {
                    ofTopic = value;
                } else if (event.subject().contains("default")) {
                    ofBrokers = value;
                }
            }
        }
        // A config that was taken back has the value "null".
        return number(ofTopic, number(ofBrokers, 1));
    }

    private static int number(@Nullable String value, int otherwise) {
        return value != null && value.matches("\\d{1,9}") ? Integer.parseInt(value) : otherwise;
    }

    private @Nullable TimelineEvent lastOf(Kind kind, String subject) {
        return lastOf(kind, kind, subject);
    }

    private @Nullable TimelineEvent lastOf(Kind kind, Kind other, String subject) {
        TimelineEvent last = null;
        for (TimelineEvent event : evidence.events()) {
            if ((event.kind() == kind || event.kind() == other)
                    && event.subject().equals(subject)) {
                last = event;
            }
        }
        return last;
    }

    private String since(@Nullable TimelineEvent event) {
        return event == null ? "" : " since +" + (event.timestampMs() - evidence.startMs()) + " ms";
    }

    private String at(TimelineEvent event) {
        return " at +" + (event.timestampMs() - evidence.startMs()) + " ms";
    }
}
