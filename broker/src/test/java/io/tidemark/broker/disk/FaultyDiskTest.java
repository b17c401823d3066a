package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.disk.DiskOperation.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultyDiskTest extends DiskContract {
    private final List<Long> waits = new ArrayList<>();
    private final FaultyDisk disk = new FaultyDisk(new FileSystemDisk(), new DiskFaults(waits::add));
    private final DiskFaults faults = disk.faults();

    @TempDir
    Path folder;

    @Override
    Disk disk() {
        return disk;
    }

    @Override
    Path folder() {
        return folder;
    }

    private DiskFile written(String name, int size) throws IOException {
        DiskFile file = disk.open(folder.resolve(name));
        file.write(ByteBuffer.wrap(new byte[size]), 0);
        return file;
    }

    @Test
    void aFullDiskPutsDownWhatFitsAndFails() throws IOException {
        DiskFile file = written("f", 10);
        faults.limitFreeBytes(2);

        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[5]), 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("write at byte 10 of " + folder.resolve("f"))
                .hasMessageContaining("no space left");
        assertThat(file.size()).isEqualTo(12);
        assertThatThrownBy(() -> disk.replace(folder.resolve("checkpoint"), new byte[1]))
                .hasMessageContaining("no space left");
        faults.heal();
        file.write(ByteBuffer.wrap(new byte[5]), 10);
        assertThat(file.size()).isEqualTo(15);
    }

    @Test
    void whatIsDeletedOrCutMakesRoom() throws IOException {
        DiskFile file = written("f", 10);
        written("g", 10).close();
        faults.limitFreeBytes(0);

        disk.delete(folder.resolve("g"));
        file.truncate(5);

        assertThat(disk.space(folder).usableBytes()).isEqualTo(15);
        file.write(ByteBuffer.wrap(new byte[15]), 5);
        assertThat(file.size()).isEqualTo(20);
        assertThatThrownBy(() -> written("h", 1)).hasMessageContaining("no space left");
    }

    @Test
    void whatWasWrittenOverTakesNoRoom() throws IOException {
        DiskFile file = written("f", 10);
        faults.limitFreeBytes(0);

        file.write(ByteBuffer.wrap(new byte[10]), 0);

        assertThat(file.size()).isEqualTo(10);
    }

    @Test
    void readsFailWhereTheyAreToldTo() throws IOException {
        DiskFile file = written("f", 10);
        faults.failWhere(DiskMatch.of(Kind.READ));

        assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), 0))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("read at byte 0 of " + folder.resolve("f"));
        assertThatThrownBy(() -> file.transferTo(0, 1, Channels.newChannel(new ByteArrayOutputStream())))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.readAll(folder.resolve("f"))).isInstanceOf(IOException.class);
        file.write(ByteBuffer.wrap(new byte[1]), 0);
        faults.heal();
        assertThat(file.read(ByteBuffer.allocate(1), 0)).isEqualTo(1);
    }

    @Test
    void onlyTheFilesAndTheTimesThatAreMeantFail() throws IOException {
        DiskFile meant = written("meant", 1);
        DiskFile other = written("other", 1);
        faults.failWhere(DiskMatch.of(Kind.FORCE)
                .on(path -> path.endsWith("meant"))
                .after(1)
                .atMost(1));

        other.force(true);
        meant.force(true);
        other.force(true);
        assertThatThrownBy(() -> meant.force(true)).hasMessageContaining("force " + folder.resolve("meant"));
        meant.force(true);
    }

    @Test
    void everyChangeCanFail() throws IOException {
        DiskFile file = written("f", 10);
        MappedFile mapped = disk.map(folder.resolve("m"), 64);
        faults.failWhere(DiskMatch.changes());

        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[1]), 0)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file.truncate(1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> file.force(false)).isInstanceOf(IOException.class);
        assertThatThrownBy(mapped::force).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> mapped.closeAt(1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.open(folder.resolve("new"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.map(folder.resolve("m"), 8)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.rewrite(folder.resolve("r"), new byte[1])).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.rename(folder.resolve("f"), folder.resolve("g")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.delete(folder.resolve("f"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.createDirectories(folder.resolve("d"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> disk.forceDirectory(folder)).isInstanceOf(IOException.class);
        assertThat(file.size()).isEqualTo(10);
        assertThat(disk.list(folder)).containsExactly(folder.resolve("f"), folder.resolve("m"));
    }

    @Test
    void aSlowDiskDoesTheSameLater() throws IOException {
        DiskFile file = written("f", 10);
        faults.slowWhere(DiskMatch.of(Kind.FORCE), 20);

        file.write(ByteBuffer.wrap(new byte[1]), 0);
        file.force(true);

        assertThat(waits).containsExactly(20L);
    }

    @Test
    void aBitIsFlippedUnderWhoeverReads() throws IOException {
        DiskFile file = written("f", 2);
        disk.flipBit(folder.resolve("f"), 9);

        assertThat(Files.readAllBytes(folder.resolve("f"))).containsExactly(0, 2);
        assertThat(file.size()).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> disk.flipBit(folder.resolve("f"), 16));
    }
}
