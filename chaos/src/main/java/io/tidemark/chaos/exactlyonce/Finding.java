package io.tidemark.chaos.exactlyonce;

import java.util.List;

/**
 * One thing that a pipeline, or the cluster under it, did wrong.
 *
 * <pre>{@code
 * verdict.findings(Finding.Kind.DUPLICATED).forEach(finding -> System.out.println(finding.evidence()));
 * }</pre>
 *
 * @param kind what sort
 * @param number of the input; its value
 * @param key of the input
 * @param evidence in lines: where the input is, where it came out, who wrote it, which commits passed it, and the faults
 *     around that time
 */
public record Finding(Kind kind, long number, String key, List<String> evidence) {
    /** The sorts of findings. */
    public enum Kind {
        /** The group went past the input, and nothing of it is in the output. */
        LOST,
        /** The input is in the output several times. */
        DUPLICATED,
        /** A key's inputs are in the output in another order than they were sent. */
        REORDERED,
        /** What a transaction has aborted, the input or the output, is visible to readers of committed records. */
        ABORTED_VISIBLE,
        /** The output and the offset that says so were not committed in one transaction. */
        OFFSETS_APART,
        /** The input did not come out in time, and the group did not go past it. */
        UNPROCESSED
    }

    public Finding {
        evidence = List.copyOf(evidence);
    }

    @Override
    public String toString() {
        return "[" + number + "] of key " + key + "\n      " + String.join("\n      ", evidence);
    }
}
