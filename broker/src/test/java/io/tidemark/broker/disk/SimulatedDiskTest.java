package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SimulatedDiskTest extends DiskContract {
    private static final Path FOLDER = Path.of("/data/node").toAbsolutePath();

    private final SimulatedDisk disk = new SimulatedDisk();

    @BeforeEach
    void makeFolder() throws IOException {
        disk.createDirectories(FOLDER);
        for (Path folder = FOLDER.getParent(); folder != null; folder = folder.getParent()) {
            disk.forceDirectory(folder);
        }
    }

    @Override
    Disk disk() {
        return disk;
    }

    @Override
    Path folder() {
        return FOLDER;
    }

    private DiskFile written(String name, int size) throws IOException {
        DiskFile file = disk.open(FOLDER.resolve(name));
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) 1);
        file.write(ByteBuffer.wrap(bytes), 0);
        return file;
    }

    @Test
    void whatWasForcedOutlastsEveryPowerLoss() throws IOException {
        DiskFile file = written("f", 2000);
        file.force(true);
        disk.forceDirectory(FOLDER);

        for (long seed = 0; seed < 50; seed++) {
            disk.powerLoss(seed);
            assertThat(disk.readAll(FOLDER.resolve("f"))).hasSize(2000).containsOnly(1);
        }
        assertThatThrownBy(file::size).isInstanceOf(IOException.class);
    }

    @Test
    void aRewriteThatWasNeverFinishedDoesNotComeBackInTheNext() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            DiskFile unfinished = written("f.tmp", 100);
            unfinished.force(true);
            disk.forceDirectory(FOLDER);

            disk.rewrite(FOLDER.resolve("f"), new byte[100]);
            disk.powerLoss(seed);

            if (disk.exists(FOLDER.resolve("f"))) {
                assertThat(disk.readAll(FOLDER.resolve("f"))).doesNotContain(1);
            }
        }
    }

    @Test
    void whatWasNotForcedIsLostWholeOrInPartOrNotAtAll() throws IOException {
        Set<String> fates = new TreeSet<>();
        for (long seed = 0; seed < 400; seed++) {
            SimulatedDisk fresh = new SimulatedDisk();
            Path path = Path.of("/f").toAbsolutePath();
            fresh.open(path).write(ByteBuffer.wrap(new byte[] {1, 1, 1, 1}), 0);
            fresh.powerLoss(seed);
            fates.add(fresh.exists(path) ? Arrays.toString(fresh.readAll(path)) : "gone");
        }

        assertThat(fates).contains("gone", "[]", "[1, 1, 1, 1]", "[0, 0, 0, 0]").hasSizeGreaterThan(4);
    }

    @Test
    void theSameSeedLosesTheSame() throws IOException {
        for (int i = 0; i < 8; i++) {
            written("f" + i, 1500);
        }
        SimulatedDisk other = new SimulatedDisk();
        other.createDirectories(FOLDER);
        for (Path folder = FOLDER.getParent(); folder != null; folder = folder.getParent()) {
            other.forceDirectory(folder);
        }
        for (int i = 0; i < 8; i++) {
            byte[] bytes = new byte[1500];
            Arrays.fill(bytes, (byte) 1);
            other.open(FOLDER.resolve("f" + i)).write(ByteBuffer.wrap(bytes), 0);
        }
        disk.powerLoss(11);
        other.powerLoss(11);

        assertThat(disk.list(FOLDER)).isEqualTo(other.list(FOLDER)).isNotEmpty();
        for (Path path : disk.list(FOLDER)) {
            assertThat(disk.readAll(path)).isEqualTo(other.readAll(path));
        }
    }

    @Test
    void aRenameThatWasNotForcedMayBeUndone() throws IOException {
        Set<String> names = new TreeSet<>();
        for (long seed = 0; seed < 50; seed++) {
            SimulatedDisk fresh = new SimulatedDisk();
            Path root = Path.of("/").toAbsolutePath();
            fresh.open(root.resolve("old")).close();
            fresh.forceDirectory(root);
            fresh.rename(root.resolve("old"), root.resolve("new"));
            fresh.powerLoss(seed);
            names.add(fresh.list(root).toString());
        }

        assertThat(names).containsExactly("[/new]", "[/old]");
    }

    @Test
    void whatIsWrittenThroughAMappingIsLostUnlessItIsForced() throws IOException {
        Path path = FOLDER.resolve("f");
        MappedFile mapped = disk.map(path, 16);
        mapped.buffer().putLong(0, 7);
        mapped.force();
        mapped.buffer().putLong(8, 9);
        disk.forceDirectory(FOLDER);
        Set<Long> seen = new TreeSet<>();
        disk.powerLoss(3);

        ByteBuffer left = ByteBuffer.wrap(disk.readAll(path));
        seen.add(left.getLong(0));
        assertThat(seen).containsExactly(7L);
    }

    @Test
    void afterTheStopNothingPassesUntilTheNextProcess() throws IOException {
        DiskFile file = written("f", 1);
        disk.stopAfter(1);
        file.write(ByteBuffer.wrap(new byte[] {2}), 1);

        assertThatThrownBy(() -> file.write(ByteBuffer.wrap(new byte[] {3}), 2))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("stopped");
        assertThatThrownBy(() -> disk.readAll(FOLDER.resolve("f"))).hasMessageContaining("stopped");
        assertThat(disk.stopped()).isTrue();
        disk.restart();
        assertThat(disk.readAll(FOLDER.resolve("f"))).containsExactly(1, 2);
        assertThatThrownBy(() -> file.size()).isInstanceOf(IOException.class);
    }

    @Test
    void aBitIsFlipped() throws IOException {
        written("f", 2).force(true);
        disk.forceDirectory(FOLDER);
        disk.flipBit(FOLDER.resolve("f"), 9);
        disk.powerLoss(1);

        assertThat(disk.readAll(FOLDER.resolve("f"))).containsExactly(1, 3);
    }
}
