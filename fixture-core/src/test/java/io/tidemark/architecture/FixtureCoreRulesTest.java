package io.tidemark.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.internals.ProducerBatch;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

class FixtureCoreRulesTest {
    private static final ArchRule KNOWS_NOTHING_ABOVE_IT = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.tidemark.chaos..", "io.tidemark.junit5..", "org.junit..")
            .because("a cluster also runs without JUnit and without chaos; what they add comes in through"
                    + " io.tidemark.spi.ParameterProvider");

    private static final ArchRule KEEPS_TO_KAFKAS_PUBLIC_API = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.kafka..internals..",
                    "org.apache.kafka.common.protocol..",
                    "org.apache.kafka.common.requests..",
                    "org.apache.kafka.common.message..")
            .because("a user brings any kafka-clients from 2.8 on, and only its public API stays; use the generated"
                    + " messages of io.tidemark.broker.protocol where the protocol is meant");

    private static final ArchRule KAFKA_CLIENTS_IS_OPTIONAL = noClasses()
            .that()
            .resideOutsideOfPackage("io.tidemark.clients..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..")
            .because("a cluster starts where kafka-clients is not on the class path; hand clients out from"
                    + " io.tidemark.clients");

    private static final ArchRule NO_STATIC_STATE = fields().that()
            .areStatic()
            .should()
            .beFinal()
            .andShould()
            .notHaveRawType("java.lang.ThreadLocal")
            .because("clusters run side by side in one JVM; use a field of the object that owns the state");

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(FixtureCoreRulesTest::isOfThisModule)
            .importPackages("io.tidemark");

    private static boolean isOfThisModule(Location location) {
        return !location.contains("/io/tidemark/broker/");
    }

    @Test
    void knowsNothingAboveIt() {
        KNOWS_NOTHING_ABOVE_IT.check(MODULE);
    }

    @Test
    void keepsToKafkasPublicApi() {
        KEEPS_TO_KAFKAS_PUBLIC_API.check(MODULE);
    }

    @Test
    void needsKafkaClientsOnlyToHandOutClients() {
        KAFKA_CLIENTS_IS_OPTIONAL.check(MODULE);
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
                        .map(JavaPackage::getName)
                        .collect(Collectors.toSet()))
                .as("packages without a package-info.java that is @NullMarked and states a few facts")
                .isEmpty();
    }

    @Test
    void rulesBite() {
        JavaClasses violating = new ClassFileImporter().importClasses(FixtureCoreRulesTest.class, Violating.class);

        assertThatThrownBy(() -> KNOWS_NOTHING_ABOVE_IT.check(violating)).hasMessageContaining("ParameterProvider");
        assertThatThrownBy(() -> KEEPS_TO_KAFKAS_PUBLIC_API.check(violating)).hasMessageContaining("ProducerBatch");
        assertThatThrownBy(() -> KAFKA_CLIENTS_IS_OPTIONAL.check(violating)).hasMessageContaining("ProducerBatch");
        assertThatThrownBy(() -> NO_STATIC_STATE.check(violating)).hasMessageContaining("Violating.count");
    }

    /** Breaks the rules on purpose. */
    static class Violating {
        static int count;

        final Class<?> batch = ProducerBatch.class;
    }
}
