package io.tidemark.broker.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RepositoryTextTest {
    static Stream<RepositoryText.TextBan> bans() {
        return RepositoryText.BANS.stream();
    }

    @ParameterizedTest
    @MethodSource("bans")
    void noFileOfTheRepositoryHasIt(RepositoryText.TextBan ban) throws IOException {
        assertThat(RepositoryText.ofThisBuild().violationsOf(ban))
                .as(ban.reason())
                .isEmpty();
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                Arguments.of(
                        RepositoryText.REGISTRY_HOST, "settings.xml", "<url>https://repo." + "maven.example/</url>"),
                Arguments.of(RepositoryText.MACHINE_PATH, "run.sh", "cd " + "/home" + "/me/tidemark"),
                Arguments.of(
                        RepositoryText.SYNCHRONIZED,
                        "broker/src/main/java/Locks.java",
                        "    private " + "synchronized" + " void close() {"));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void catchesIt(RepositoryText.TextBan ban, String file, String line, @TempDir Path folder) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "first line\n" + line + "\n");

        assertThat(new RepositoryText(folder).violationsOf(ban)).containsExactly(Path.of(file) + ":2: " + line.strip());
    }
}
