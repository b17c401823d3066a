package io.tidemark.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs a test class that is itself the thing under test. */
final class InnerRun {
    private final EngineExecutionResults results;
    private final Predicate<Event> part;

    private InnerRun(EngineExecutionResults results) {
        this(results, event -> true);
    }

    private InnerRun(EngineExecutionResults results, Predicate<Event> part) {
        this.results = results;
        this.part = part;
    }

    /** What of the run was in one of its classes. */
    InnerRun in(Class<?> testClass) {
        return new InnerRun(results, event -> event.getTestDescriptor().getUniqueId().getSegments().stream()
                .anyMatch(segment -> segment.getValue().equals(testClass.getName())));
    }

    static InnerRun of(Class<?>... testClasses) {
        return new InnerRun(engine().selectors(selectorsOf(testClasses)).execute());
    }

    private static DiscoverySelector[] selectorsOf(Class<?>... testClasses) {
        return Stream.of(testClasses).map(DiscoverySelectors::selectClass).toArray(DiscoverySelector[]::new);
    }

    static InnerRun withEvidenceIn(Path folder, Class<?>... testClasses) {
        return with("tidemark.evidence.directory", folder.toString(), testClasses);
    }

    static InnerRun with(String parameter, String value, Class<?>... testClasses) {
        return new InnerRun(engine().selectors(selectorsOf(testClasses))
                .configurationParameter(parameter, value)
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
        failures().findFirst().ifPresent(failure -> {
            throw new AssertionError("The inner test failed", failure);
        });
        ended(tests, 0, 0);
    }

    /** So many tests passed, so many failed and so many were aborted. */
    void ended(int passed, int failed, int aborted) {
        assertThat(Stream.of(Status.SUCCESSFUL, Status.FAILED, Status.ABORTED).map(status -> results.testEvents()
                        .finished()
                        .filter(part)
                        .filter(event -> resultOf(event).getStatus() == status)
                        .count()))
                .as("tests that passed, failed and were aborted")
                .containsExactly((long) passed, (long) failed, (long) aborted);
    }

    /** The test of that name failed, with a message that has the text in it, and nothing else did. */
    void failedAt(String method, String message) {
        assertThat(results.allEvents().failed().filter(part)).singleElement().satisfies(event -> {
            assertThat(event.getTestDescriptor().getDisplayName()).startsWith(method);
            assertThat(resultOf(event).getThrowable().orElseThrow()).hasMessageContaining(message);
        });
    }

    /** What the tests published with their {@code TestReporter}, in the order of it. */
    List<String> told() {
        return results.allEvents()
                .reportingEntryPublished()
                .filter(part)
                .map(event -> event.getRequiredPayload(ReportEntry.class))
                .flatMap(entry -> entry.getKeyValuePairs().values().stream())
                .toList();
    }

    /** The first failure, wherever it was. */
    Throwable failure() {
        return failures().findFirst().orElseThrow(() -> new AssertionError("Nothing failed"));
    }

    private Stream<Throwable> failures() {
        return results.allEvents().failed().filter(part).flatMap(event -> resultOf(event).getThrowable().stream());
    }

    private static TestExecutionResult resultOf(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class);
    }
}
