package io.tidemark.evidence;

import io.tidemark.Cluster;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.journal.ReplicaHistory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The history and the state of a cluster at one moment, to be read after the cluster is gone.
 *
 * <pre>{@code
 * Path page = Evidence.of(cluster, "OrdersTest.ordersAreKept", failure).writeTo(Path.of("target", "tidemark"));
 * }</pre>
 *
 * @param title what it is about, for example the test
 * @param description the cluster and every partition, in lines
 * @param events what has happened, in the order of time
 * @param partitions every partition now
 * @param records the records of each partition in its leader's log, by the partition's name; the newest ones
 * @param histories how far every replica was, over time
 * @param failure what went wrong, as a stack trace; empty where nothing did
 */
public record Evidence(
        String title,
        String description,
        List<TimelineEvent> events,
        List<PartitionState> partitions,
        SortedMap<String, List<ReplicaRecord>> records,
        List<ReplicaHistory> histories,
        String failure) {
    private static final int MOST_RECORDS = 2_000;
    private static final int LAST_EVENTS = 8;

    private static final Set<Kind> TELLING = Collections.unmodifiableSet(
            EnumSet.of(Kind.FAULT, Kind.STRIKE, Kind.LEADER, Kind.ISR, Kind.GROUP, Kind.CONTROLLER, Kind.BROKER));

    public Evidence {
        events = List.copyOf(events);
        partitions = List.copyOf(partitions);
        histories = List.copyOf(histories);
        records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
    }

    /** Taken now. */
    public static Evidence of(Cluster cluster, String title, @Nullable Throwable failure) {
        List<PartitionState> partitions = cluster.partitions();
        SortedMap<String, List<ReplicaRecord>> records = new TreeMap<>();
        for (PartitionState partition : partitions) {
            if (partition.leader().isPresent() && !partition.topic().startsWith("__")) {
                List<ReplicaRecord> all = cluster.partition(partition.topic(), partition.partition())
                        .recordsOn(partition.leader().getAsInt());
                records.put(
                        partition.name(), List.copyOf(all.subList(Math.max(0, all.size() - MOST_RECORDS), all.size())));
            }
        }
        return new Evidence(
                title,
                cluster.describe(),
                cluster.timeline(),
                partitions,
                records,
                cluster.replicaHistories(),
                traceOf(failure));
    }

    /**
     * Writes {@code cluster.html} and {@code cluster.txt} into a folder, which is made where it is not there.
     *
     * @return the page
     * @throws UncheckedIOException if it cannot be written
     */
    public Path writeTo(Path folder) {
        return writeTo(folder, "cluster");
    }

    /** As {@link #writeTo(Path)}, under another name than {@code cluster}. */
    public Path writeTo(Path folder, String name) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(name + ".txt"), text());
            return Files.writeString(folder.resolve(name + ".html"), EvidencePage.of(this));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the evidence into [" + folder + "]; is it writable?", e);
        }
    }

    /** What stands out, one sentence a line, the most telling first; empty where all is well and nothing was done. */
    public String findings() {
        return Findings.of(this).stream().map(found -> "  " + found + "\n").collect(Collectors.joining());
    }

    /** The last few events, one a line, with the time in milliseconds since the first. */
    public String lastEvents() {
        List<TimelineEvent> telling = telling();
        StringBuilder text = new StringBuilder();
        telling.subList(Math.max(0, telling.size() - LAST_EVENTS), telling.size())
                .forEach(event -> text.append("  ").append(line(event)).append('\n'));
        return text.toString();
    }

    /** What is worth a line where there are few: of transactions only those that are still open. */
    List<TimelineEvent> telling() {
        Set<TimelineEvent> open =
                Span.in(events).stream().filter(Span::isOpen).map(Span::last).collect(Collectors.toSet());
        return events.stream()
                .filter(event ->
                        !event.subject().startsWith("__") && (TELLING.contains(event.kind()) || open.contains(event)))
                .toList();
    }

    /** When the first event was, in milliseconds since 1970; 0 where there was none. */
    long startMs() {
        return events.isEmpty() ? 0 : events.get(0).timestampMs();
    }

    String line(TimelineEvent event) {
        return "+" + (event.timestampMs() - startMs()) + " ms  " + event;
    }

    private String text() {
        StringBuilder text = new StringBuilder(title)
                .append("\n\nWhat stands out:\n")
                .append(findings())
                .append('\n')
                .append(description)
                .append("\n\nWhat has happened:\n");
        events.forEach(event -> text.append("  ").append(line(event)).append('\n'));
        records.forEach((partition, all) -> {
            text.append("\nRecords of ").append(partition).append(" in the leader's log:\n");
            all.forEach(record -> text.append("  ").append(record).append('\n'));
        });
        return text.append(failure.isEmpty() ? "" : "\n" + failure).toString();
    }

    private static String traceOf(@Nullable Throwable failure) {
        if (failure == null) {
            return "";
        }
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace, true));
        return trace.toString();
    }
}
