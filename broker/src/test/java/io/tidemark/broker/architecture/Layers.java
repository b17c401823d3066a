package io.tidemark.broker.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static java.util.Map.entry;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The layer table of ARCHITECTURE.md as data, and its rule: a package imports only from lower layers. */
final class Layers {
    /** A package below one of these belongs to it, unless it has a line of its own. Change ARCHITECTURE.md with it. */
    private static final Map<String, Integer> TABLE = Map.ofEntries(
            entry("", 7),
            entry("network", 6),
            entry("api", 6),
            entry("replication", 5),
            entry("quorum", 5),
            entry("verification", 5),
            entry("coordinator.runtime", 5),
            entry("controller", 4),
            entry("group", 4),
            entry("transaction.markers", 5),
            entry("transaction", 4),
            entry("purgatory", 4),
            entry("fetch", 4),
            entry("partition", 3),
            entry("raft", 3),
            entry("coordinator", 3),
            entry("log", 3),
            entry("record", 2),
            entry("disk", 2),
            entry("metadata", 2),
            entry("transport", 2),
            entry("config", 2),
            entry("protocol", 1),
            entry("journal", 0),
            entry("types", 0),
            entry("time", 0));

    private final House house;

    Layers(House house) {
        this.house = house;
    }

    ArchRule rule() {
        return classes()
                .should(importOnlyFromLowerLayers())
                .because("layers keep every part testable with only what is below it; where a lower package needs"
                        + " something of a higher one, give it an interface of its own that the higher one implements");
    }

    private ArchCondition<JavaClass> importOnlyFromLowerLayers() {
        return new ArchCondition<>("import only from lower layers") {
            @Override
            public void check(JavaClass javaClass, ConditionEvents events) {
                String from = packageInTable(house.packageOf(javaClass));
                if (from == null) {
                    events.add(SimpleConditionEvent.violated(
                            javaClass,
                            javaClass.getName() + " is in a package that the layer table does not have: add it here and"
                                    + " in ARCHITECTURE.md"));
                    return;
                }
                for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
                    checkDependency(from, dependency, events);
                }
            }
        };
    }

    private void checkDependency(String from, Dependency dependency, ConditionEvents events) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String to = house.holds(target) ? packageInTable(house.packageOf(target)) : null;
        if (to == null || to.equals(from) || layer(to) < layer(from)) {
            return;
        }
        events.add(SimpleConditionEvent.violated(
                dependency,
                "[" + from + "] of layer " + layer(from) + " uses [" + to + "] of layer " + layer(to) + ": "
                        + dependency.getDescription()));
    }

    private static int layer(String packageInTable) {
        Integer layer = TABLE.get(packageInTable);
        if (layer == null) {
            throw new IllegalArgumentException("Package [" + packageInTable + "] has no line in the layer table");
        }
        return layer;
    }

    /** The line of the table that a package belongs to: its own, else that of the nearest package above it. */
    private static @Nullable String packageInTable(String relativeName) {
        String name = relativeName;
        while (!TABLE.containsKey(name)) {
            int dot = name.lastIndexOf('.');
            if (dot < 0) {
                return null;
            }
            name = name.substring(0, dot);
        }
        return name;
    }
}
