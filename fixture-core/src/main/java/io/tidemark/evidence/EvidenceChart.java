package io.tidemark.evidence;

import static io.tidemark.evidence.EvidencePage.escaped;

import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.ReplicaState;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The chart of a page: faults and rebalances as marks over all of it, then a lane for each partition with its leaders as
 * coloured bars and the end of the leader's log as a line; at the right end, where each replica's log ends now.
 */
final class EvidenceChart {
    private static final String[] COLOURS = {"#54aeff", "#4ac26b", "#d4a72c", "#c297ff", "#ff8182", "#6fdd8b"};
    private static final String NO_LEADER = "#cf222e";
    private static final int LEFT = 130;
    private static final int WIDTH = 800;
    private static final int RIGHT = 240;
    private static final int ROWS = 7;
    private static final int MARKS = ROWS * 12 + 14;
    private static final double LETTER = 6.2;
    private static final int LANE = 74;
    private static final int BAR = 14;
    private static final int MOST_LANES = 30;

    private final Evidence evidence;
    private final long startMs;
    private final TimeScale scale;
    private final StringBuilder out = new StringBuilder();

    private EvidenceChart(Evidence evidence) {
        this.evidence = evidence;
        this.startMs = evidence.startMs();
        List<Long> moments = new ArrayList<>();
        evidence.events().forEach(event -> moments.add(event.timestampMs()));
        evidence.records().values().forEach(records -> records.stream()
                .map(ReplicaRecord::timestampMs)
                .filter(timestampMs -> timestampMs >= startMs)
                .forEach(moments::add));
        this.scale = new TimeScale(moments);
    }

    static String of(Evidence evidence) {
        return new EvidenceChart(evidence).svg();
    }

    private String svg() {
        List<PartitionState> lanes = evidence.partitions().stream()
                .filter(partition -> !partition.topic().startsWith("__"))
                .limit(MOST_LANES)
                .toList();
        int height = MARKS + lanes.size() * LANE + 24;
        out.append(String.format(
                Locale.ROOT,
                "<svg width=\"%d\" height=\"%d\" xmlns=\"http://www.w3.org/2000/svg\">%n",
                LEFT + WIDTH + RIGHT,
                height));
        int top = MARKS;
        for (PartitionState partition : lanes) {
            lane(partition, top);
            top += LANE;
        }
        marks(height - 24);
        axis(height - 8);
        return out.append("</svg>\n").toString();
    }

    private void lane(PartitionState partition, int top) {
        text(0, top + 12, "#1b1f24", partition.name());
        List<TimelineEvent> leaders = evidence.events().stream()
                .filter(event -> event.kind() == Kind.LEADER && event.subject().equals(partition.name()))
                .toList();
        for (int i = 0; i < leaders.size(); i++) {
            TimelineEvent from = leaders.get(i);
            double until = i + 1 < leaders.size() ? x(leaders.get(i + 1).timestampMs()) : LEFT + WIDTH;
            bar(from, until, top);
        }
        curve(partition, top + BAR + 4, top + LANE - 10);
        text(LEFT + WIDTH + 8, top + 12, "#1b1f24", "ISR " + partition.isr());
        String ends = partition.replicas().stream().map(EvidenceChart::endOf).collect(Collectors.joining(", "));
        text(LEFT + WIDTH + 8, top + 28, "#57606a", ends);
        partition
                .highWatermark()
                .ifPresent(offset -> text(LEFT + WIDTH + 8, top + 44, "#57606a", "high watermark " + offset));
    }

    private static String endOf(ReplicaState replica) {
        return replica.brokerId() + ": "
                + (replica.log() == null
                        ? replica.nodeState().toString()
                        : Long.toString(replica.log().logEndOffset()));
    }

    private void bar(TimelineEvent leader, double until, int top) {
        double from = x(leader.timestampMs());
        String colour = leader.leader().isPresent()
                ? COLOURS[Math.floorMod(leader.leader().getAsInt() - 1, COLOURS.length)]
                : NO_LEADER;
        String name = leader.leader().isPresent() ? "broker " + leader.leader().getAsInt() : "no leader";
        out.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>%n",
                from,
                top,
                Math.max(2, until - from),
                BAR,
                colour,
                escaped(evidence.line(leader))));
        if (until - from > 7.0 * name.length()) {
            text(from + 4, top + 11, leader.leader().isPresent() ? "#1b1f24" : "#ffffff", name);
        }
    }

    /** The end of the leader's log, step by step. */
    private void curve(PartitionState partition, int top, int bottom) {
        List<ReplicaRecord> records = evidence.records().getOrDefault(partition.name(), List.of());
        if (records.isEmpty()) {
            text(LEFT + 4, bottom, "#57606a", "no records");
            return;
        }
        long first = records.get(0).offset();
        long end = records.get(records.size() - 1).offset() + 1;
        StringBuilder path = new StringBuilder();
        double y = bottom;
        for (ReplicaRecord record : records) {
            double x = x(record.timestampMs());
            path.append(String.format(Locale.ROOT, path.length() == 0 ? "M%.1f %.1f" : " L%.1f %.1f", x, y));
            y = bottom - (bottom - top) * (record.offset() + 1.0 - first) / (end - first);
            path.append(String.format(Locale.ROOT, " L%.1f %.1f", x, y));
        }
        path.append(String.format(Locale.ROOT, " L%d %.1f", LEFT + WIDTH, y));
        out.append("<path d=\"").append(path).append("\" fill=\"none\" stroke=\"#1b1f24\" stroke-width=\"1.5\"/>\n");
        text(LEFT - 60, top + 8, "#57606a", "offset " + end);
    }

    private void marks(int bottom) {
        double[] taken = new double[ROWS];
        for (TimelineEvent event : evidence.events()) {
            if (event.kind() != Kind.FAULT && event.kind() != Kind.GROUP) {
                continue;
            }
            String colour = event.kind() == Kind.FAULT ? "#cf222e" : "#8250df";
            double x = x(event.timestampMs());
            String label = event.subject() + " " + event.text();
            int row = freeRow(taken, x);
            taken[row] = x + LETTER * label.length() + 8;
            int y = 12 + 12 * row;
            out.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-dasharray=\"4 3\">"
                            + "<title>%s</title></line>%n",
                    x,
                    y,
                    x,
                    bottom,
                    colour,
                    escaped(evidence.line(event))));
            text(x + 3, y, colour, label);
        }
    }

    /** The first row whose labels end before a place, else the one that ends first. */
    private static int freeRow(double[] taken, double x) {
        int best = 0;
        for (int row = 0; row < taken.length; row++) {
            if (taken[row] <= x) {
                return row;
            }
            if (taken[row] < taken[best]) {
                best = row;
            }
        }
        return best;
    }

    private void axis(int y) {
        for (int tick = 0; tick <= 4; tick++) {
            long moment = scale.momentAt(tick / 4.0);
            text(LEFT + WIDTH * tick / 4.0, y, "#57606a", "+" + (moment - startMs) + " ms");
        }
        text(LEFT + WIDTH + 70, y, "#57606a", "(waits are cut short)");
    }

    private double x(long timestampMs) {
        return LEFT + WIDTH * scale.at(timestampMs);
    }

    private void text(double x, int y, String colour, String text) {
        out.append(String.format(
                Locale.ROOT, "<text x=\"%.1f\" y=\"%d\" fill=\"%s\">%s</text>%n", x, y, colour, escaped(text)));
    }
}
