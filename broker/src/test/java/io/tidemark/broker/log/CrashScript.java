package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.log.cleaner.CleanableLog;
import io.tidemark.broker.log.cleaner.CleanerSettings;
import io.tidemark.broker.log.cleaner.LogCleaner;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A node's life up to the operation of interest, and that operation, all from one seed, on a disk that remembers. */
final class CrashScript {
    static final Path FOLDER = Path.of("/data/logs").toAbsolutePath();
    private static final Uuid SECOND_LIFE = new Uuid(8, 88);
    private static final int PRODUCERS = 5;
    private static final long FIRST_TRANSACTIONAL_ID = 3;
    private static final int KEYS = 6;

    /** What is interrupted. */
    enum Action {
        APPEND,
        MARKER,
        ROLL,
        FLUSH,
        TRUNCATION,
        REWRITING,
        FULL_TRUNCATION,
        RETENTION,
        COMPACTION,
        CHECKPOINT,
        CLEAN_CLOSE,
        START,
        FINISHED_SWAP,
        DELETION_AND_SECOND_LIFE;

        boolean compacts() {
            return this == COMPACTION || this == FINISHED_SWAP;
        }
    }

    final SimulatedDisk disk = new SimulatedDisk();
    final WrittenLog written;
    final List<String> steps = new ArrayList<>();
    final LogBench bench;
    final boolean compacts;
    private final List<Long> segmentStarts = new ArrayList<>();
    private final RandomGenerator random;
    private LogCleaner cleaner;
    private boolean isThrownAway;

    /** Where the last marker ends that was looked at by compaction. */
    private long markersEnd;

    private int leaderEpoch;
    private long nowMs = NOW;

    /** What the batches that were cut off last looked like, so that others of the same size can come in their place. */
    private final List<Integer> cutValueBytes = new ArrayList<>();

    private final List<Integer> valueBytes = new ArrayList<>();
    private List<Integer> lastCut = List.of();

    CrashScript(long seed, boolean compacts) throws IOException {
        this.compacts = compacts;
        random = new SplittableRandom(seed);
        disk.createDirectories(FOLDER);
        disk.forceDirectory(FOLDER.getParent());
        disk.forceDirectory(FOLDER.getRoot());
        int segmentBytes = 450 + random.nextInt(1350);
        int indexInterval = random.nextInt(400);
        int indexBytes = 48 + random.nextInt(300);
        boolean deletesAtOnce = random.nextBoolean();
        boolean keepsTombstones = !random.nextBoolean();
        written = new WrittenLog(compacts, keepsTombstones);
        bench = new LogBench(
                FOLDER,
                disk,
                "internal.segment.bytes",
                Integer.toString(segmentBytes),
                "index.interval.bytes",
                Integer.toString(indexInterval),
                "segment.index.bytes",
                Integer.toString(indexBytes),
                "file.delete.delay.ms",
                deletesAtOnce ? "0" : "1000",
                "cleanup.policy",
                compacts ? "compact,delete" : "delete",
                "min.cleanable.dirty.ratio",
                "0",
                "delete.retention.ms",
                keepsTombstones ? "1000000000" : "0");
        cleaner = startCleaner();
    }

    void setUp(Action action) throws IOException {
        int count = 3 + random.nextInt(18);
        for (int i = 0; i < count; i++) {
            step(random.nextInt(100));
            advance(random.nextInt(1000));
        }
        if (action.compacts()) {
            for (int i = 0; i < 5; i++) {
                append();
            }
            roll();
            if (random.nextBoolean()) {
                append();
                flush();
                checkpoint();
            }
        }
        if (action == Action.FINISHED_SWAP) {
            stopInsideACompaction();
        }
        if (action == Action.RETENTION && random.nextBoolean()) {
            // A transaction index goes too, which only its segment's other files can tell to be missing.
            appendBatch(FIRST_TRANSACTIONAL_ID);
            appendMarker(FIRST_TRANSACTIONAL_ID, false);
            roll();
            append();
            flush();
            checkpoint();
        }
        if (action == Action.REWRITING) {
            for (int i = 0; i < 6; i++) {
                append();
            }
            flush();
            checkpoint();
        }
        if (action == Action.MARKER) {
            appendBatch(FIRST_TRANSACTIONAL_ID);
        }
        steps.add("then");
        noteSegments();
    }

    /** Somewhere in it, so that the next start has something to finish, more often than not. */
    private void stopInsideACompaction() throws IOException {
        disk.stopAfter(15 + random.nextInt(40));
        try {
            compact();
        } catch (IOException e) {
            if (!disk.stopped()) {
                throw e;
            }
        }
        steps.add("killed");
        noteSegments();
        bench.directory.abandon();
        disk.restart();
    }

    private void step(int choice) throws IOException {
        if (choice < 60) {
            append();
        } else if (choice < 68) {
            roll();
        } else if (choice < 75) {
            flush();
        } else if (choice < 82) {
            truncate();
        } else if (choice < 87) {
            checkpoint();
        } else if (choice < 91) {
            restart();
        } else if (choice < 96) {
            compact();
        } else {
            applyRetention();
        }
    }

    void run(Action action) throws IOException {
        switch (action) {
            case APPEND -> append();
            case MARKER -> appendMarker(FIRST_TRANSACTIONAL_ID, random.nextInt(3) == 0);
            case ROLL -> roll();
            case FLUSH -> flush();
            case TRUNCATION -> truncate();
            case REWRITING -> rewrite();
            case FULL_TRUNCATION -> truncateFully();
            case RETENTION -> applyRetention();
            case COMPACTION -> compact();
            case CHECKPOINT -> checkpoint();
            case CLEAN_CLOSE -> close();
            case START -> restart();
            case FINISHED_SWAP -> open();
            case DELETION_AND_SECOND_LIFE -> deleteAndLiveAgain();
        }
    }

    /** Where segments start, or did before something else happened. */
    List<Long> segmentStarts() {
        return segmentStarts;
    }

    void noteSegments() {
        segmentStarts.addAll(bench.log.segments().byBaseOffset().keySet());
    }

    /** Opens what a crash left, whichever topic it belongs to. */
    void open() throws IOException {
        bench.loop.forgetTimers();
        Path folder = FOLDER.resolve(LogBench.ORDERS.toString());
        Uuid found = PartitionMetadata.read(disk, folder.resolve(LogFiles.PARTITION_METADATA));
        bench.topicId = found.isZero() ? bench.topicId : found;
        bench.open();
        cleaner = startCleaner();
    }

    private LogCleaner startCleaner() {
        Clock clock = new Clock() {
            @Override
            public long wallTimeMs() {
                return nowMs;
            }

            @Override
            public long monotonicMs() {
                return nowMs;
            }
        };
        CleanerSettings settings =
                new CleanerSettings(true, 1, CompactionBench.BACKOFF_MS, 1_000 + random.nextInt(2_000), 200, 1e9);
        LogCleaner started = new LogCleaner(
                () -> settings,
                clock,
                bench.loop,
                List.of(bench.directory),
                () -> List.of(new CleanableLog(bench.log, bench.log.lastStableOffset(bench.log.logEndOffset()))));
        started.start();
        return started;
    }

    void advance(long byMs) {
        nowMs += byMs;
        bench.loop.advance(byMs);
    }

    void append() throws IOException {
        if (random.nextInt(8) == 0) {
            leaderEpoch += 1 + random.nextInt(2);
        }
        long producerId = random.nextInt(PRODUCERS);
        ProducerState known = bench.log.producers().state(producerId);
        boolean open = known != null && known.openTransactionOffset() != ProducerState.NO_OFFSET;
        if (producerId >= FIRST_TRANSACTIONAL_ID && open && random.nextBoolean()) {
            appendMarker(producerId, random.nextInt(3) == 0);
        } else {
            appendBatch(producerId);
        }
    }

    private void appendMarker(long producerId, boolean commit) throws IOException {
        ProducerState known = bench.log.producers().state(producerId);
        append(
                RecordBatchBuilder.endTransactionMarker(NOW, producerId, known == null ? 0 : known.epoch(), commit, 1),
                AppendOrigin.COORDINATOR);
        valueBytes.add(0);
    }

    private void appendBatch(long producerId) throws IOException {
        ProducerState known = bench.log.producers().state(producerId);
        RecordBatchBuilder builder = new RecordBatchBuilder();
        if (producerId > 0) {
            boolean newEpoch = known != null && producerId < FIRST_TRANSACTIONAL_ID && random.nextInt(8) == 0;
            int epoch = known == null ? 0 : known.epoch() + (newEpoch ? 1 : 0);
            int sequence = known == null || newEpoch ? 0 : known.lastSequence() + 1;
            builder.producer(producerId, (short) epoch, sequence);
        }
        if (producerId >= FIRST_TRANSACTIONAL_ID) {
            builder.transactional();
        }
        if (!cutValueBytes.isEmpty()) {
            // Fits where another batch was: what the disk lost of the one must not be mistaken for the other.
            int bytes = cutValueBytes.remove(0);
            builder.add(NOW - 500 + random.nextInt(100), key(), value(bytes));
            valueBytes.add(bytes);
        } else {
            int count = random.nextBoolean() ? 1 : 1 + random.nextInt(4);
            int bytes = 0;
            for (int i = 0; i < count; i++) {
                bytes = random.nextInt(compacts ? 30 : 80);
                builder.add(NOW - 500 + random.nextInt(500), key(), compacts && bytes < 5 ? null : value(bytes));
            }
            valueBytes.add(bytes);
        }
        append(builder.build(), AppendOrigin.CLIENT);
    }

    private byte[] key() {
        return LogBench.bytes("k" + random.nextInt(KEYS));
    }

    private byte[] value(int bytes) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < bytes; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return LogBench.bytes(text.toString());
    }

    private void append(ByteBuf batch, AppendOrigin origin) throws IOException {
        ByteBuf stamped = batch.copy();
        RecordBatch header = new RecordBatch(stamped, 0);
        header.stamp(bench.log.logEndOffset(), leaderEpoch);
        steps.add("append " + header + " of " + batch.readableBytes() + " bytes");
        written.appending(stamped);
        bench.log.appendAsLeader(batch, leaderEpoch, origin, NOW);
        written.completed();
        noteSegments();
    }

    private void roll() throws IOException {
        steps.add("roll at " + bench.log.logEndOffset());
        bench.log.roll(NOW);
        noteSegments();
    }

    void flush() throws IOException {
        steps.add("flush to " + bench.log.logEndOffset());
        bench.log.flush();
        written.forced(bench.log.logEndOffset());
    }

    /**
     * What is compacted is below the high watermark, and hence never cut; nor are the markers by which it was known how
     * the transactions ended.
     */
    private void truncate() throws IOException {
        long compacted = Math.min(Math.max(bench.log.cleanedTo(), markersEnd), bench.log.logEndOffset());
        long start = Math.max(bench.log.logStartOffset(), compacted);
        long offset = start + random.nextLong(bench.log.logEndOffset() - start + 1);
        steps.add("cut at " + offset);
        int before = written.batches().size();
        written.cutting(offset);
        cutValueBytes.clear();
        int cut = Math.min(before - written.batches().size(), valueBytes.size());
        List<Integer> tail = valueBytes.subList(valueBytes.size() - cut, valueBytes.size());
        lastCut = List.copyOf(tail);
        if (random.nextBoolean()) {
            cutValueBytes.addAll(tail);
        }
        tail.clear();
        bench.log.truncateTo(offset);
        leaderEpoch++;
    }

    /** As a follower does whose leader has another history: of the same shape, so that the one can be taken for the other. */
    private void rewrite() throws IOException {
        truncate();
        cutValueBytes.clear();
        cutValueBytes.addAll(lastCut);
        for (int i = 0; i < 4; i++) {
            append();
        }
        roll();
        append();
    }

    private void truncateFully() throws IOException {
        long offset = bench.log.logEndOffset() + random.nextInt(20);
        steps.add("start anew at " + offset);
        written.startingAnewAt(offset);
        isThrownAway = true;
        bench.log.truncateFullyAndStartAt(offset);
        isThrownAway = false;
    }

    /** Whether the log was just about to go as a whole. */
    boolean isThrownAway() {
        return isThrownAway;
    }

    private void applyRetention() throws IOException {
        long start = bench.log.logStartOffset();
        long stable = bench.log.lastStableOffset(bench.log.logEndOffset());
        long offset = start + random.nextLong(stable - start + 1);
        steps.add("delete below " + offset);
        written.startingAt(offset);
        bench.log.incrementLogStartOffset(offset);
        bench.log.applyRetention(bench.log.logEndOffset(), NOW);
    }

    private void compact() throws IOException {
        if (!compacts) {
            return;
        }
        long before = bench.log.cleanedTo();
        long stable = bench.log.lastStableOffset(bench.log.logEndOffset());
        steps.add("compact from " + before);
        for (int i = 0; i < 3 && !disk.stopped(); i++) {
            advance(CompactionBench.BACKOFF_MS);
        }
        if (disk.stopped()) {
            throw new IOException("The node was stopped while it compacted");
        }
        steps.add("compacted to " + bench.log.cleanedTo());
        if (bench.log.cleanedTo() != before) {
            markersEnd = written.endOfMarkersBelow(stable);
        }
        written.contentForced(bench.log.cleanedTo());
    }

    private void checkpoint() throws IOException {
        steps.add("checkpoint with recovery point " + bench.log.recoveryPoint());
        bench.directory.writeCheckpoints();
    }

    private void close() throws IOException {
        steps.add("close");
        long end = bench.log.logEndOffset();
        cleaner.close();
        bench.directory.close(5);
        written.forced(end);
    }

    private void restart() throws IOException {
        close();
        steps.add("start");
        open();
    }

    private void deleteAndLiveAgain() throws IOException {
        steps.add("delete the partition and create its namesake");
        written.startingAnewAt(0);
        bench.directory.deletePartition(LogBench.ORDERS);
        bench.topicId = SECOND_LIFE;
        bench.log = bench.directory.openPartition(LogBench.ORDERS, SECOND_LIFE, bench.config(), NOW);
        append();
        append();
    }
}
