package io.tidemark.samples.repeat;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs a test class so many times in this JVM and stops at the first run that fails. Arguments: the class, the number
 * of runs, the number of runs that earlier JVMs have done.
 */
final class RepeatedRun {
    private RepeatedRun() {}

    public static void main(String[] args) {
        int runs = Integer.parseInt(args[1]);
        int before = Integer.parseInt(args[2]);
        Launcher launcher = LauncherFactory.create();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(args[0]))
                .build();
        for (int run = before + 1; run <= before + runs; run++) {
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            launcher.execute(request, listener);
            TestExecutionSummary summary = listener.getSummary();
            System.out.printf(
                    "run %d: %d passed, %d failed, %d ms%n",
                    run,
                    summary.getTestsSucceededCount(),
                    summary.getTotalFailureCount(),
                    summary.getTimeFinished() - summary.getTimeStarted());
            if (summary.getTotalFailureCount() > 0 || summary.getTestsSucceededCount() == 0) {
                summary.printFailuresTo(new PrintWriter(System.err, true, StandardCharsets.UTF_8), 100);
                System.exit(1);
            }
        }
        // A thread that a run left behind is the business of another test; it must not hold up this one.
        System.exit(0);
    }
}
