package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemDiskTest extends DiskContract {
    private final FileSystemDisk disk = new FileSystemDisk();

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

    @Test
    void aClosedMappingIsGoneFromTheProcess() throws IOException {
        Path maps = Path.of("/proc/self/maps");
        Assumptions.assumeTrue(Files.exists(maps));
        disk.map(folder.resolve("mapped.index"), 4096).closeAt(8);

        assertThat(Files.readString(maps)).doesNotContain("mapped.index");
    }
}
