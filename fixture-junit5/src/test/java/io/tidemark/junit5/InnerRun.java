package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs a test class that is itself the thing under test. */
final class InnerRun {
    private final EngineExecutionResults results;

    private InnerRun(EngineExecutionResults results) {
        this.results = results;
    }

    static InnerRun of(Class<?>... testClasses) {
        return new InnerRun(engine().selectors(Stream.of(testClasses)
                        .map(DiscoverySelectors::selectClass)
                        .toArray(DiscoverySelector[]::new))
                .execute());
    }

    static InnerRun withEvidenceIn(Path folder, Class<?> testClass) {
        return new InnerRun(engine().selectors(selectClass(testClass))
                .configurationParameter("tidemark.evidence.directory", folder.toString())
                .execute());
    }

    static InnerRun inParallel(Class<?> testClass) {
        return inParallel(3, testClass);
    }

    static InnerRun inParallel(int atOnce, Class<?> testClass) {
        return new InnerRun(engine().selectors(selectClass(testClass))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter(
                        "junit.jupiter.execution.parallel.config.fixed.parallelism", Integer.toString(atOnce))
                .execute());
    }

    /** Without the settings of the run that it is in. */
    private static EngineTestKit.Builder engine() {
        return EngineTestKit.engine("junit-jupiter").enableImplicitConfigurationParameters(false);
    }

    /** All so many tests passed, and nothing around them failed. */
    void passed(int tests) {
        results.allEvents().failed().stream()
                .findFirst()
                .flatMap(InnerRun::failureOf)
                .ifPresent(failure -> {
                    throw new AssertionError("The inner test failed", failure);
                });
        results.testEvents()
                .assertStatistics(statistics -> statistics.succeeded(tests).failed(0));
    }

    /** The test of that name failed, with a message that has the text in it, and nothing else did. */
    void failedAt(String method, String message) {
        assertThat(results.allEvents().failed().list()).singleElement().satisfies(event -> {
            assertThat(event.getTestDescriptor().getDisplayName()).startsWith(method);
            assertThat(failureOf(event).orElseThrow()).hasMessageContaining(message);
        });
    }

    /** The first failure, wherever it was. */
    Throwable failure() {
        List<Event> failed = results.allEvents().failed().list();
        return failed.stream()
                .flatMap(event -> failureOf(event).stream())
                .findFirst()
                .orElseThrow(() -> new AssertionError("Nothing failed"));
    }

    private static java.util.Optional<Throwable> failureOf(Event event) {
        return event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class)
                .getThrowable();
    }
}
