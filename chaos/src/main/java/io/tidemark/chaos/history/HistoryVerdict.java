package io.tidemark.chaos.history;

import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.history.Anomaly.Kind;
import java.util.List;

/**
 * What came of a history.
 *
 * <pre>{@code
 * HistoryVerdict verdict = new HistoryChecker().check(recorder.history());
 * verdict.assertHolds();
 * assertThat(verdict.kinds()).isEmpty();
 * }</pre>
 *
 * @param anomalies every one, those that Kafka's protocol allows too
 * @param unknown what nobody could know, in words
 * @param counts how much there was to judge, in words
 */
public record HistoryVerdict(List<Anomaly> anomalies, List<String> unknown, String counts) {
    private static final int MOST = 20;

    public HistoryVerdict {
        anomalies = List.copyOf(anomalies);
        unknown = List.copyOf(unknown);
    }

    /** BROKEN with a fault; else INDETERMINATE where something could not be known; else HOLDS. */
    public Conclusion conclusion() {
        if (!faults().isEmpty()) {
            return Conclusion.BROKEN;
        }
        return unknown.isEmpty() ? Conclusion.HOLDS : Conclusion.INDETERMINATE;
    }

    /** The anomalies that nothing allows. */
    public List<Anomaly> faults() {
        return anomalies.stream().filter(Anomaly::isFault).toList();
    }

    /** The anomalies that Kafka's protocol, or what the test said, allows; each says why. */
    public List<Anomaly> allowed() {
        return anomalies.stream().filter(anomaly -> !anomaly.isFault()).toList();
    }

    /** The sorts of faults, each once. */
    public List<Kind> kinds() {
        return faults().stream().map(Anomaly::kind).distinct().sorted().toList();
    }

    /**
     * Passes where nothing is at fault; what could not be known is no fault. After an acknowledged write that a reader
     * passed over it fails, and its message is {@link #report()}.
     *
     * @throws AssertionError if there is a fault
     */
    public HistoryVerdict assertHolds() {
        if (conclusion() == Conclusion.BROKEN) {
            throw new AssertionError("\nExpecting the history to hold, but it is broken:\n\n" + report());
        }
        return this;
    }

    /** Several lines: the conclusion, the faults, what is allowed, what could not be known; at most 20 of each. */
    public String report() {
        StringBuilder text = new StringBuilder(conclusion().toString())
                .append(": ")
                .append(counts)
                .append('\n');
        append(text, "faults", faults());
        append(text, "allowed", allowed());
        append(text, "nobody could know", unknown);
        return text.toString();
    }

    private static void append(StringBuilder text, String title, List<?> lines) {
        if (lines.isEmpty()) {
            return;
        }
        text.append("  ").append(title).append(" (").append(lines.size()).append(")\n");
        lines.stream()
                .limit(MOST)
                .forEach(line -> text.append("    ").append(line).append('\n'));
        if (lines.size() > MOST) {
            text.append("    and ").append(lines.size() - MOST).append(" more\n");
        }
    }

    @Override
    public String toString() {
        return report();
    }
}
