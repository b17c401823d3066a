package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.log.cleaner.CleanableLog;
import io.tidemark.broker.log.cleaner.CleanerSettings;
import io.tidemark.broker.log.cleaner.LogCleaner;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.time.Clock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A compacted log, its cleaner, and a clock that the test moves. */
final class CompactionBench implements AutoCloseable {
    static final long BACKOFF_MS = 15_000;

    final LogBench logs;
    final Map<Long, Integer> nextSequences = new HashMap<>();
    long nowMs = LogBench.NOW;
    long highWatermark = Long.MAX_VALUE;
    private LogCleaner cleaner;
    CleanerSettings settings;

    private CompactionBench(LogBench logs, CleanerSettings settings) {
        this.logs = logs;
        this.settings = settings;
        this.cleaner = startCleaner();
    }

    static CompactionBench in(Path path, String... configPairs) throws IOException {
        return on(new FileSystemDisk(), path, settings(Long.MAX_VALUE, Double.MAX_VALUE), configPairs);
    }

    static CompactionBench on(Disk disk, Path path, CleanerSettings settings, String... configPairs)
            throws IOException {
        List<String> pairs = new ArrayList<>(List.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.01"));
        pairs.addAll(List.of(configPairs));
        return new CompactionBench(new LogBench(path, disk, pairs.toArray(String[]::new)), settings);
    }

    static CleanerSettings settings(long keyBytes, double maxBytesPerSecond) {
        CleanerSettings defaults = CleanerSettings.of(BrokerConfigs.DEFINITION.defaults());
        return new CleanerSettings(true, 1, BACKOFF_MS, keyBytes, defaults.pieceBytes(), maxBytesPerSecond);
    }

    private LogCleaner startCleaner() {
        LogCleaner started = new LogCleaner(
                () -> settings,
                new Clock() {
                    @Override
                    public long wallTimeMs() {
                        return nowMs;
                    }

                    @Override
                    public long monotonicMs() {
                        return nowMs;
                    }
                },
                logs.loop,
                List.of(logs.directory),
                () -> List.of(new CleanableLog(
                        log(), log().lastStableOffset(Math.min(highWatermark, log().logEndOffset())))));
        started.start();
        return started;
    }

    PartitionLog log() {
        return logs.log;
    }

    /** Stops in good order and starts again. */
    void restart() throws IOException {
        cleaner.close();
        logs.restart();
        cleaner = startCleaner();
    }

    /** Stops as a killed process does and starts again. */
    void crash() throws IOException {
        logs.directory.abandon();
        cleaner.close();
        logs.open();
        cleaner = startCleaner();
    }

    void put(String key, String value) throws IOException {
        append(new RecordBatchBuilder()
                .add(nowMs, LogBench.bytes(key), value == null ? null : LogBench.bytes(value))
                .build());
    }

    /** A batch with one record of an idempotent or transactional producer. */
    void putBy(long producerId, boolean transactional, String key, String value) throws IOException {
        int sequence = nextSequences.merge(producerId, 1, Integer::sum) - 1;
        RecordBatchBuilder builder = new RecordBatchBuilder().producer(producerId, (short) 0, sequence);
        if (transactional) {
            builder.transactional();
        }
        append(builder.add(nowMs, LogBench.bytes(key), LogBench.bytes(value)).build());
    }

    void endTransaction(long producerId, boolean commit) throws IOException {
        log().appendAsLeader(
                        RecordBatchBuilder.endTransactionMarker(nowMs, producerId, (short) 0, commit, 3),
                        0,
                        AppendOrigin.COORDINATOR,
                        nowMs);
    }

    void append(ByteBuf batch) throws IOException {
        log().appendAsLeader(batch, 0, AppendOrigin.CLIENT, nowMs);
    }

    /** Closes the active segment by beginning another with one record of a key that nobody else writes. */
    void rollWithFiller() throws IOException {
        log().roll(nowMs);
        put("filler-" + log().logEndOffset(), "x");
    }

    /** Lets the cleaner look, as often as it finds something to do. */
    void clean() {
        logs.loop.advance(BACKOFF_MS);
        logs.loop.advance(1);
        logs.loop.advance(1);
    }

    List<RecordBatch> batches() throws IOException {
        List<RecordBatch> batches = new ArrayList<>();
        long next = log().logStartOffset();
        while (next < log().logEndOffset()) {
            LogSlice slice = log().read(next, 1 << 20, log().logEndOffset(), true);
            if (slice.isEmpty()) {
                break;
            }
            for (RecordBatch batch : RecordBatches.of(slice.toByteBuf())) {
                if (batch.nextOffset() > next) {
                    batches.add(batch);
                    next = batch.nextOffset();
                }
            }
        }
        return batches;
    }

    /** Offset to key=value, or to what kind of control record it is. */
    Map<Long, String> records() throws IOException {
        Map<Long, String> records = new TreeMap<>();
        for (RecordBatch batch : batches()) {
            for (LogRecord record : batch.records()) {
                String data = text(record.key()) + "=" + text(record.value());
                records.put(record.offset(), batch.isControl() ? "marker" : data);
            }
        }
        return records;
    }

    /** The records without the fillers. */
    Map<Long, String> dataRecords() throws IOException {
        Map<Long, String> records = records();
        records.values().removeIf(text -> text.startsWith("filler"));
        return records;
    }

    Set<Long> segments() {
        Set<Long> bases = new java.util.TreeSet<>();
        log().segmentSources().forEach(segment -> bases.add(segment.baseOffset()));
        return bases;
    }

    private static String text(ByteBuf bytes) {
        return bytes == null ? "null" : bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        logs.close();
    }
}
