package io.tidemark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this JVM holds at one moment.
 *
 * @param threads the names and ids of the live threads
 * @param descriptors what each open file descriptor points to; empty where the system does not tell
 * @param mappedFiles the files mapped into memory that lie below the given folder; empty where the system does not tell
 */
record ProcessResources(Set<String> threads, List<String> descriptors, Set<String> mappedFiles) {
    static ProcessResources now(Path folder) {
        return new ProcessResources(threadNames(), openDescriptors(), mapped(folder));
    }

    private static Set<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(thread -> thread.getName() + " #" + thread.getId())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> openDescriptors() {
        Path own = Path.of("/proc/self/fd");
        List<String> open = new ArrayList<>();
        if (!Files.isDirectory(own)) {
            return open;
        }
        try (Stream<Path> descriptors = Files.list(own)) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    String target = Files.readSymbolicLink(descriptor).toString();
                    // The listing itself.
                    if (!target.startsWith("/proc/")) {
                        open.add(target);
                    }
                } catch (IOException e) {
                    // Closed since it was listed.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return open.stream().sorted().toList();
    }

    private static Set<String> mapped(Path folder) {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.exists(maps)) {
            return Set.of();
        }
        try (Stream<String> lines = Files.lines(maps)) {
            return lines.filter(line -> line.contains(folder.toString()))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
