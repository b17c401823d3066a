package io.tidemark.broker.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that code must not use, why, and what to use in its place.
 *
 * @param name what is banned, in a few words
 * @param reason why
 * @param instead what to use in its place
 * @param types classes that must not be named at all; with a dot at the end, all classes below that package
 * @param members methods, constructors and fields that must not be used, as {@code owner.name}, or as
 *     {@code owner.name(parameter types)} where only one overload is meant
 * @param except types, and members with their parameter types, that the above would catch and that are harmless
 */
record Ban(String name, String reason, String instead, List<String> types, List<String> members, List<String> except) {
    static Ban ofTypes(String name, String reason, String instead, String... types) {
        return new Ban(name, reason, instead, List.of(types), List.of(), List.of());
    }

    static Ban ofMembers(String name, String reason, String instead, String... members) {
        return new Ban(name, reason, instead, List.of(), List.of(members), List.of());
    }

    Ban andMembers(String... more) {
        return new Ban(name, reason, instead, types, List.of(more), except);
    }

    Ban butNot(String... harmless) {
        return new Ban(name, reason, instead, types, members, List.of(harmless));
    }

    ArchRule rule(DescribedPredicate<JavaClass> subjects) {
        return classes()
                .that(subjects)
                .should(obey())
                .because(reason + "; use " + instead + " instead")
                .allowEmptyShould(true);
    }

    private ArchCondition<JavaClass> obey() {
        return new ArchCondition<>("not use " + name) {
            @Override
            public void check(JavaClass javaClass, ConditionEvents events) {
                for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
                    if (bansType(dependency.getTargetClass().getBaseComponentType())) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
                for (JavaAccess<?> access : javaClass.getAccessesFromSelf()) {
                    if (bansMember(access)) {
                        events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                    }
                }
            }
        };
    }

    private boolean bansType(JavaClass target) {
        String targetName = target.getName();
        return !except.contains(targetName)
                && types.stream()
                        .anyMatch(type -> type.endsWith(".") ? targetName.startsWith(type) : targetName.equals(type));
    }

    private boolean bansMember(JavaAccess<?> access) {
        String member =
                access.getTargetOwner().getName() + "." + access.getTarget().getName();
        String signature = access instanceof JavaCodeUnitAccess<?> call ? member + parametersOf(call) : member;
        return !except.contains(signature) && (members.contains(member) || members.contains(signature));
    }

    private static String parametersOf(JavaCodeUnitAccess<?> access) {
        return access.getTarget().getRawParameterTypes().stream()
                .map(JavaClass::getName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    @Override
    public String toString() {
        return name;
    }
}
