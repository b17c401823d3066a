package io.tidemark.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What one {@link Chaos} has declared. Safe from any thread. */
final class DeclaredFaults {
    private final List<DeclaredFault> all = new ArrayList<>();

    synchronized void add(DeclaredFault fault) {
        all.add(fault);
    }

    synchronized List<DeclaredFault> all() {
        return List.copyOf(all);
    }

    synchronized void maybeLast() {
        if (all.isEmpty()) {
            throw new IllegalStateException("No fault was declared that may miss: call maybe() after the fault");
        }
        all.get(all.size() - 1).maybe();
    }

    /** Fails where one has struck nothing and had to; says so of each once. */
    void requireStrikes() {
        List<DeclaredFault> declared;
        synchronized (this) {
            declared = List.copyOf(all);
            all.clear();
        }
        List<DeclaredFault> vain = declared.stream()
                .filter(fault -> fault.struck() == 0 && !fault.isMaybe())
                .toList();
        if (!vain.isEmpty()) {
            throw new AssertionError(
                    (vain.size() == 1 ? "A fault" : vain.size() + " faults")
                            + " never struck, so the test has shown nothing about "
                            + (vain.size() == 1 ? "it" : "them") + ":\n"
                            + lines(vain) + "\nall that were declared:\n" + lines(declared)
                            + "\nIs anything sent that it covers, and early enough? Say maybe() of a fault that need not strike.");
        }
    }

    private static String lines(List<DeclaredFault> faults) {
        return faults.stream().map(fault -> "  " + fault).collect(Collectors.joining("\n"));
    }
}
