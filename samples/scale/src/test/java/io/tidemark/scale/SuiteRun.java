package io.tidemark.scale;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * One suite in a JVM of its own: {@code SuiteRun tidemark|embedded}. Prints what it found, and for ours ends with 1 where a
 * test failed, or a thread, a socket, an open file or a folder is left.
 */
final class SuiteRun {
    private static final int AT_ONCE = 6;

    private SuiteRun() {}

    public static void main(String[] args) throws IOException {
        boolean isOurs = args[0].equals("tidemark");
        List<Class<?>> classes = List.of(isOurs ? TwoHundredOrders.CLASSES : FiveEmbedded.CLASSES);
        Launcher launcher = LauncherFactory.create();
        TestExecutionSummary first = run(launcher, isOurs, classes.subList(0, 1));
        // What the JVM sets up once and for all is there by now; the other classes must leave nothing more.
        Set<String> threads = threads();
        Set<String> descriptors = descriptors();
        TestExecutionSummary others = run(launcher, isOurs, classes.subList(1, classes.size()));
        long succeeded = first.getTestsSucceededCount() + others.getTestsSucceededCount();
        long failed = first.getTotalFailureCount() + others.getTotalFailureCount();
        System.out.printf(
                "%d tests, %d failed, at most %d MiB of heap used of %d MiB%n",
                succeeded, failed, peakHeap() >> 20, Runtime.getRuntime().maxMemory() >> 20);

        Set<String> leftThreads = threads();
        leftThreads.removeAll(threads);
        Set<String> leftDescriptors = descriptors();
        leftDescriptors.removeAll(descriptors);
        List<Path> leftFolders;
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            leftFolders = files.toList();
        }
        System.out.printf(
                "left behind: threads %s, sockets and files %s, folders %s%n",
                leftThreads, leftDescriptors, leftFolders);
        boolean isClean = leftThreads.isEmpty() && leftDescriptors.isEmpty() && leftFolders.isEmpty();
        boolean isRun = failed == 0 && succeeded > 0;
        System.exit(isRun && (isClean || !isOurs) ? 0 : 1);
    }

    private static TestExecutionSummary run(Launcher launcher, boolean isOurs, List<Class<?>> classes) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(request(isOurs, classes), listener);
        listener.getSummary().printFailuresTo(new PrintWriter(System.out, true), 20);
        return listener.getSummary();
    }

    private static LauncherDiscoveryRequest request(boolean isOurs, List<Class<?>> classes) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(classes.stream().map(DiscoverySelectors::selectClass).toList());
        if (isOurs) {
            request.configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                    .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                    .configurationParameter(
                            "junit.jupiter.execution.parallel.config.fixed.parallelism", Integer.toString(AT_ONCE));
        }
        return request.build();
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Without the jars, which the JVM opens when it needs them. */
    private static Set<String> descriptors() throws IOException {
        Set<String> open = new TreeSet<>();
        Path own = Path.of("/proc/self/fd");
        if (Files.isDirectory(own)) {
            try (Stream<Path> descriptors = Files.list(own)) {
                for (Path descriptor : descriptors.toList()) {
                    String target = targetOf(descriptor);
                    if (!target.endsWith(".jar") && !target.startsWith("/proc/") && !target.contains("/lib/")) {
                        open.add(target);
                    }
                }
            }
        }
        return open;
    }

    private static String targetOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            // Closed since it was listed.
            return "/proc/";
        }
    }

    /** The peaks of all parts of the heap together, which is more than the heap ever held at once. */
    private static long peakHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage.getUsed())
                .sum();
    }
}
