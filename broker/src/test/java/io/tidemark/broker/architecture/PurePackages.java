package io.tidemark.broker.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/**
 * The packages whose code is a function of its arguments: the same events give the same effects, in the same order, on
 * every run. Only so can a cluster be replayed from a seed, and a coordinator's state from its records.
 */
final class PurePackages {
    static final Set<String> NAMES =
            Set.of("controller", "group", "transaction", "partition", "raft", "coordinator", "metadata", "config");

    private static final String REASON = "a pure package gives the same effects for the same events on every run";

    static final Ban CONCURRENCY = Ban.ofTypes(
                    "concurrency",
                    REASON + ", and its caller's one thread is all it knows",
                    "plain fields and a return value; the driver that calls it has the loop",
                    "java.util.concurrent.")
            .butNot("java.util.concurrent.TimeUnit");

    static final Ban IO = Ban.ofTypes(
                    "input and output",
                    REASON,
                    "an effect in the return value, which the driver carries out",
                    "java.io.",
                    "java.net.",
                    "java.nio.channels.",
                    "java.nio.file.")
            .butNot("java.io.Serializable");

    static final Ban CLOCK_AND_LOOP = Ban.ofTypes(
            "a clock or a loop",
            REASON + ", so time is an argument like any other",
            "a nowMs parameter, and a deadline in the result",
            "io.tidemark.broker.time.",
            "java.time.Clock");

    static final Ban HASH_ORDER = Ban.ofMembers(
                    "collections whose order is not their own",
                    REASON
                            + ": Set.of and Map.of are salted anew in every JVM, and hash collections of enums or plain objects"
                            + " follow identity hashes",
                    "LinkedHashMap, LinkedHashSet, TreeMap, TreeSet, EnumMap, or List; Collections.unmodifiableMap for a copy"
                            + " that is handed out",
                    "java.util.HashMap.<init>",
                    "java.util.HashSet.<init>",
                    "java.util.IdentityHashMap.<init>",
                    "java.util.WeakHashMap.<init>",
                    "java.util.Hashtable.<init>",
                    "java.util.Set.of",
                    "java.util.Set.copyOf",
                    "java.util.Map.of",
                    "java.util.Map.ofEntries",
                    "java.util.Map.copyOf",
                    "java.util.stream.Collectors.toSet",
                    "java.util.stream.Collectors.toUnmodifiableSet",
                    "java.util.stream.Collectors.toUnmodifiableMap",
                    "java.util.stream.Collectors.toMap(java.util.function.Function, java.util.function.Function)",
                    "java.util.stream.Collectors.toMap(java.util.function.Function, java.util.function.Function,"
                            + " java.util.function.BinaryOperator)",
                    "java.util.stream.Collectors.groupingBy(java.util.function.Function)",
                    "java.util.stream.Collectors.groupingBy(java.util.function.Function, java.util.stream.Collector)",
                    "java.lang.System.identityHashCode")
            .butNot(
                    "java.util.Set.of()",
                    "java.util.Set.of(java.lang.Object)",
                    "java.util.Map.of()",
                    "java.util.Map.of(java.lang.Object, java.lang.Object)");

    static final List<Ban> BANS = List.of(CONCURRENCY, IO, CLOCK_AND_LOOP, HASH_ORDER);

    private final House house;

    PurePackages(House house) {
        this.house = house;
    }

    ArchRule rule(Ban ban) {
        return ban.rule(DescribedPredicate.describe("are in a pure package", this::isPure));
    }

    private boolean isPure(JavaClass javaClass) {
        return NAMES.contains(house.packageOf(javaClass));
    }
}
