package io.tidemark.protocol.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceFolderTest {
    private static final FileTime LONG_AGO = FileTime.fromMillis(1_000_000);

    private Path folder;
    private Path specs;
    private Path target;
    private Path fooClass;
    private Path barClass;

    @BeforeEach
    void writeSpecs(@TempDir Path temporary) throws IOException {
        folder = temporary;
        specs = folder.resolve("specs");
        target = folder.resolve("java");
        fooClass = target.resolve("io/tidemark/broker/protocol/raft/Foo.java");
        barClass = target.resolve("io/tidemark/broker/protocol/raft/Bar.java");
        spec("Foo", "int32");
        spec("Bar", "int32");
    }

    @Test
    void writesAClassForEachSpecBelowAFamily() throws IOException {
        SourceFolder.generate(specs, target);

        assertThat(fooClass).content().contains("class Foo").contains("private int field;");
        assertThat(barClass).exists();
    }

    @Test
    void doesNothingWhereNothingChanged() throws IOException {
        SourceFolder.generate(specs, target);
        Files.writeString(fooClass, "left alone");

        SourceFolder.generate(specs, target);

        assertThat(fooClass).hasContent("left alone");
    }

    @Test
    void touchesOnlyTheFilesThatChange() throws IOException {
        SourceFolder.generate(specs, target);
        Files.setLastModifiedTime(fooClass, LONG_AGO);
        Files.setLastModifiedTime(barClass, LONG_AGO);
        spec("Foo", "int64");

        SourceFolder.generate(specs, target);

        assertThat(fooClass).content().contains("private long field;");
        assertThat(Files.getLastModifiedTime(fooClass)).isNotEqualTo(LONG_AGO);
        assertThat(Files.getLastModifiedTime(barClass)).isEqualTo(LONG_AGO);
    }

    @Test
    void removesTheClassOfASpecThatIsGone() throws IOException {
        SourceFolder.generate(specs, target);
        Files.delete(specs.resolve("raft/common/Foo.json"));

        SourceFolder.generate(specs, target);

        assertThat(fooClass).doesNotExist();
        assertThat(barClass).exists();
    }

    @Test
    void saysWhenThereAreNoSpecs() {
        assertThatThrownBy(() -> SourceFolder.generate(folder.resolve("none"), target))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("none", "unpack");
    }

    private void spec(String name, String type) throws IOException {
        Path file = specs.resolve("raft/common/" + name + ".json");
        Files.createDirectories(file.getParent());
        Files.writeString(file, """
                { "type": "data", "name": "%s", "validVersions": "0", "fields": [
                  { "name": "Field", "type": "%s", "versions": "0+" } ] }""".formatted(name, type));
    }
}
