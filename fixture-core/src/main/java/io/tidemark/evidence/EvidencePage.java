package io.tidemark.evidence;

import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import java.util.List;
import java.util.Locale;

/** The evidence as one page: what failed, what happened last, the chart, the state, all events. */
final class EvidencePage {
    private static final int FAILURE_LINES = 6;
    private static final int LAST = 12;
    private static final int MOST_LINES = 40;

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
        findings();
        out.append("<h2>Over time</h2>\n").append(LEGEND).append(EvidenceChart.of(evidence));
        lastEvents();
        states();
        lines();
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

    private void findings() {
        List<String> found = Findings.of(evidence);
        if (!found.isEmpty()) {
            out.append("<ul class=\"findings\">");
            found.forEach(
                    sentence -> out.append("<li>").append(escaped(sentence)).append("</li>\n"));
            out.append("</ul>\n");
        }
    }

    private void lines() {
        List<TimelineEvent> lines = evidence.events().stream()
                .filter(event -> event.kind() == Kind.LOG)
                .toList();
        if (!lines.isEmpty()) {
            out.append("<h2>What the nodes logged</h2>\n");
            table(lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size()));
        }
    }

    private void lastEvents() {
        List<TimelineEvent> telling = evidence.telling();
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
                    .append(isLoud(event) ? "loud" : kind)
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

    /** True for a line that a node logged as a warning or an error. */
    static boolean isLoud(TimelineEvent event) {
        return event.kind() == Kind.LOG
                && (event.text().startsWith("WARN") || event.text().startsWith("ERROR"));
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

    private static final String LEGEND = """
            <p class="legend">A bar for who leads, a strip for each replica in the ISR (red: out of sync), then offsets:
            each log's end in its broker's colour,<i style="background:#1b1f24;height:2px"></i>high watermark,
            <i style="background:#bc4c00;height:2px"></i>last stable offset,<i style="background:#ff818266"></i>not
            committed,<i style="background:#f0883e66"></i>held up by a transaction,<i
            style="background:#8250df;width:8px"></i>a group's commit.</p>
            """;

    private static final String STYLE = """
            body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; color: #1b1f24; max-width: 1180px; }
            h1 { font-size: 20px; margin: 0 0 8px; } h2 { font-size: 15px; margin: 20px 0 6px; }
            pre { font: 12px/1.4 ui-monospace, monospace; overflow-x: auto; background: #f6f8fa; padding: 8px; }
            pre.failure { background: #ffebe9; border-left: 4px solid #cf222e; font-size: 13px;
              white-space: pre-wrap; overflow-wrap: anywhere; }
            table { border-collapse: collapse; } td, th { padding: 1px 12px 1px 0; text-align: left; }
            td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
            tr.fault { color: #cf222e; font-weight: 600; } tr.strike { color: #cf222e; } tr.leader { color: #0550ae; } tr.group { color: #8250df; }
            tr.transaction { color: #bc4c00; } tr.loud { color: #cf222e; }
            ul.findings { background: #fff8c5; border-left: 4px solid #d4a72c; margin: 8px 0; padding: 8px 8px 8px 28px; }
            .legend { color: #57606a; font-size: 12px; margin: 0 0 6px; }
            .legend i { display: inline-block; width: 14px; height: 9px; margin: 0 4px 0 10px; }
            summary { margin: 20px 0 6px; cursor: pointer; font-weight: 600; }
            svg text { font: 11px system-ui, sans-serif; }
            """;
}
