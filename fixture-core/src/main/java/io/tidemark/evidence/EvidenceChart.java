package io.tidemark.evidence;

import io.tidemark.PartitionState;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.journal.ReplicaHistory.Moment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The chart of a page: faults and rebalances as marks over all of it, a row each for transactional ids, for what faults have
 * struck, for the clients' connections and for what the nodes warn of, then a {@link Lane} for each partition, those with trouble first.
 */
final class EvidenceChart {
    private static final int LEFT = 130;
    private static final int WIDTH = 800;
    private static final int RIGHT = 260;
    private static final int ROWS = 7;
    private static final int TICKS = 16;
    private static final double LETTER = 6.4;
    private static final int MOST_LANES = 20;
    private static final int MOST_IDS = 6;
    private static final int LONGEST_ID = 20;

    private final Evidence evidence;
    private final long startMs;
    private final TimeScale scale;
    private final Svg svg = new Svg();

    private EvidenceChart(Evidence evidence) {
        this.evidence = evidence;
        this.startMs = evidence.startMs();
        List<Long> moments = new ArrayList<>();
        evidence.events().forEach(event -> moments.add(event.timestampMs()));
        evidence.histories().forEach(history -> history.moments().stream()
                .map(Moment::timestampMs)
                .filter(timestampMs -> timestampMs >= startMs)
                .forEach(moments::add));
        this.scale = new TimeScale(moments);
    }

    static String of(Evidence evidence) {
        return new EvidenceChart(evidence).draw();
    }

    private String draw() {
        List<PartitionState> lanes = evidence.partitions().stream()
                .filter(partition -> !partition.topic().startsWith("__"))
                .sorted(Comparator.comparing(EvidenceChart::isFine))
                .limit(MOST_LANES)
                .toList();
        List<Mark> marks = marks();
        int y = 13 * marks.stream().mapToInt(mark -> mark.row() + 1).max().orElse(0) + 6;
        y = transactions(y);
        y = ticks("strikes", Kind.STRIKE, y);
        y = ticks("clients", Kind.CONNECTION, y);
        y = ticks("warnings", Kind.LOG, y) + 6;
        int bottom = y + lanes.size() * Lane.HEIGHT;
        marks.forEach(mark -> draw(mark, bottom));
        for (PartitionState partition : lanes) {
            new Lane(evidence, partition, svg, this::x, LEFT, LEFT + WIDTH).draw(y);
            y += Lane.HEIGHT;
        }
        axis(bottom + 14);
        return svg.framed(LEFT + WIDTH + RIGHT, bottom + 24);
    }

    private static boolean isFine(PartitionState partition) {
        return partition.leader().isPresent()
                && partition.isr().size() == partition.replicas().size()
                && partition.highWatermark().equals(partition.lastStableOffset())
                && partition
                        .highWatermark()
                        .equals(partition.logEndOffset(partition.leader().getAsInt()));
    }

    /** A fault or a rebalance, and in which row its label has room. */
    private record Mark(TimelineEvent event, double x, int row) {
        String label() {
            return event.subject() + " " + event.text();
        }

        String colour() {
            return event.kind() == Kind.FAULT ? Svg.RED : Svg.PURPLE;
        }

        double length() {
            return LETTER * label().length() + 8;
        }
    }

    private List<Mark> marks() {
        double[] taken = new double[ROWS];
        List<Mark> marks = new ArrayList<>();
        for (TimelineEvent event : evidence.events()) {
            if (event.kind() == Kind.FAULT || event.kind() == Kind.GROUP) {
                double x = x(event.timestampMs());
                Mark mark = new Mark(event, x, freeRow(taken, x));
                taken[mark.row()] = x + mark.length();
                marks.add(mark);
            }
        }
        return marks;
    }

    private void draw(Mark mark, int bottom) {
        int y = 12 + 13 * mark.row();
        String style = "stroke=\"" + mark.colour() + "\" stroke-dasharray=\"4 3\"";
        svg.line(mark.x(), y, mark.x(), bottom, style, evidence.line(mark.event()));
        svg.text(Math.min(mark.x() + 3, LEFT + WIDTH + RIGHT - mark.length()), y, mark.colour(), mark.label());
    }

    /** A row for each transactional id, those with an open transaction first; the place below them. */
    private int transactions(int top) {
        Map<String, List<Span>> spans = Span.in(evidence.events()).stream()
                .collect(Collectors.groupingBy(Span::transactionalId, LinkedHashMap::new, Collectors.toList()));
        List<List<Span>> rows = spans.values().stream()
                .sorted(Comparator.comparing(all -> all.stream().noneMatch(Span::isOpen)))
                .limit(MOST_IDS)
                .toList();
        int y = top;
        for (List<Span> row : rows) {
            String id = row.get(0).transactionalId();
            svg.text(0, y + 10, Svg.ORANGE, id.length() > LONGEST_ID ? id.substring(0, LONGEST_ID - 1) + "\u2026" : id);
            for (Span span : row) {
                double from = x(span.from().timestampMs());
                double to = span.end() == null ? LEFT + WIDTH : x(span.end().timestampMs());
                svg.box(
                        from,
                        y + 1,
                        Math.max(2, to - from),
                        TICKS - 6,
                        span.isOpen() ? Svg.ORANGE : "#f0883e88",
                        evidence.line(span.last()));
            }
            if (row.get(row.size() - 1).isOpen()) {
                svg.text(
                        LEFT + WIDTH + 10,
                        y + 10,
                        Svg.ORANGE,
                        "still " + row.get(row.size() - 1).state());
            }
            y += TICKS;
        }
        return y;
    }

    /** The place below. */
    private int ticks(String name, Kind kind, int top) {
        List<TimelineEvent> events = evidence.events().stream()
                .filter(event -> event.kind() == kind && (kind != Kind.LOG || EvidencePage.isLoud(event)))
                .toList();
        if (events.isEmpty()) {
            return top;
        }
        svg.text(0, top + 10, Svg.PALE, name);
        for (TimelineEvent event : events) {
            boolean isBad = kind == Kind.STRIKE
                    || EvidencePage.isLoud(event)
                    || event.text().contains(" is lost");
            svg.box(
                    x(event.timestampMs()) - 1,
                    top + 1,
                    2,
                    TICKS - 6,
                    isBad ? Svg.RED : "#8c959f",
                    evidence.line(event));
        }
        return top + TICKS;
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
            svg.text(LEFT + WIDTH * tick / 4.0, y, Svg.PALE, "+" + (moment - startMs) + " ms");
        }
        svg.text(LEFT + WIDTH + 70, y, Svg.PALE, "(waits are cut short)");
    }

    private double x(long timestampMs) {
        return LEFT + WIDTH * scale.at(timestampMs);
    }
}
