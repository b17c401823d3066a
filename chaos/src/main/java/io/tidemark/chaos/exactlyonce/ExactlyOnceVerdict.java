package io.tidemark.chaos.exactlyonce;

import io.tidemark.chaos.Conclusion;
import io.tidemark.chaos.exactlyonce.Finding.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What came of a run of {@link ExactlyOnce}.
 *
 * <pre>{@code
 * verdict.assertHolds();
 * assertThat(verdict.kinds()).as(verdict.report()).isEmpty();
 * }</pre>
 *
 * @param summary what was run and how much of it there was
 * @param findings all that is wrong
 * @param unknown what nobody could know, in words
 */
public record ExactlyOnceVerdict(String summary, List<Finding> findings, List<String> unknown) {
    private static final int MOST_OF_A_KIND = 3;
    private static final int MOST_NUMBERS = 30;

    public ExactlyOnceVerdict {
        findings = List.copyOf(findings);
        unknown = List.copyOf(unknown);
    }

    /** BROKEN with a finding; else INDETERMINATE where something could not be known; else HOLDS. */
    public Conclusion conclusion() {
        if (!findings.isEmpty()) {
            return Conclusion.BROKEN;
        }
        return unknown.isEmpty() ? Conclusion.HOLDS : Conclusion.INDETERMINATE;
    }

    /** The sorts of findings, each once. */
    public List<Kind> kinds() {
        return findings.stream().map(Finding::kind).distinct().sorted().toList();
    }

    /** The findings of one sort. */
    public List<Finding> findings(Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).toList();
    }

    /**
     * Passes where nothing is wrong; what could not be known is no fault. After a record that came out twice it fails, and
     * its message is {@link #report()}.
     *
     * @throws AssertionError if something is wrong
     */
    public ExactlyOnceVerdict assertHolds() {
        if (conclusion() == Conclusion.BROKEN) {
            throw new AssertionError("\nExpecting each record to be processed exactly once, but:\n\n" + report());
        }
        return this;
    }

    /** Several lines: the conclusion, then of each sort the numbers and the evidence for the first three. */
    public String report() {
        StringBuilder text = new StringBuilder(conclusion().toString())
                .append(": ")
                .append(summary)
                .append('\n');
        Arrays.stream(Kind.values()).forEach(kind -> append(text, kind));
        if (!unknown.isEmpty()) {
            text.append("  nobody could know (").append(unknown.size()).append(")\n");
            unknown.stream()
                    .limit(MOST_NUMBERS)
                    .forEach(line -> text.append("    ").append(line).append('\n'));
        }
        return text.toString();
    }

    private void append(StringBuilder text, Kind kind) {
        List<Finding> some = findings(kind);
        if (some.isEmpty()) {
            return;
        }
        text.append("  ").append(kind).append(" (").append(some.size()).append("): ");
        text.append(some.stream()
                .limit(MOST_NUMBERS)
                .map(finding -> Long.toString(finding.number()))
                .collect(Collectors.joining(", ")));
        text.append(some.size() > MOST_NUMBERS ? " and more\n" : "\n");
        some.stream()
                .limit(MOST_OF_A_KIND)
                .forEach(finding -> text.append("    ").append(finding).append('\n'));
    }

    @Override
    public String toString() {
        return report();
    }
}
