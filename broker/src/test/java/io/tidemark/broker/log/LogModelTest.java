package io.tidemark.broker.log;

import static io.tidemark.broker.log.LogBench.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log that is appended to, cut, rolled, closed and killed in any order, beside a list that cannot be wrong. */
class LogModelTest {
    private static final int STEPS = 250;

    @TempDir
    Path folder;

    /** A record of the model: its offset is its place, from the model's start. */
    private record Entry(long batchStart, long timestamp, int leaderEpoch, String value) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Map<Long, Integer> nextSequences = new TreeMap<>();
    private long base;
    private long logStart;
    private int leaderEpoch;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLogIsWhatTheModelSays(long seed) throws IOException {
        Random random = new Random(seed);
        try (LogBench bench = LogBench.in(
                folder,
                "internal.segment.bytes",
                Integer.toString(400 + random.nextInt(2000)),
                "index.interval.bytes",
                Integer.toString(random.nextInt(400)),
                "segment.index.bytes",
                Integer.toString(36 + random.nextInt(300)))) {
            for (int step = 0; step < STEPS; step++) {
                String what = step(bench, random);
                check(bench, random, "seed " + seed + ", step " + step + ": " + what);
            }
        }
    }

    private long end() {
        return base + entries.size();
    }

    private String step(LogBench bench, Random random) throws IOException {
        int choice = random.nextInt(100);
        if (choice < 70) {
            append(bench, random);
            return "append";
        } else if (choice < 75) {
            leaderEpoch += 1 + random.nextInt(2);
            bench.log.assignEpochStart(leaderEpoch, bench.log.logEndOffset());
            return "new epoch";
        } else if (choice < 80) {
            bench.log.roll(NOW);
            return "roll";
        } else if (choice < 85) {
            return truncate(bench, random);
        } else if (choice < 90) {
            bench.directory.writeCheckpoints();
            bench.crash();
            return "crash";
        } else if (choice < 94) {
            bench.restart();
            return "restart";
        } else if (choice < 97) {
            bench.log.flush();
            return "flush";
        }
        long to = logStart + random.nextInt((int) (end() - logStart) + 1);
        bench.log.incrementLogStartOffset(to);
        logStart = to;
        bench.log.applyRetention(end(), NOW);
        return "log start to " + to;
    }

    private void append(LogBench bench, Random random) throws IOException {
        RecordBatchBuilder builder = new RecordBatchBuilder();
        long producerId = random.nextInt(4);
        int sequence = nextSequences.getOrDefault(producerId, 0);
        if (producerId > 0) {
            builder.producer(producerId, (short) 0, sequence);
        }
        int count = 1 + random.nextInt(4);
        long start = end();
        for (int i = 0; i < count; i++) {
            String value = "v" + start + "-" + i + "x".repeat(random.nextInt(60));
            long timestamp = NOW - random.nextInt(1000);
            builder.add(timestamp, null, LogBench.bytes(value));
            entries.add(new Entry(start, timestamp, leaderEpoch, value));
        }
        ByteBuf batch = builder.build();
        AppendResult result = bench.log.appendAsLeader(batch.copy(), leaderEpoch, AppendOrigin.CLIENT, NOW);
        assertThat(result.firstOffset()).isEqualTo(start);
        if (producerId > 0) {
            nextSequences.put(producerId, sequence + count);
            assertThat(bench.log
                            .appendAsLeader(batch.copy(), leaderEpoch, AppendOrigin.CLIENT, NOW)
                            .firstOffset())
                    .isEqualTo(start);
        }
    }

    private String truncate(LogBench bench, Random random) throws IOException {
        if (end() == logStart) {
            return "nothing to cut";
        }
        long to = logStart + random.nextInt((int) (end() - logStart));
        long cut = entries.get((int) (to - base)).batchStart();
        bench.log.truncateTo(to);
        entries.subList((int) (cut - base), entries.size()).clear();
        logStart = Math.min(logStart, cut);
        // What the producers may send next is what the log remembers of them.
        nextSequences.clear();
        for (ProducerState state : bench.log.producers().all()) {
            nextSequences.put(state.producerId(), state.lastSequence() + 1);
        }
        return "cut at " + to;
    }

    private void check(LogBench bench, Random random, String context) throws IOException {
        PartitionLog log = bench.log;
        assertThat(log.logEndOffset()).as(context).isEqualTo(end());
        assertThat(log.logStartOffset()).as(context).isEqualTo(logStart);
        assertThat(log.recoveryPoint()).as(context).isLessThanOrEqualTo(end());
        long from = logStart + random.nextInt((int) (end() - logStart) + 1);
        List<String> expected = new ArrayList<>();
        entries.subList((int) (from - base), entries.size()).forEach(entry -> expected.add(entry.value()));
        assertThat(bench.valuesFrom(from)).as(context).isEqualTo(expected);
        checkTimestamps(log, random, context);
        long last = -1;
        for (Map.Entry<Integer, Long> epoch : log.epochStarts().entrySet()) {
            assertThat(epoch.getValue()).as(context).isGreaterThan(last);
            last = epoch.getValue();
        }
        for (long offset = logStart; offset < end(); offset++) {
            assertThat(log.epochForOffset(offset))
                    .as(context)
                    .hasValue(entries.get((int) (offset - base)).leaderEpoch());
        }
    }

    private void checkTimestamps(PartitionLog log, Random random, String context) throws IOException {
        long wanted = NOW - random.nextInt(1100);
        TimestampedOffset expected = null;
        for (long offset = end() - 1; offset >= logStart; offset--) {
            Entry entry = entries.get((int) (offset - base));
            if (entry.timestamp() >= wanted) {
                expected = new TimestampedOffset(offset, entry.timestamp(), entry.leaderEpoch());
            }
        }
        assertThat(log.offsetForTimestamp(wanted)).as(context).isEqualTo(expected);
    }
}
