package io.tidemark.evidence;

import io.tidemark.NodeState;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaState;
import io.tidemark.TimelineEvent;
import io.tidemark.TimelineEvent.Kind;
import io.tidemark.journal.ReplicaHistory;
import io.tidemark.journal.ReplicaHistory.Moment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One partition's lane of the chart, from above: its leaders as coloured bars; a strip for each replica, coloured while it
 * is in the ISR and red while it is not; then offsets over time, each replica's log end in its broker's colour, the high
 * watermark and the last stable offset of who leads, with what is not committed yet and what a transaction holds up
 * shaded, and the groups' commits as diamonds.
 */
final class Lane {
    static final int HEIGHT = 150;
    private static final int BAR = 14;
    private static final int STRIP = 5;
    private static final int MOST_STRIPS = 5;
    private static final int PLOT = 84;
    private static final int LEAST = 4;
    private static final Pattern ISR = Pattern.compile("ISR \\[([^]]*)]");

    private final Evidence evidence;
    private final PartitionState partition;
    private final List<ReplicaHistory> histories;
    private final Svg svg;
    private final LongToDoubleFunction x;
    private final double left;
    private final double right;

    Lane(Evidence evidence, PartitionState partition, Svg svg, LongToDoubleFunction x, double left, double right) {
        this.evidence = evidence;
        this.partition = partition;
        this.histories = evidence.histories().stream()
                .filter(history -> history.name().equals(partition.name()))
                .toList();
        this.svg = svg;
        this.x = x;
        this.left = left;
        this.right = right;
    }

    void draw(double top) {
        svg.text(0, top + 12, Svg.INK, partition.name());
        leaders(top);
        double below = isr(top + BAR + 3) + 4;
        plot(below, below + PLOT);
        state(top);
    }

    private void leaders(double top) {
        List<TimelineEvent> all = eventsOf(Kind.LEADER, Kind.LEADER);
        for (int i = 0; i < all.size(); i++) {
            TimelineEvent leader = all.get(i);
            double from = x(leader);
            double width = Math.max(2, (i + 1 < all.size() ? x(all.get(i + 1)) : right) - from);
            boolean isLed = leader.leader().isPresent();
            svg.box(
                    from,
                    top,
                    width,
                    BAR,
                    isLed ? Svg.colourOf(leader.leader().getAsInt()) : Svg.RED,
                    evidence.line(leader));
            String name = isLed ? "broker " + leader.leader().getAsInt() + " leads" : "no leader";
            if (width > 6.5 * name.length()) {
                svg.text(from + 4, top + 11, isLed ? Svg.INK : "#ffffff", name);
            }
        }
    }

    /** The place below the strips. */
    private double isr(double top) {
        List<TimelineEvent> all = eventsOf(Kind.ISR, Kind.LEADER);
        double y = top;
        for (ReplicaState replica : partition.replicas()) {
            if (y >= top + MOST_STRIPS * STRIP) {
                break;
            }
            for (int i = 0; i < all.size(); i++) {
                double from = x(all.get(i));
                boolean isIn = isrOf(all.get(i)).contains(Integer.toString(replica.brokerId()));
                svg.box(
                        from,
                        y,
                        Math.max(1, (i + 1 < all.size() ? x(all.get(i + 1)) : right) - from),
                        STRIP - 2,
                        isIn ? Svg.colourOf(replica.brokerId()) : Svg.RED,
                        "broker " + replica.brokerId() + (isIn ? " in sync" : " out of sync") + ": "
                                + evidence.line(all.get(i)));
            }
            y += STRIP;
        }
        svg.text(left - 24, top + STRIP + 5, Svg.PALE, "ISR");
        return y;
    }

    private static List<String> isrOf(TimelineEvent event) {
        Matcher isr = ISR.matcher(event.text());
        return isr.find() ? Arrays.asList(isr.group(1).split(", ")) : List.of();
    }

    private void plot(double top, double bottom) {
        long first = Long.MAX_VALUE;
        long last = 0;
        for (ReplicaHistory history : histories) {
            for (Moment moment : history.moments()) {
                first = Math.min(first, moment.highWatermark());
                last = Math.max(last, moment.logEndOffset());
            }
        }
        if (last == 0) {
            svg.text(left + 4, top + 14, Svg.PALE, "no records");
            return;
        }
        double base = Math.min(first, last - 1);
        double scale = (bottom - top) / (last - base);
        DoubleUnaryOperator y = offset -> bottom - (offset - base) * scale;
        svg.line(left, bottom, right, bottom, "stroke=\"" + Svg.GREY + "\"", "");
        svg.text(left - 44, top + 8, Svg.PALE, Long.toString(last));
        svg.text(left - 44, bottom, Svg.PALE, Long.toString((long) base));
        List<Moment> led = led();
        between(led, Moment::highWatermark, Moment::logEndOffset, y, "#ff818266", "not committed");
        between(led, Moment::lastStableOffset, Moment::highWatermark, y, "#f0883e66", "held up by a transaction");
        for (ReplicaHistory history : histories) {
            double until = untilOf(history);
            curve(
                    history.moments(),
                    Moment::logEndOffset,
                    y,
                    until,
                    "stroke=\"" + Svg.colourOf(history.brokerId()) + "\" stroke-width=\"3\"",
                    "log end on broker " + history.brokerId());
        }
        curve(
                led,
                Moment::highWatermark,
                y,
                right,
                "stroke=\"" + Svg.INK + "\" stroke-width=\"1.5\"",
                "high watermark");
        if (led.stream().anyMatch(moment -> moment.lastStableOffset() < moment.highWatermark())) {
            curve(
                    led,
                    Moment::lastStableOffset,
                    y,
                    right,
                    "stroke=\"" + Svg.ORANGE + "\" stroke-width=\"2\" stroke-dasharray=\"5 3\"",
                    "last stable offset");
        }
        commits(y);
    }

    /** A diamond for each commit, with its offset where that is another and there is room. */
    private void commits(DoubleUnaryOperator y) {
        double toldX = Double.NEGATIVE_INFINITY;
        double toldY = Double.NEGATIVE_INFINITY;
        for (Committed commit : Committed.in(evidence.events())) {
            if (!commit.partition().equals(partition.name())) {
                continue;
            }
            double at = x(commit.event());
            double height = y.applyAsDouble(commit.offset());
            diamond(at, height, evidence.line(commit.event()));
            String label = commit.group() + " " + commit.offset();
            boolean isOther = Math.abs(height - toldY) > 1;
            if (isOther && (at > toldX + 6.4 * label.length() || Math.abs(height - toldY) > 11)) {
                svg.text(at + 6, height + 14, Svg.PURPLE, label);
                toldX = at;
                toldY = height;
            }
        }
    }

    /** Who leads, moment by moment. */
    private List<Moment> led() {
        List<Moment> all = new ArrayList<>();
        histories.forEach(
                history -> history.moments().stream().filter(Moment::leads).forEach(all::add));
        all.sort((one, other) -> Long.compare(one.timestampMs(), other.timestampMs()));
        return all;
    }

    /** A replica that is down now was last heard of when that was done to it. */
    private double untilOf(ReplicaHistory history) {
        ReplicaState replica = partition.replica(history.brokerId());
        if (replica != null && replica.nodeState() == NodeState.RUNNING) {
            return right;
        }
        double until = right;
        for (TimelineEvent event : evidence.events()) {
            if (event.kind() == Kind.FAULT && event.subject().equals("broker " + history.brokerId())) {
                until = x(event);
            }
        }
        return until;
    }

    private void curve(
            List<Moment> moments,
            ToLongFunction<Moment> offset,
            DoubleUnaryOperator y,
            double until,
            String style,
            String title) {
        StringBuilder steps = new StringBuilder();
        double before = 0;
        for (Moment moment : moments) {
            double at = Math.min(until, x.applyAsDouble(moment.timestampMs()));
            if (steps.length() > 0) {
                steps.append(Svg.step(false, at, before));
            }
            before = y.applyAsDouble(offset.applyAsLong(moment));
            steps.append(Svg.step(steps.length() == 0, at, before));
        }
        if (steps.length() > 0) {
            steps.append(Svg.step(false, until, before));
            svg.path(steps.toString(), "fill=\"none\" " + style, title);
        }
    }

    private void between(
            List<Moment> moments,
            ToLongFunction<Moment> lower,
            ToLongFunction<Moment> upper,
            DoubleUnaryOperator y,
            String colour,
            String title) {
        for (int i = 0; i < moments.size(); i++) {
            Moment moment = moments.get(i);
            long low = lower.applyAsLong(moment);
            long high = upper.applyAsLong(moment);
            if (high > low) {
                double from = x.applyAsDouble(moment.timestampMs());
                double to = i + 1 < moments.size()
                        ? x.applyAsDouble(moments.get(i + 1).timestampMs())
                        : right;
                svg.box(
                        from,
                        y.applyAsDouble(high),
                        Math.max(0.5, to - from),
                        Math.max(LEAST, y.applyAsDouble(low) - y.applyAsDouble(high)),
                        colour,
                        "offsets " + low + " to " + (high - 1) + ": " + title);
            }
        }
    }

    private void diamond(double at, double y, String title) {
        svg.path(
                Svg.step(true, at, y - 4) + Svg.step(false, at + 4, y) + Svg.step(false, at, y + 4)
                        + Svg.step(false, at - 4, y) + " Z",
                "fill=\"" + Svg.PURPLE + "\"",
                title);
    }

    private void state(double top) {
        double at = right + 10;
        double y = top + 12;
        svg.text(at, y, Svg.INK, "ISR " + partition.isr());
        for (ReplicaState replica : partition.replicas()) {
            y += 15;
            svg.box(at, y - 9, 9, 9, Svg.colourOf(replica.brokerId()), "");
            boolean isIn = partition.isr().contains(replica.brokerId());
            String log = replica.log() == null
                    ? replica.nodeState().toString()
                    : "log end " + replica.log().logEndOffset();
            svg.text(
                    at + 14,
                    y,
                    isIn ? Svg.PALE : Svg.RED,
                    "broker " + replica.brokerId() + ": " + log + (isIn ? "" : ", out of sync"));
        }
        if (partition.highWatermark().isPresent()) {
            y += 15;
            long committed = partition.highWatermark().getAsLong();
            long stable = partition.lastStableOffset().orElse(committed);
            long end = partition.logEndOffset(partition.leader().orElse(-1)).orElse(committed);
            svg.text(
                    at,
                    y,
                    end > committed ? Svg.RED : Svg.INK,
                    "high watermark " + committed + (end > committed ? " of " + end : ""));
            if (stable < committed) {
                svg.text(at, y + 15, Svg.ORANGE, "last stable offset " + stable);
            }
        }
    }

    private List<TimelineEvent> eventsOf(Kind kind, Kind other) {
        return evidence.events().stream()
                .filter(event -> (event.kind() == kind || event.kind() == other)
                        && event.subject().equals(partition.name()))
                .toList();
    }

    private double x(TimelineEvent event) {
        return x.applyAsDouble(event.timestampMs());
    }
}
