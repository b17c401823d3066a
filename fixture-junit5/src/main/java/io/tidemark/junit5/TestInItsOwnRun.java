package io.tidemark.junit5;

import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs one test once more, in a JUnit run of its own within the thread of the first, with the classes of another class
 * loader and the configuration of the run around it.
 */
final class TestInItsOwnRun implements TestExecutionListener {
    private static final String JUPITER = "junit-jupiter";
    private static final String ENGINE = "engine";

    private final ExtensionContext outer;
    private final ClassLoader classes;
    private int tests;
    private @Nullable Throwable failure;
    private @Nullable String skipped;

    TestInItsOwnRun(ExtensionContext outer, ClassLoader classes) {
        this.outer = outer;
        this.classes = classes;
    }

    /** Runs it, and says with what it failed or was aborted; null where it passed. */
    @Nullable
    Throwable failure() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // JUnit and kafka-clients both look there for the classes that they know by name.
        thread.setContextClassLoader(classes);
        try {
            LauncherFactory.create(jupiterAlone()).execute(request(), this);
        } finally {
            thread.setContextClassLoader(before);
        }
        if (failure == null && skipped != null) {
            String reason = skipped;
            Assumptions.abort("Skipped with the other clients: " + reason);
        }
        if (failure == null && tests != 1) {
            throw new ExtensionConfigurationException("JUnit finds [" + tests + "] tests by the id ["
                    + outer.getUniqueId() + "] in " + classes + "; expected the one that runs with it");
        }
        return failure;
    }

    /** Whatever else listens to the run hears of the test from the run around it. */
    private LauncherConfig jupiterAlone() {
        TestEngine jupiter =
                ServiceLoader.load(
                                TestEngine.class, outer.getRequiredTestClass().getClassLoader())
                        .stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(engine -> engine.getId().equals(JUPITER))
                        .findFirst()
                        .orElseThrow(() ->
                                new IllegalStateException("There is no engine [" + JUPITER + "] on the class path"));
        return LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .addTestEngines(jupiter)
                .build();
    }

    private LauncherDiscoveryRequest request() {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectUniqueId(idWithinJupiter()))
                .enableImplicitConfigurationParameters(false)
                .parentConfigurationParameters(new ParametersOf(outer))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .configurationParameter("junit.platform.output.capture.stdout", "false")
                .configurationParameter("junit.platform.output.capture.stderr", "false")
                .build();
    }

    /** Without what a suite has put before it. */
    private UniqueId idWithinJupiter() {
        UniqueId id = UniqueId.forEngine(JUPITER);
        for (UniqueId.Segment segment : UniqueId.parse(outer.getUniqueId()).getSegments()) {
            id = segment.getType().equals(ENGINE) ? UniqueId.forEngine(JUPITER) : id.append(segment);
        }
        return id;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped = reason;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            tests++;
        }
        result.getThrowable().ifPresent(this::add);
    }

    private void add(Throwable another) {
        if (failure == null) {
            failure = another;
        } else if (failure != another) {
            failure.addSuppressed(another);
        }
    }

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        outer.publishReportEntry(entry.getKeyValuePairs());
    }

    /** The configuration of the run around; what parameters there are in it is not told, so that they cannot be listed. */
    private record ParametersOf(ExtensionContext outer) implements ConfigurationParameters {
        @Override
        public Optional<String> get(String key) {
            return outer.getConfigurationParameter(key);
        }

        @Override
        public Optional<Boolean> getBoolean(String key) {
            return get(key).map(Boolean::parseBoolean);
        }

        /** As long as JUnit 5 asks for it. */
        @Override
        @SuppressWarnings("deprecation")
        public int size() {
            return 0;
        }

        @Override
        public Set<String> keySet() {
            return Set.of();
        }
    }
}
