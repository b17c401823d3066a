package io.tidemark.broker.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What only the text of the files shows, not their bytecode. */
final class RepositoryText {
    /** Made by builds, tools and editors, or not text of ours. */
    private static final Set<String> SKIPPED_FOLDERS = Set.of("target", ".git", ".idea", ".vscode", ".settings");

    /** Something that a line must not have, why, and in which files. */
    record TextBan(String name, Pattern pattern, String reason, Predicate<Path> files) {
        @Override
        public String toString() {
            return name;
        }
    }

    // The pieces keep this file from being caught by its own rules.
    static final TextBan REGISTRY_HOST = new TextBan(
            "a registry's host",
            Pattern.compile("repo1?\\." + "maven|central\\." + "sonatype|registry\\." + "npmjs|docker\\." + "io/"),
            "whoever builds chooses the registry, in the settings of their own machine",
            file -> true);

    static final TextBan MACHINE_PATH = new TextBan(
            "a path of one machine",
            Pattern.compile("(^|[\\s\"'=(:\\[])/(" + "root|work|home|Users" + ")/\\w"),
            "it is not there on the next machine; use a path relative to the module, or a temporary folder",
            file -> true);

    static final TextBan SYNCHRONIZED = new TextBan(
            "a lock",
            Pattern.compile("^[^*]*\\bsynchronized\\b[^\"]*[({]"),
            "a node's state lives on its one loop; use Loop.execute",
            RepositoryText::isOnTheLoop);

    static final List<TextBan> BANS = List.of(REGISTRY_HOST, MACHINE_PATH, SYNCHRONIZED);

    private final Path root;

    /** Main code of the broker that only its loop runs: not the doors' own, nor the handle that any thread may use. */
    private static boolean isOnTheLoop(Path file) {
        String name = file.toString().replace('\\', '/');
        return name.contains("broker/src/main/java")
                && !name.matches(".*io/tidemark/broker/(network/|disk/|time/|Broker\\.java).*");
    }

    RepositoryText(Path root) {
        this.root = root;
    }

    /** The repository that this module is built in. */
    static RepositoryText ofThisBuild() {
        return new RepositoryText(Path.of("..").toAbsolutePath().normalize());
    }

    /** Where the ban is broken, as {@code file:line: text}. */
    List<String> violationsOf(TextBan ban) throws IOException {
        List<String> violations = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                Path name = directory.getFileName();
                return name != null && SKIPPED_FOLDERS.contains(name.toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path relative = root.relativize(file);
                if (ban.files().test(relative)) {
                    violations.addAll(violationsIn(file, relative, ban));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return violations;
    }

    private static List<String> violationsIn(Path file, Path relative, TextBan ban) throws IOException {
        String[] lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\n", -1);
        List<String> violations = new ArrayList<>();
        for (int i = 0; i < lines.length; i++) {
            if (ban.pattern().matcher(lines[i]).find()) {
                violations.add(relative + ":" + (i + 1) + ": " + lines[i].strip());
            }
        }
        return violations;
    }
}
