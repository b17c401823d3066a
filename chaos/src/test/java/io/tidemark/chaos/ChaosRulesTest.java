package io.tidemark.chaos;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The house rules of this module, tested to bite. */
class ChaosRulesTest {
    private static final ArchRule KEEPS_TO_ITS_SIDE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.tidemark.junit5..", "org.junit..")
            .because("chaos also strikes clusters of other test frameworks; let it be injected through"
                    + " io.tidemark.spi.ParameterProvider instead");

    private static final ArchRule NO_STATIC_STATE = fields().that()
            .areStatic()
            .should()
            .beFinal()
            .andShould()
            .notHaveRawType("java.lang.ThreadLocal")
            .because("tests run side by side in one JVM; use a field of the object that owns the state");

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.tidemark.chaos");

    @Test
    void keepsToItsSide() {
        KEEPS_TO_ITS_SIDE.check(MODULE);
    }

    @Test
    void hasNoStaticState() {
        NO_STATIC_STATE.check(MODULE);
    }

    @Test
    void packagesAreNullMarked() {
        assertThat(MODULE.stream()
                        .map(JavaClass::getPackage)
                        .filter(javaPackage -> !javaPackage.isAnnotatedWith(NullMarked.class))
                        .collect(Collectors.toSet()))
                .as("packages without a package-info.java that is @NullMarked and states a few facts")
                .isEmpty();
    }

    @Test
    void rulesBite() {
        JavaClasses violating = new ClassFileImporter().importClasses(ChaosRulesTest.class, Violating.class);

        assertThatThrownBy(() -> KEEPS_TO_ITS_SIDE.check(violating)).hasMessageContaining("instead");
        assertThatThrownBy(() -> NO_STATIC_STATE.check(violating)).hasMessageContaining("Violating.count");
    }

    /** Breaks the rules on purpose. */
    static class Violating {
        static int count;
    }
}
