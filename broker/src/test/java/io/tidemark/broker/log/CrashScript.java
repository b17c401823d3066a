package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A node's life up to the operation of interest, and that operation, all from one seed, on a disk that remembers. */
final class CrashScript {
    static final Path FOLDER = Path.of("/data/logs").toAbsolutePath();
    private static final long TRANSACTIONAL_ID = 3;

    /** What is interrupted. A compaction's swap of segments belongs here too, once there is one. */
    enum Action {
        APPEND,
        ROLL,
        FLUSH,
        TRUNCATION,
        FULL_TRUNCATION,
        RETENTION,
        CHECKPOINT,
        CLEAN_CLOSE,
        START
    }

    final SimulatedDisk disk = new SimulatedDisk();
    final WrittenLog written = new WrittenLog();
    final List<String> steps = new ArrayList<>();
    final LogBench bench;
    private final RandomGenerator random;
    private int leaderEpoch;

    CrashScript(long seed) throws IOException {
        random = new SplittableRandom(seed);
        disk.createDirectories(FOLDER);
        disk.forceDirectory(FOLDER.getParent());
        disk.forceDirectory(FOLDER.getRoot());
        bench = new LogBench(
                FOLDER,
                disk,
                "internal.segment.bytes",
                Integer.toString(300 + random.nextInt(1500)),
                "index.interval.bytes",
                Integer.toString(random.nextInt(400)),
                "segment.index.bytes",
                Integer.toString(48 + random.nextInt(300)),
                "file.delete.delay.ms",
                random.nextBoolean() ? "0" : "1000");
    }

    void setUp() throws IOException {
        int count = 3 + random.nextInt(18);
        for (int i = 0; i < count; i++) {
            int choice = random.nextInt(100);
            if (choice < 62) {
                append();
            } else if (choice < 70) {
                roll();
            } else if (choice < 78) {
                flush();
            } else if (choice < 83) {
                truncate();
            } else if (choice < 88) {
                checkpoint();
            } else if (choice < 93) {
                restart();
            } else {
                applyRetention();
            }
            bench.loop.advance(random.nextInt(1000));
        }
        steps.add("then");
    }

    void run(Action action) throws IOException {
        switch (action) {
            case APPEND -> append();
            case ROLL -> roll();
            case FLUSH -> flush();
            case TRUNCATION -> truncate();
            case FULL_TRUNCATION -> truncateFully();
            case RETENTION -> applyRetention();
            case CHECKPOINT -> checkpoint();
            case CLEAN_CLOSE -> close();
            case START -> restart();
        }
    }

    void append() throws IOException {
        if (random.nextInt(8) == 0) {
            leaderEpoch += 1 + random.nextInt(2);
        }
        long producerId = random.nextInt(4);
        ProducerState known = bench.log.producers().state(producerId);
        boolean open = known != null && known.openTransactionOffset() != ProducerState.NO_OFFSET;
        ByteBuf batch = producerId == TRANSACTIONAL_ID && open && random.nextBoolean()
                ? RecordBatchBuilder.endTransactionMarker(NOW, producerId, known.epoch(), random.nextBoolean(), 1)
                : recordsOf(producerId, known == null ? 0 : known.lastSequence() + 1);
        RecordBatch header = new RecordBatch(batch, 0);
        header.stamp(bench.log.logEndOffset(), leaderEpoch);
        steps.add("append " + batch.readableBytes() + " bytes at " + header.baseOffset() + " in epoch " + leaderEpoch);
        written.appending(batch.copy());
        bench.log.appendAsLeader(
                batch, leaderEpoch, header.isControl() ? AppendOrigin.COORDINATOR : AppendOrigin.CLIENT, NOW);
    }

    private ByteBuf recordsOf(long producerId, int sequence) {
        RecordBatchBuilder builder = new RecordBatchBuilder();
        if (producerId > 0) {
            builder.producer(producerId, (short) 0, sequence);
        }
        if (producerId == TRANSACTIONAL_ID) {
            builder.transactional();
        }
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            builder.add(NOW - random.nextInt(1000), null, LogBench.bytes("v" + "x".repeat(random.nextInt(80))));
        }
        return builder.build();
    }

    private void roll() throws IOException {
        steps.add("roll at " + bench.log.logEndOffset());
        bench.log.roll(NOW);
    }

    void flush() throws IOException {
        steps.add("flush to " + bench.log.logEndOffset());
        bench.log.flush();
        written.forced(bench.log.logEndOffset());
    }

    private void truncate() throws IOException {
        long start = bench.log.logStartOffset();
        long offset = start + random.nextLong(bench.log.logEndOffset() - start + 1);
        steps.add("cut at " + offset);
        written.cutting(offset);
        bench.log.truncateTo(offset);
        leaderEpoch++;
    }

    private void truncateFully() throws IOException {
        long offset = bench.log.logEndOffset() + random.nextInt(20);
        steps.add("start anew at " + offset);
        written.startingAnewAt(offset);
        bench.log.truncateFullyAndStartAt(offset);
    }

    private void applyRetention() throws IOException {
        long start = bench.log.logStartOffset();
        long offset = start + random.nextLong(bench.log.logEndOffset() - start + 1);
        steps.add("delete below " + offset);
        written.startingAt(offset);
        bench.log.incrementLogStartOffset(offset);
        bench.log.applyRetention(bench.log.logEndOffset(), NOW);
    }

    private void checkpoint() throws IOException {
        steps.add("checkpoint with recovery point " + bench.log.recoveryPoint());
        bench.directory.writeCheckpoints();
    }

    private void close() throws IOException {
        steps.add("close");
        long end = bench.log.logEndOffset();
        bench.directory.close(5);
        written.forced(end);
    }

    private void restart() throws IOException {
        close();
        steps.add("start");
        bench.open();
    }
}
