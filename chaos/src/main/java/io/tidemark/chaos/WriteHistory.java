package io.tidemark.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an application tried to write and what it was told, held against what is there in the end.
 *
 * <p>A write has one value, or several that stand and fall together as in a transaction. It was acknowledged, or refused,
 * or nobody told: a client that gives up waiting cannot take back what it sent, and a broker may still append it long
 * after. Such a write is neither right nor wrong, whether it is there or not. A history with one holds at best
 * {@link Conclusion#INDETERMINATE}, and a test that must know has to wait for the answer.
 *
 * <p>Values are distinct. Threads may share a history.
 */
public final class WriteHistory {
    private final List<Write> writes = new ArrayList<>();
    private final Set<String> values = new HashSet<>();

    /** What a history comes to. */
    public enum Conclusion {
        /** All that was acknowledged is there, once, and nothing else. */
        HOLDS,
        /** Nothing is wrong that anybody could know of; there are writes of which nobody told. */
        INDETERMINATE,
        /** Something is lost, doubled, torn, or there although it was refused. */
        BROKEN
    }

    /**
     * @param conclusion the worst of the findings
     * @param findings a line for each write that is wrong or of which nobody told
     */
    public record Verdict(Conclusion conclusion, List<String> findings) {
        public Verdict {
            findings = List.copyOf(findings);
        }
    }

    /** One write; until it is told otherwise, nobody knows its outcome. */
    public final class Write {
        private final List<String> parts;
        private Told told = Told.NOTHING;

        private Write(List<String> parts) {
            this.parts = parts;
        }

        /** The cluster said that it is written. */
        public void acknowledged() {
            tell(Told.ACKNOWLEDGED);
        }

        /** The cluster said that it is not written and never will be: an abort, or an error that means so. */
        public void refused() {
            tell(Told.REFUSED);
        }

        private void tell(Told outcome) {
            synchronized (WriteHistory.this) {
                if (told != Told.NOTHING) {
                    throw new IllegalStateException(
                            "Write of " + parts + " was " + told + " before; expected to be told once");
                }
                told = outcome;
            }
        }
    }

    private enum Told {
        NOTHING,
        ACKNOWLEDGED,
        REFUSED
    }

    /**
     * Begins a write. Say this before anything is sent.
     *
     * @param parts what stands and falls together
     * @throws IllegalArgumentException if a value was written before, or there is none
     */
    public synchronized Write write(String... parts) {
        Write write = new Write(List.of(parts));
        if (write.parts.isEmpty()) {
            throw new IllegalArgumentException("A write has no value; expected one or more");
        }
        for (String value : write.parts) {
            if (!values.add(value)) {
                throw new IllegalArgumentException(
                        "Value [" + value + "] was written before; expected one that tells its write from all others");
            }
        }
        writes.add(write);
        return write;
    }

    /**
     * Holds what is there against what was told.
     *
     * @param seen every value that is there, each as often as it is
     */
    public synchronized Verdict judge(Collection<String> seen) {
        Map<String, Integer> counts = new HashMap<>();
        seen.forEach(value -> counts.merge(value, 1, Integer::sum));
        List<String> broken = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Write write : writes) {
            judge(write, counts, broken, unknown);
        }
        seen.stream()
                .filter(value -> !values.contains(value))
                .distinct()
                .forEach(value -> broken.add("[" + value + "] is there, and nobody wrote it"));
        Conclusion conclusion =
                !broken.isEmpty() ? Conclusion.BROKEN : unknown.isEmpty() ? Conclusion.HOLDS : Conclusion.INDETERMINATE;
        broken.addAll(unknown);
        return new Verdict(conclusion, broken);
    }

    private static void judge(Write write, Map<String, Integer> counts, List<String> broken, List<String> unknown) {
        List<String> there = write.parts.stream().filter(counts::containsKey).toList();
        write.parts.stream()
                .filter(value -> counts.getOrDefault(value, 0) > 1)
                .forEach(value -> broken.add("[" + value + "] is there " + counts.get(value) + " times"));
        boolean isTorn = !there.isEmpty() && there.size() < write.parts.size();
        switch (write.told) {
            case ACKNOWLEDGED -> {
                if (there.size() < write.parts.size()) {
                    broken.add("of " + write.parts + ", which was acknowledged, there is only " + there);
                }
            }
            case REFUSED -> {
                if (!there.isEmpty()) {
                    broken.add("of " + write.parts + ", which was refused, there is " + there);
                }
            }
            default -> {
                if (isTorn) {
                    broken.add("of " + write.parts + ", which stands and falls together, there is only " + there);
                } else {
                    unknown.add("nobody told of " + write.parts + ": "
                            + (there.isEmpty() ? "it is not there, and may still come" : "it is there"));
                }
            }
        }
    }
}
