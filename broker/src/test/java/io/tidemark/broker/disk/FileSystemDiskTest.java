package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemDiskTest {
    private final FileSystemDisk disk = new FileSystemDisk();

    @TempDir
    Path folder;

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsWhatWasWrittenAtAPosition() throws IOException {
        try (DiskFile file = disk.open(folder.resolve("f"))) {
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
        try (DiskFile file = disk.open(folder.resolve("f"))) {
            file.write(bytes("abcdef"), 0);
            ByteArrayOutputStream out = new ByteArrayOutputStream();

            assertThat(file.transferTo(2, 3, Channels.newChannel(out))).isEqualTo(3);
            assertThat(out).hasToString("cde");
        }
    }

    @Test
    void aClosedFileFailsAndNamesItself() throws IOException {
        DiskFile file = disk.open(folder.resolve("f"));
        file.close();

        assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("read at byte 0 of " + folder.resolve("f"));
        assertThatThrownBy(() -> file.transferTo(0, 1, Channels.newChannel(new ByteArrayOutputStream())))
                .isInstanceOf(IOException.class);
    }

    @Test
    void aMappingIsSparseAndGoesAtOnceWhenClosed() throws IOException {
        Path path = folder.resolve("mapped.index");
        MappedFile mapped = disk.map(path, 10 * 1024 * 1024);
        mapped.buffer().putLong(0, 42);
        mapped.force();
        assertThat(Files.size(path)).isEqualTo(10 * 1024 * 1024);

        mapped.closeAt(8);

        assertThat(disk.readAll(path)).containsExactly(0, 0, 0, 0, 0, 0, 0, 42);
        assertThatThrownBy(mapped::force).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(mapped::buffer).isInstanceOf(IllegalStateException.class);
        Path maps = Path.of("/proc/self/maps");
        Assumptions.assumeTrue(Files.exists(maps));
        assertThat(Files.readString(maps)).doesNotContain("mapped.index");
    }

    @Test
    void replacesASmallFileAsAWhole() throws IOException {
        Path path = folder.resolve("checkpoint");
        disk.replace(path, new byte[] {1, 2, 3});
        disk.rewrite(path, new byte[] {4});

        assertThat(disk.readAll(path)).containsExactly(4);
        assertThat(disk.list(folder)).containsExactly(path);
    }

    @Test
    void aFolderIsLockedOnce() throws IOException {
        Path path = folder.resolve(".lock");
        Closeable lock = disk.lock(path);

        assertThat(lock).isNotNull();
        assertThat(disk.lock(path)).isNull();
        lock.close();
        try (Closeable again = disk.lock(path)) {
            assertThat(again).isNotNull();
        }
    }

    @Test
    void failuresNameThePathAndWhatWasAttempted() {
        assertThatThrownBy(() -> disk.openReadOnly(folder.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot open for reading " + folder.resolve("none") + ": there is no such file or folder");
        assertThatThrownBy(() -> disk.rename(folder.resolve("none"), folder.resolve("other")))
                .hasMessageContaining("Cannot rename to " + folder.resolve("other"));
    }

    @Test
    void whatIsNotThereHasNoEntriesAndIsDeletedAlready() throws IOException {
        assertThat(disk.list(folder.resolve("none"))).isEmpty();
        disk.delete(folder.resolve("none"));
        assertThat(disk.exists(folder.resolve("none"))).isFalse();
    }
}
