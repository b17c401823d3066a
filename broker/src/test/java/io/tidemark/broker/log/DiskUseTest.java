package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.disk.DiskFaults;
import io.tidemark.broker.disk.DiskMatch;
import io.tidemark.broker.disk.DiskOperation.Kind;
import io.tidemark.broker.disk.FaultyDisk;
import io.tidemark.broker.disk.FileSystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log asks of its disk, and what it does when the disk fails. */
class DiskUseTest {
    @TempDir
    Path folder;

    private final DiskFaults faults = new DiskFaults();
    private final FaultyDisk disk = new FaultyDisk(new FileSystemDisk(), faults);

    @Test
    void aFreshLogAndItsFirstAppendsForceAndMapNothing() throws IOException {
        try (LogBench bench = new LogBench(folder, disk)) {
            faults.failWhere(DiskMatch.of(Kind.FORCE, Kind.FORCE_FOLDER, Kind.MAP));
            bench.log.assignEpochStart(0, 0);
            bench.append("a");
            bench.append("b");

            assertThat(bench.log.logEndOffset()).isEqualTo(2);
            faults.heal();
        }
    }

    @Test
    void anAppendThatTheDiskRefusedNeverWas() throws IOException {
        try (LogBench bench = new LogBench(folder, disk)) {
            bench.produce(9, 0, 0, 1);
            faults.limitFreeBytes(30);
            assertThatThrownBy(() -> bench.produce(9, 0, 1, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no space left");

            faults.heal();
            assertThat(bench.log.logEndOffset()).isEqualTo(1);
            assertThat(bench.produce(9, 0, 1, 1).firstOffset()).isEqualTo(1);
            assertThat(bench.valuesFrom(0)).containsExactly("value-0", "value-1");
        }
    }

    @Test
    void halfAnAppendIsCutOffAtTheNextStart() throws IOException {
        try (LogBench bench = new LogBench(folder, disk)) {
            bench.append("a");
            long good = Files.size(bench.file("00000000000000000000.log"));
            faults.limitFreeBytes(30);
            assertThatThrownBy(() -> bench.append("b")).isInstanceOf(IOException.class);
            faults.heal();
            assertThat(Files.size(bench.file("00000000000000000000.log"))).isGreaterThan(good);
            bench.crash();

            assertThat(bench.log.logEndOffset()).isEqualTo(1);
            assertThat(Files.size(bench.file("00000000000000000000.log"))).isEqualTo(good);
        }
    }
}
