package io.tidemark.junit5;

import io.tidemark.Cluster;
import io.tidemark.evidence.Evidence;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a failed test's clusters can tell, in a folder beside the test reports and on the failure itself. */
final class FailureEvidence {
    private static final Logger LOG = LoggerFactory.getLogger(FailureEvidence.class);
    private static final String DIRECTORY = "tidemark.evidence.directory";
    private static final String OFF = "off";
    private static final int MOST_FILE_NAME = 120;

    private FailureEvidence() {}

    /** Hangs what is known onto the failure. Never throws, so that the failure itself is what is seen. */
    static void keep(ExtensionContext context, TestScope scope, Throwable failure) {
        List<Cluster> clusters = scope.allInReach();
        for (int i = 0; i < clusters.size(); i++) {
            try {
                failure.addSuppressed(new ClusterEvidence(tell(context, clusters.get(i), i, failure)));
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private static String tell(ExtensionContext context, Cluster cluster, int number, Throwable failure) {
        String test = context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
        String title = test
                + (context.getDisplayName()
                                .startsWith(context.getRequiredTestMethod().getName())
                        ? ""
                        : " " + context.getDisplayName());
        Evidence evidence = Evidence.of(cluster, title, failure);
        String findings = evidence.findings();
        String told = (findings.isEmpty() ? "" : "What stands out:\n" + findings) + evidence.description()
                + "\nWhat happened last:\n" + evidence.lastEvents();
        String directory = context.getConfigurationParameter(DIRECTORY).orElseGet(FailureEvidence::besideTheReports);
        if (directory.equals(OFF)) {
            return told;
        }
        try {
            Path page = evidence.writeTo(
                    Path.of(directory, fileName(title)), number == 0 ? "cluster" : "cluster-" + (number + 1));
            LOG.info("{} failed; its cluster is told of in {}", title, page.toUri());
            return told + "More in " + page.toUri();
        } catch (UncheckedIOException e) {
            LOG.warn("The evidence of {} could not be written", title, e);
            return told;
        }
    }

    private static String fileName(String title) {
        String plain = title.replaceAll("[^A-Za-z0-9._=-]+", "_");
        return plain.length() > MOST_FILE_NAME ? plain.substring(0, MOST_FILE_NAME) : plain;
    }

    /** Where Maven or Gradle keep theirs; without either nothing is written. */
    private static String besideTheReports() {
        return BuildFolder.find()
                .map(folder -> folder.resolve("tidemark").toString())
                .orElse(OFF);
    }
}
