package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a log asks of its disk, and what it does when the disk fails. */
class DiskUseTest {
    @TempDir
    Path folder;

    private final FailingDisk disk = new FailingDisk();

    @Test
    void aFreshLogAndItsFirstAppendsForceAndMapNothing() throws IOException {
        try (LogBench bench = new LogBench(folder, disk)) {
            bench.log.assignEpochStart(0, 0);
            bench.append("a");
            bench.append("b");

            assertThat(disk.forced).isZero();
            assertThat(disk.mapped).isZero();
        }
    }

    @Test
    void anAppendThatTheDiskRefusedNeverWas() throws IOException {
        try (LogBench bench = new LogBench(folder, disk)) {
            bench.produce(9, 0, 0, 1);
            disk.full = true;
            assertThatThrownBy(() -> bench.produce(9, 0, 1, 1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no space left");

            disk.full = false;
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
            disk.full = true;
            assertThatThrownBy(() -> bench.append("b")).isInstanceOf(IOException.class);
            disk.full = false;
            assertThat(Files.size(bench.file("00000000000000000000.log"))).isGreaterThan(good);
            bench.restart();

            assertThat(bench.log.logEndOffset()).isEqualTo(1);
            assertThat(Files.size(bench.file("00000000000000000000.log"))).isEqualTo(good);
        }
    }
}
