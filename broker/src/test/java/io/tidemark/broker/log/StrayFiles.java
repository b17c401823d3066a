package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufUtil;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What other lives of a node may have left in its folder, and must never be taken for data: logs on their way out, from
 * or to another folder, or without a topic; files of a compaction that did not finish, or of a deletion; snapshots and
 * indexes of segments that are gone. Kafka deletes all but the folders that end in {@code -future} and {@code -stray},
 * which it keeps and does not serve.
 */
final class StrayFiles {
    private static final String LATER = "00000000000000900000";
    private static final String LATER_STILL = "00000000000000900005";
    private static final String ID = "0000000000000007000000000000004d";

    private final List<Path> gone = new ArrayList<>();
    private final List<Path> kept = new ArrayList<>();

    private StrayFiles() {}

    static StrayFiles plantedIn(LogBench bench, RandomGenerator random) throws IOException {
        StrayFiles strays = new StrayFiles();
        byte[] batch = strayBatch();
        Path folder = bench.file("");
        if (bench.disk.isDirectory(folder)) {
            List<String> names = new ArrayList<>(List.of(
                    "00000000000000000000.log" + LogFiles.DELETED,
                    LATER + ".index" + LogFiles.DELETED,
                    LATER + ".log" + LogFiles.CLEANED,
                    LATER + ".timeindex" + LogFiles.CLEANED,
                    LATER_STILL + ".index" + LogFiles.SWAP,
                    LATER_STILL + ".log" + LogFiles.SWAP,
                    LATER_STILL + ".timeindex",
                    LATER_STILL + ".txnindex",
                    LATER_STILL + ".snapshot",
                    LATER_STILL + ".snapshot" + LogFiles.DELETED));
            for (String name : names) {
                if (random.nextInt(3) > 0 || name.endsWith(LogFiles.SWAP) || name.endsWith(LogFiles.CLEANED)) {
                    strays.gone.add(write(bench.disk, folder.resolve(name), batch));
                }
            }
        }
        for (String suffix : List.of("-delete", "-future", "-stray")) {
            Path sibling = bench.path.resolve("orders-0." + ID + suffix);
            bench.disk.createDirectories(sibling);
            write(bench.disk, sibling.resolve("00000000000000000000.log"), batch);
            (suffix.equals("-delete") ? strays.gone : strays.kept).add(sibling);
        }
        return strays;
    }

    private static byte[] strayBatch() {
        RecordBatch batch = new RecordBatch(LogBench.batch(LogBench.NOW, "stray"), 0);
        batch.stamp(0, 0);
        return ByteBufUtil.getBytes(batch.bytes());
    }

    private static Path write(Disk disk, Path file, byte[] content) throws IOException {
        disk.delete(file);
        try (var open = disk.open(file)) {
            open.write(ByteBuffer.wrap(content), 0);
        }
        return file;
    }

    /** After the start that found them. */
    void check(LogBench bench) throws IOException {
        bench.loop.advance(0);
        assertThat(bench.directory.partitions()).containsOnlyKeys(LogBench.ORDERS);
        for (Path path : gone) {
            assertThat(bench.disk.exists(path)).as("%s is there", path).isFalse();
        }
        for (Path path : kept) {
            assertThat(bench.disk.list(path)).as("files in %s", path).hasSize(1);
        }
    }
}
