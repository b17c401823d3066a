package io.tidemark.chaos;

import io.tidemark.LinkFault;
import io.tidemark.requests.RequestFault;
import io.tidemark.requests.RequestStrike;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A fault that waits for something to strike, and may never find it, unlike a kill. Safe from any thread.
 *
 * <pre>{@code
 * chaos.declared().forEach(System.out::println); // cut(1 <-> 2) struck 41 times
 * }</pre>
 */
public final class DeclaredFault {
    private final String name;
    private final LongSupplier struck;
    private final Supplier<String> whom;
    private final BooleanSupplier maybe;
    private volatile boolean mayMiss;

    private DeclaredFault(String name, LongSupplier struck, Supplier<String> whom, BooleanSupplier maybe) {
        this.name = name;
        this.struck = struck;
        this.whom = whom;
        this.maybe = maybe;
    }

    static DeclaredFault of(RequestFault fault) {
        return new DeclaredFault(fault.toString(), fault::struck, () -> whom(fault), fault::isMaybe);
    }

    static DeclaredFault of(LinkFault fault) {
        return new DeclaredFault(fault.toString(), fault::strikes, () -> "", () -> false);
    }

    static DeclaredFault of(String name, LongSupplier struck) {
        return new DeclaredFault(name, struck, () -> "", () -> false);
    }

    private static String whom(RequestFault fault) {
        Map<RequestStrike, Integer> counts = new LinkedHashMap<>();
        fault.strikes().forEach(strike -> counts.merge(strike, 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry ->
                        "\n    " + entry.getKey() + (entry.getValue() > 1 ? ", " + entry.getValue() + " times" : ""))
                .collect(Collectors.joining());
    }

    /** What was declared. */
    public String name() {
        return name;
    }

    /** How often it has struck so far. */
    public long struck() {
        return struck.getAsLong();
    }

    /** Whether it need not strike. */
    public boolean isMaybe() {
        return mayMiss || maybe.getAsBoolean();
    }

    void maybe() {
        mayMiss = true;
    }

    /** In one line, and below it whom it struck, where that is known. */
    @Override
    public String toString() {
        long times = struck();
        return name + " struck " + (times == 0 ? "nothing" : times == 1 ? "once" : times + " times")
                + (times == 0 && isMaybe() ? ", as it may" : "") + whom.get();
    }
}
