package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemDiskWithoutForcesTest extends DiskContract {
    private final FileSystemDisk disk = FileSystemDisk.withoutForces();

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
    void aForceFailsWhereOneWithAnEffectDoes() throws IOException {
        DiskFile closed = disk.open(folder.resolve("closed.log"));
        closed.close();

        assertThatIOException()
                .isThrownBy(() -> closed.force(true))
                .withMessageStartingWith("Cannot force " + closed.path());
        assertThatIOException()
                .isThrownBy(() -> disk.forceDirectory(folder.resolve("none")))
                .withMessageStartingWith("Cannot force folder " + folder.resolve("none"))
                .withMessageEndingWith("there is no such file or folder");
    }
}
