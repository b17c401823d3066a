package io.tidemark.broker.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** What holds in every package of the broker. */
final class Everywhere {
    /** Declared types of static finals that can change after the class was loaded. */
    private static final List<Class<?>> MUTABLE_TYPES = List.of(
            ThreadLocal.class,
            java.util.concurrent.ConcurrentMap.class,
            java.util.concurrent.BlockingQueue.class,
            java.util.concurrent.locks.Lock.class,
            java.util.HashMap.class,
            java.util.HashSet.class,
            java.util.TreeMap.class,
            java.util.ArrayList.class,
            java.util.ArrayDeque.class,
            java.util.BitSet.class,
            java.util.random.RandomGenerator.class,
            java.nio.ByteBuffer.class,
            StringBuilder.class);

    static final Ban KAFKA = Ban.ofTypes(
            "Kafka's own classes",
            "a user brings any kafka-clients, and a broker without Kafka jars cannot clash with it",
            "the generated messages of io.tidemark.broker.protocol",
            "org.apache.kafka.",
            "kafka.");

    static final Ban TEST_LIBRARIES = Ban.ofTypes(
            "test libraries and the fixture",
            "the broker knows nothing of tests; it also runs as a process of its own",
            "a door, or an accessor that the fixture can read",
            "org.junit.",
            "org.assertj.",
            "org.awaitility.",
            "io.tidemark.chaos.",
            "io.tidemark.junit5.",
            "io.tidemark.spi.",
            "io.tidemark.Cluster");

    static final Ban REFLECTION = Ban.ofTypes(
                    "reflection and class-path scans",
                    "a cluster starts in a fraction of a second, and what calls what can be read",
                    "a constructor call in the root package, which wires everything",
                    "java.lang.reflect.",
                    "java.util.ServiceLoader")
            .andMembers("java.lang.Class.forName", "java.lang.ClassLoader.loadClass");

    static final List<Ban> BANS = List.of(KAFKA, TEST_LIBRARIES, REFLECTION);

    /** They look for what may or may not be there: the JDK's own ways to unmap a file, and the user's codecs. */
    private static final Set<String> MAY_REFLECT =
            Set.of("io.tidemark.broker.disk.Mapping", "io.tidemark.broker.record.Codec");

    private Everywhere() {}

    static ArchRule rule(Ban ban) {
        return ban.rule(DescribedPredicate.describe("have no leave", javaClass -> !mayPass(ban, javaClass)));
    }

    private static boolean mayPass(Ban ban, JavaClass javaClass) {
        String outermost = javaClass.getName().replaceFirst("\\$.*", "");
        return ban.equals(REFLECTION) && MAY_REFLECT.contains(outermost);
    }

    static ArchRule noStaticMutableState() {
        return fields().that()
                .areStatic()
                .and(DescribedPredicate.describe("are not made by the compiler", field -> !field.getModifiers()
                        .contains(JavaModifier.SYNTHETIC)))
                .should(notChange())
                .because("clusters run side by side in one JVM and leave nothing behind; use a field of the object that"
                        + " owns the state instead");
    }

    private static ArchCondition<JavaField> notChange() {
        return new ArchCondition<>("be final and of a type that does not change") {
            @Override
            public void check(JavaField field, ConditionEvents events) {
                if (!field.getModifiers().contains(JavaModifier.FINAL)) {
                    events.add(SimpleConditionEvent.violated(field, field.getFullName() + " is static and not final"));
                } else if (canChange(field.getRawType())) {
                    events.add(SimpleConditionEvent.violated(
                            field,
                            field.getFullName() + " is static and of the mutable type "
                                    + field.getRawType().getName()));
                }
            }
        };
    }

    private static boolean canChange(JavaClass type) {
        return type.getName().startsWith("java.util.concurrent.atomic.")
                || MUTABLE_TYPES.stream().anyMatch(type::isAssignableTo);
    }

    static ArchRule packagesAreNullMarked() {
        return classes()
                .should(beInANullMarkedPackage())
                .because("null is checked by the compiler only in marked packages, and a package-info tells the reader"
                        + " what is here; add a package-info.java with @NullMarked and a few lines of facts");
    }

    private static ArchCondition<JavaClass> beInANullMarkedPackage() {
        return new ArchCondition<>("be in a package whose package-info is @NullMarked") {
            @Override
            public void check(JavaClass javaClass, ConditionEvents events) {
                if (!javaClass.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(
                            javaClass,
                            "Package " + javaClass.getPackageName() + " of " + javaClass.getSimpleName()
                                    + " has no @NullMarked package-info"));
                }
            }
        };
    }
}
