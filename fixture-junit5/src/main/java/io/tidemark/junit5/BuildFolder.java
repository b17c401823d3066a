package io.tidemark.junit5;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder in which the build that runs the tests keeps what it makes. */
final class BuildFolder {
    private BuildFolder() {}

    /** Maven's or Gradle's, where there is one in the working directory. */
    static Optional<Path> find() {
        return Stream.of("target", "build")
                .map(Path::of)
                .filter(Files::isDirectory)
                .findFirst();
    }
}
