package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FileSystemDisk;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stop at every file operation of a compaction, and what is found then. */
class InterruptedSwapTest {
    @TempDir
    Path folder;

    @Test
    void aStopAtAnyStepLeavesTheOldOrTheNewSegments() throws IOException {
        boolean isWhole = false;
        int withNew = 0;
        int withOld = 0;
        for (int steps = 0; !isWhole; steps++) {
            StoppingDisk stops = new StoppingDisk();
            Path path = folder.resolve("run-" + steps);
            try (CompactionBench bench =
                    CompactionBench.on(stops.disk(), path, CompactionBench.settings(1 << 20, Double.MAX_VALUE))) {
                for (int segment = 0; segment < 3; segment++) {
                    for (int i = 0; i < 4; i++) {
                        bench.putBy(4, false, "key-" + i, "segment-" + segment);
                    }
                    bench.log().roll(bench.nowMs);
                }
                bench.put("last", "x");
                bench.log().flush();
                bench.logs.directory.writeCheckpoints();
                List<ActiveProducer> producers = bench.log().activeProducers();

                stops.stopAfter(steps);
                bench.clean();
                isWhole = !stops.hasStopped();
                stops.goOn();
                bench.crash();

                Map<Long, String> found = bench.records();
                assertThat(found).as("after %d steps", steps).hasSizeBetween(5, 13);
                assertThat(bench.log().logEndOffset()).isEqualTo(13);
                for (int i = 0; i < 4; i++) {
                    assertThat(found).containsEntry(8L + i, "key-" + i + "=segment-2");
                }
                assertThat(bench.log().activeProducers()).isEqualTo(producers);
                withNew += found.size() == 5 ? 1 : 0;
                withOld += found.size() == 13 ? 1 : 0;
                assertThat(found.size()).as("after %d steps", steps).isIn(5, 13);
                assertThat(bench.logs.disk.list(bench.logs.file("")))
                        .noneMatch(file -> LogFiles.isA(file, LogFiles.SWAP) || LogFiles.isA(file, LogFiles.CLEANED));

                bench.clean();
                assertThat(bench.records())
                        .as("cleaned again after %d steps", steps)
                        .hasSize(5);
            }
        }
        assertThat(withOld).isGreaterThan(5);
        assertThat(withNew).isGreaterThan(5);
    }

    /** Every change of the folder counts as a step; after the last that is allowed, none happens any more. */
    private static final class StoppingDisk {
        private final Disk real = new FileSystemDisk();
        private int left = Integer.MAX_VALUE;
        private boolean hasStopped;

        Disk disk() {
            return (Disk) Proxy.newProxyInstance(
                    Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                        boolean isStep = List.of("rename", "delete", "forceDirectory", "rewrite", "map")
                                .contains(method.getName());
                        if (isStep && left-- <= 0) {
                            hasStopped = true;
                            throw new IOException("The process was killed before " + method.getName());
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }

        void stopAfter(int steps) {
            left = steps;
        }

        boolean hasStopped() {
            return hasStopped;
        }

        void goOn() {
            left = Integer.MAX_VALUE;
        }
    }
}
