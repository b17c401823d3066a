package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What every disk does. */
abstract class DiskContract {
    abstract Disk disk();

    abstract Path folder();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsWhatWasWrittenAtAPosition() throws IOException {
        try (DiskFile file = disk().open(folder().resolve("f"))) {
            file.write(bytes("abcdef"), 0);
            file.write(bytes("XY"), 2);
            ByteBuffer target = ByteBuffer.allocate(10);

            assertThat(file.read(target, 1)).isEqualTo(5);
            assertThat(new String(target.array(), 0, 5, StandardCharsets.UTF_8)).isEqualTo("bXYef");
            assertThat(file.read(target, 6)).isEqualTo(-1);
            assertThat(file.size()).isEqualTo(6);
        }
    }

    @Test
    void transfersAStretchOfAFile() throws IOException {
        try (DiskFile file = disk().open(folder().resolve("f"))) {
            file.write(bytes("abcdef"), 0);
            ByteArrayOutputStream out = new ByteArrayOutputStream();

            assertThat(file.transferTo(2, 3, Channels.newChannel(out))).isEqualTo(3);
            assertThat(out).hasToString("cde");
        }
    }

    @Test
    void aClosedFileFailsAndNamesItself() throws IOException {
        DiskFile file = disk().open(folder().resolve("f"));
        file.close();

        assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("read at byte 0 of " + folder().resolve("f"));
        assertThatThrownBy(() -> file.transferTo(0, 1, Channels.newChannel(new ByteArrayOutputStream())))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aMappingIsSparseAndGoesAtOnceWhenClosed() throws IOException {
        Path path = folder().resolve("mapped.index");
        MappedFile mapped = disk().map(path, 10 * 1024 * 1024);
        mapped.buffer().putLong(0, 42);
        mapped.force();
        assertThat(disk().size(path)).isEqualTo(10 * 1024 * 1024);

        mapped.closeAt(8);

        assertThat(disk().readAll(path)).containsExactly(0, 0, 0, 0, 0, 0, 0, 42);
        assertThatThrownBy(mapped::force).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(mapped::buffer).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void replacesASmallFileAsAWhole() throws IOException {
        Path path = folder().resolve("checkpoint");
        disk().replace(path, new byte[] {1, 2, 3});
        disk().rewrite(path, new byte[] {4});

        assertThat(disk().readAll(path)).containsExactly(4);
        assertThat(disk().list(folder())).containsExactly(path);
    }

    @Test
    void aRenamedFolderTakesItsFilesAlongAndOpenFilesStayOpen() throws IOException {
        Path from = folder().resolve("from");
        Path to = folder().resolve("to");
        disk().createDirectories(from);
        try (DiskFile file = disk().open(from.resolve("f"))) {
            file.write(bytes("ab"), 0);
            disk().rename(from, to);
            file.write(bytes("c"), 2);
        }

        assertThat(disk().exists(from)).isFalse();
        assertThat(disk().isDirectory(to)).isTrue();
        assertThat(disk().readAll(to.resolve("f"))).containsExactly('a', 'b', 'c');
        assertThatThrownBy(() -> disk().delete(to)).isInstanceOf(IOException.class);
    }

    @Test
    void aFileIsCutAndForcedAndItsFolderToo() throws IOException {
        Path path = folder().resolve("f");
        try (DiskFile file = disk().open(path)) {
            file.write(bytes("abcdef"), 0);
            file.truncate(2);
            file.truncate(5);
            file.write(bytes("z"), 4);
            file.force(true);
        }
        disk().forceDirectory(folder());

        assertThat(disk().readAll(path)).containsExactly('a', 'b', 0, 0, 'z');
    }

    @Test
    void aDeletedFileStaysForWhoHasItOpen() throws IOException {
        Path path = folder().resolve("f");
        try (DiskFile file = disk().open(path)) {
            file.write(bytes("a"), 0);
            disk().delete(path);

            assertThat(disk().exists(path)).isFalse();
            assertThat(file.size()).isEqualTo(1);
        }
    }

    @Test
    void aFolderIsLockedOnce() throws IOException {
        Path path = folder().resolve(".lock");
        Closeable lock = disk().lock(path);

        assertThat(lock).isNotNull();
        assertThat(disk().lock(path)).isNull();
        lock.close();
        try (Closeable again = disk().lock(path)) {
            assertThat(again).isNotNull();
        }
    }

    @Test
    void failuresNameThePathAndWhatWasAttempted() {
        assertThatThrownBy(() -> disk().openReadOnly(folder().resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Cannot open for reading " + folder().resolve("none") + ": there is no such file or folder");
        assertThatThrownBy(() -> disk().rename(folder().resolve("none"), folder().resolve("other")))
                .hasMessageContaining("Cannot rename to " + folder().resolve("other"));
    }

    @Test
    void whatIsNotThereHasNoEntriesAndIsDeletedAlready() throws IOException {
        assertThat(disk().list(folder().resolve("none"))).isEmpty();
        disk().delete(folder().resolve("none"));
        assertThat(disk().exists(folder().resolve("none"))).isFalse();
    }
}
