package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.disk.PowerLossDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs on real files whose power is lost again and again. */
class PowerLossTest {
    private static final int SEEDS = 12;
    private static final int LOSSES = 6;

    @TempDir
    Path folder;

    @Test
    void whateverIsLostTheLogComesUpWholeWithEverythingThatWasFlushed() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                liveThroughLosses(seed);
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("Seed " + seed, e);
            }
        }
    }

    private void liveThroughLosses(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Path path = folder.resolve("seed-" + seed);
        PowerLossDisk disk = new PowerLossDisk(new FileSystemDisk(), folder.resolve("aside-" + seed));
        List<String> written = new ArrayList<>();
        int[] flushed = new int[1];
        try (LogBench bench = new LogBench(
                path,
                disk,
                "internal.segment.bytes",
                Integer.toString(300 + random.nextInt(1500)),
                "index.interval.bytes",
                Integer.toString(random.nextInt(400)),
                "segment.index.bytes",
                Integer.toString(48 + random.nextInt(300)))) {
            for (int loss = 0; loss < LOSSES; loss++) {
                int steps = random.nextInt(25);
                for (int step = 0; step < steps; step++) {
                    step(bench, written, flushed, random);
                }
                bench.directory.abandon();
                disk.losePower(random.nextLong());
                bench.open();
                List<String> left = bench.valuesFrom(0);
                assertThat(left).hasSizeBetween(flushed[0], written.size());
                assertThat(left).isEqualTo(written.subList(0, left.size()));
                assertThat(bench.log.logEndOffset()).isEqualTo(left.size());
                written = new ArrayList<>(left);
            }
        }
    }

    private static void step(LogBench bench, List<String> written, int[] flushed, SplittableRandom random)
            throws IOException {
        int choice = random.nextInt(100);
        if (choice < 75) {
            String[] values = new String[1 + random.nextInt(4)];
            Arrays.setAll(values, i -> "value-" + (written.size() + i));
            bench.append(values);
            written.addAll(List.of(values));
        } else if (choice < 85) {
            bench.log.roll(NOW);
        } else if (choice < 95) {
            bench.log.flush();
            flushed[0] = written.size();
        } else {
            bench.directory.writeCheckpoints();
        }
    }
}
