package io.tidemark.broker.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowerLossDiskTest extends DiskContract {
    @TempDir
    Path temporary;

    private Path folder = Path.of("unset");
    private Path aside = Path.of("unset");
    private PowerLossDisk disk = new PowerLossDisk(new FileSystemDisk(), aside);
    private int disks;

    @BeforeEach
    void makeDisk() throws IOException {
        aside = temporary.resolve("aside" + disks);
        folder = temporary.resolve("node" + disks++);
        disk = new PowerLossDisk(new FileSystemDisk(), aside);
        disk.createDirectories(folder);
    }

    @Override
    Disk disk() {
        return disk;
    }

    @Override
    Path folder() {
        return folder;
    }

    private Path write(String name, int size, int value) throws IOException {
        Path path = folder.resolve(name);
        try (DiskFile file = disk.open(path)) {
            byte[] bytes = new byte[size];
            Arrays.fill(bytes, (byte) value);
            file.write(ByteBuffer.wrap(bytes), file.size());
        }
        return path;
    }

    private void force(Path path) throws IOException {
        try (DiskFile file = disk.open(path)) {
            file.force(true);
        }
    }

    /** Does the same on as many fresh disks as there are seeds, and tells what is left of it each time. */
    private Set<String> fates(Script script, Look look) throws IOException {
        Set<String> fates = new TreeSet<>();
        for (long seed = 0; seed < 60; seed++) {
            makeDisk();
            script.run();
            disk.losePower(seed);
            fates.add(look.look());
            assertThat(aside).doesNotExist();
        }
        return fates;
    }

    private interface Script {
        void run() throws IOException;
    }

    private interface Look {
        String look() throws IOException;
    }

    private String content(String name) throws IOException {
        Path path = folder.resolve(name);
        return Files.exists(path) ? Arrays.toString(Files.readAllBytes(path)) : "gone";
    }

    private String names() throws IOException {
        return disk.list(folder).stream().map(folder::relativize).toList().toString();
    }

    @Test
    void whatWasForcedOutlastsEveryPowerLoss() throws IOException {
        force(write("f", 2000, 1));
        disk.forceDirectory(folder);
        write("f", 3000, 2);

        for (long seed = 0; seed < 50; seed++) {
            disk.losePower(seed);
            byte[] left = Files.readAllBytes(folder.resolve("f"));
            assertThat(left).hasSizeGreaterThanOrEqualTo(2000);
            assertThat(Arrays.copyOf(left, 2000)).containsOnly(1);
            write("f", 700, 3);
        }
    }

    @Test
    void whatWasNotForcedIsLostWholeOrInPartOrNotAtAll() throws IOException {
        Set<String> fates = fates(() -> write("f", 4, 1), () -> content("f"));

        assertThat(fates).contains("gone", "[]", "[1, 1, 1, 1]").hasSizeGreaterThan(4);
    }

    @Test
    void theSameSeedLosesTheSame() throws IOException {
        Set<String> fates = new TreeSet<>();
        for (int i = 0; i < 3; i++) {
            makeDisk();
            for (int file = 0; file < 8; file++) {
                write("f" + file, 1500, file);
            }
            disk.losePower(11);
            StringBuilder left = new StringBuilder(names());
            for (Path path : disk.list(folder)) {
                left.append(Arrays.toString(Files.readAllBytes(path)));
            }
            fates.add(left.toString());
        }

        assertThat(fates).hasSize(1);
    }

    @Test
    void aRenameThatWasNotForcedMayBeUndone() throws IOException {
        assertThat(fates(
                        () -> {
                            force(write("old", 1, 1));
                            disk.forceDirectory(folder);
                            disk.rename(folder.resolve("old"), folder.resolve("new"));
                        },
                        this::names))
                .containsExactly("[new]", "[old]");
    }

    @Test
    void whatWasDeletedMayComeBackUntilTheFolderIsForced() throws IOException {
        assertThat(fates(
                        () -> {
                            force(write("f", 1, 1));
                            disk.forceDirectory(folder);
                            disk.delete(folder.resolve("f"));
                            assertThat(aside).isNotEmptyDirectory();
                        },
                        () -> content("f")))
                .containsExactly("[1]", "gone");
        assertThat(fates(
                        () -> {
                            force(write("f", 1, 1));
                            disk.delete(folder.resolve("f"));
                            disk.forceDirectory(folder);
                            assertThat(aside).doesNotExist();
                        },
                        () -> content("f")))
                .containsExactly("gone");
    }

    @Test
    void aReplacedFileIsTheOldOneOrTheNewOne() throws IOException {
        assertThat(fates(
                        () -> {
                            disk.replace(folder.resolve("f"), new byte[] {1});
                            disk.replace(folder.resolve("f"), new byte[] {2});
                        },
                        () -> content("f")))
                .containsExactly("[2]");
        assertThat(fates(
                        () -> {
                            disk.replace(folder.resolve("f"), new byte[] {1});
                            disk.rewrite(folder.resolve("f"), new byte[] {2});
                        },
                        () -> content("f")))
                .contains("[1]", "[2]", "[]");
        assertThat(fates(
                        () -> {
                            for (int value = 1; value < 3; value++) {
                                write("large.tmp", 100_000, value);
                                force(folder.resolve("large.tmp"));
                                disk.rename(folder.resolve("large.tmp"), folder.resolve("large"));
                                if (value == 1) {
                                    disk.forceDirectory(folder);
                                }
                            }
                        },
                        () -> String.valueOf(Files.readAllBytes(folder.resolve("large"))[99_999])))
                .containsExactly("1", "2");
    }

    @Test
    void aFolderThatWasRenamedAndEmptiedMayComeBackWithItsFiles() throws IOException {
        assertThat(fates(
                        () -> {
                            Path orders = folder.resolve("orders-0");
                            disk.createDirectories(orders);
                            force(write("orders-0/0.log", 1, 1));
                            disk.forceDirectory(orders);
                            disk.forceDirectory(folder);
                            Path deleted = folder.resolve("orders-0-delete");
                            disk.rename(orders, deleted);
                            disk.delete(deleted.resolve("0.log"));
                            disk.delete(deleted);
                        },
                        () -> names() + " " + content("orders-0/0.log")))
                .contains("[] gone", "[orders-0] [1]", "[orders-0-delete] gone");
    }

    @Test
    void whatIsWrittenThroughAMappingIsLostUnlessItIsForced() throws IOException {
        Set<String> fates = fates(
                () -> {
                    try (MappedFile mapped = disk.map(folder.resolve("f"), 1024)) {
                        mapped.buffer().put(0, (byte) 7);
                        mapped.force();
                        disk.forceDirectory(folder);
                        mapped.buffer().put(1, (byte) 9);
                        mapped.buffer().put(600, (byte) 9);
                    }
                },
                () -> {
                    byte[] left = Files.readAllBytes(folder.resolve("f"));
                    return left.length + " " + left[0] + " " + left[1] + " " + left[600];
                });

        assertThat(fates)
                .contains("1024 7 0 0", "1024 7 9 9", "1024 7 0 9")
                .allMatch(fate -> fate.startsWith("1024 7"));
    }

    @Test
    void aTrimmedMappingThatWasForcedStays() throws IOException {
        Path path = folder.resolve("f");
        MappedFile mapped = disk.map(path, 1024);
        mapped.buffer().putLong(0, 5);
        mapped.closeAt(8);
        force(path);
        disk.forceDirectory(folder);

        for (long seed = 0; seed < 20; seed++) {
            disk.losePower(seed);
            assertThat(Files.readAllBytes(path)).containsExactly(0, 0, 0, 0, 0, 0, 0, 5);
        }
    }

    @Test
    void aCutThatWasNotForcedMayBeUndoneButIsNeverMixedWithWhatCameAfterIt() throws IOException {
        Set<String> fates = fates(
                () -> {
                    force(write("f", 4, 1));
                    disk.forceDirectory(folder);
                    try (DiskFile file = disk.open(folder.resolve("f"))) {
                        file.truncate(2);
                        file.write(ByteBuffer.wrap(new byte[] {2, 2}), 2);
                    }
                },
                () -> content("f"));

        assertThat(fates).contains("[1, 1, 1, 1]", "[1, 1, 2, 2]", "[1, 1]");
        assertThat(fates).allMatch(fate -> fate.startsWith("[1, 1"));
        assertThat(fates).doesNotContain("[1, 1, 1, 2]", "[1, 1, 2, 1]");
    }

    @Test
    void bytesThatWereWrittenOverMayBeAsBefore() throws IOException {
        assertThat(fates(
                        () -> {
                            force(write("f", 3, 1));
                            disk.forceDirectory(folder);
                            try (DiskFile file = disk.open(folder.resolve("f"))) {
                                file.write(ByteBuffer.wrap(new byte[] {2}), 1);
                            }
                        },
                        () -> content("f")))
                .containsExactly("[1, 1, 1]", "[1, 2, 1]");
    }

    @Test
    void ofALongRunOfAppendsTheEndIsTornOrAllIsLost() throws IOException {
        int size = 6 * 1024 * 1024;
        Set<String> fates = new TreeSet<>();
        for (long seed = 0; seed < 12; seed++) {
            makeDisk();
            force(write("f", 10, 1));
            disk.forceDirectory(folder);
            write("f", size, 2);
            disk.losePower(seed);
            byte[] left = Files.readAllBytes(folder.resolve("f"));
            assertThat(Arrays.copyOf(left, 10)).containsOnly(1);
            fates.add(left.length == 10 ? "all is lost" : left.length == size + 10 ? "nothing is lost" : "torn");
        }

        assertThat(fates).contains("all is lost", "torn");
    }

    @Test
    void whatWasThereBeforeThisDiskIsDurable() throws IOException {
        Path there = Files.createDirectories(temporary.resolve("there/orders-0"));
        Files.write(there.resolve("0.log"), new byte[] {1, 2});
        disk.createDirectories(temporary.resolve("there"));
        disk.open(there.resolve("1.log")).close();

        disk.losePower(0);

        assertThat(Files.readAllBytes(there.resolve("0.log"))).containsExactly(1, 2);
    }

    @Test
    void anAppendThatFailsLeavesItsPartToChance() throws IOException {
        DiskFaults faults = new DiskFaults();
        disk = new PowerLossDisk(new FaultyDisk(new FileSystemDisk(), faults), aside);
        disk.createDirectories(folder);
        force(write("f", 2, 1));
        disk.forceDirectory(folder);
        faults.limitFreeBytes(1);
        assertThatThrownBy(() -> write("f", 2, 2)).hasMessageContaining("no space left");
        faults.heal();

        disk.losePower(1);

        assertThat(Files.readAllBytes(folder.resolve("f"))).startsWith(1, 1).hasSizeBetween(2, 3);
    }

    @Test
    void afterAnOrderlyShutdownNothingThatWasDeletedComesBack() throws IOException {
        force(write("f", 1, 1));
        disk.forceDirectory(folder);
        disk.delete(folder.resolve("f"));

        disk.settleNames();

        assertThat(aside).doesNotExist();
        disk.losePower(3);
        assertThat(folder.resolve("f")).doesNotExist();
    }
}
