package io.tidemark.evidence;

import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The evidence as one page: what failed, what happened last, the chart, the state, all events. */
final class EvidencePage {
    private static final int FAILURE_LINES = 14;
    private static final Set<Kind> TELLING = Set.of(Kind.FAULT, Kind.LEADER, Kind.ISR, Kind.GROUP, Kind.CONTROLLER);
    private static final int LAST = 12;

    private final Evidence evidence;
    private final StringBuilder out = new StringBuilder();

    private EvidencePage(Evidence evidence) {
        this.evidence = evidence;
    }

    static String of(Evidence evidence) {
        return new EvidencePage(evidence).page();
    }

    private String page() {
        out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escaped(evidence.title()))
                .append("</title><style>\n")
                .append(STYLE)
                .append("</style></head><body>\n<h1>")
                .append(escaped(evidence.title()))
                .append("</h1>\n");
        failure();
        lastEvents();
        out.append("<h2>Over time</h2>\n").append(EvidenceChart.of(evidence));
        states();
        allEvents();
        if (!evidence.failure().isEmpty()) {
            out.append("<h2>Stack trace</h2>\n<pre>")
                    .append(escaped(evidence.failure()))
                    .append("</pre>\n");
        }
        return out.append("</body></html>\n").toString();
    }

    private void failure() {
        if (evidence.failure().isEmpty()) {
            return;
        }
        StringBuilder head = new StringBuilder();
        evidence.failure()
                .lines()
                .takeWhile(line -> !line.startsWith("\tat "))
                .filter(line -> !line.isBlank())
                .limit(FAILURE_LINES)
                .forEach(line -> head.append(line).append('\n'));
        out.append("<pre class=\"failure\">").append(escaped(head.toString())).append("</pre>\n");
    }

    private void lastEvents() {
        List<TimelineEvent> telling = evidence.events().stream()
                .filter(event ->
                        TELLING.contains(event.kind()) && !event.subject().startsWith("__"))
                .toList();
        out.append("<h2>What happened last</h2>\n");
        table(telling.subList(Math.max(0, telling.size() - LAST), telling.size()));
    }

    private void allEvents() {
        out.append("<details><summary>All ").append(evidence.events().size()).append(" events</summary>\n");
        table(evidence.events());
        out.append("</details>\n");
    }

    private void table(List<TimelineEvent> events) {
        out.append("<table>");
        for (TimelineEvent event : events) {
            String kind = event.kind().name().toLowerCase(Locale.ROOT);
            out.append("<tr class=\"")
                    .append(kind)
                    .append("\"><td class=\"n\">+")
                    .append(event.timestampMs() - evidence.startMs())
                    .append(" ms</td><td>")
                    .append(kind)
                    .append("</td><td>")
                    .append(escaped(event.subject()))
                    .append("</td><td>")
                    .append(escaped(event.text()))
                    .append("</td></tr>\n");
        }
        out.append("</table>\n");
    }

    private void states() {
        out.append("<h2>When it failed</h2>\n<table><tr><th>partition</th><th>leader</th><th>epoch</th><th>ISR</th>"
                + "<th>replica</th><th>log</th><th>high watermark</th></tr>\n");
        for (PartitionState partition : evidence.partitions()) {
            if (!partition.topic().startsWith("__")) {
                boolean isFirst = true;
                for (ReplicaState replica : partition.replicas()) {
                    row(partition, replica, isFirst);
                    isFirst = false;
                }
            }
        }
        out.append("</table>\n");
    }

    private void row(PartitionState partition, ReplicaState replica, boolean isFirst) {
        boolean inSync = partition.isr().contains(replica.brokerId());
        String leader = partition.leader().isPresent()
                ? Integer.toString(partition.leader().getAsInt())
                : "none";
        out.append(inSync ? "<tr>" : "<tr class=\"fault\">");
        for (String cell : List.of(partition.name(), leader, "" + partition.leaderEpoch(), "" + partition.isr())) {
            out.append("<td>").append(isFirst ? escaped(cell) : "").append("</td>");
        }
        out.append("<td>broker ")
                .append(replica.brokerId())
                .append(inSync ? "" : ", out of sync")
                .append("</td><td>")
                .append(
                        replica.log() == null
                                ? replica.nodeState().toString()
                                : replica.log().logStartOffset() + " to "
                                        + replica.log().logEndOffset())
                .append("</td><td>")
                .append(replica.log() == null ? "" : replica.log().highWatermark())
                .append("</td></tr>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static final String STYLE = """
            body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; color: #1b1f24; max-width: 1180px; }
            h1 { font-size: 20px; margin: 0 0 8px; } h2 { font-size: 15px; margin: 20px 0 6px; }
            pre { font: 12px/1.4 ui-monospace, monospace; overflow-x: auto; background: #f6f8fa; padding: 8px; }
            pre.failure { background: #ffebe9; border-left: 4px solid #cf222e; font-size: 13px; }
            table { border-collapse: collapse; } td, th { padding: 1px 12px 1px 0; text-align: left; }
            td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
            tr.fault { color: #cf222e; font-weight: 600; } tr.leader { color: #0550ae; } tr.group { color: #8250df; }
            summary { margin: 20px 0 6px; cursor: pointer; font-weight: 600; }
            svg text { font: 11px system-ui, sans-serif; }
            """;
}
