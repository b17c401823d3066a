package io.tidemark.broker.log;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.disk.Disk;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A log directory in a temporary folder with one partition, and the verbs that tests need. */
final class LogBench implements AutoCloseable {
    static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    static final Uuid ORDERS_ID = new Uuid(7, 77);
    static final long NOW = 1_700_000_000_000L;

    final Path path;
    final Disk disk;
    final ManualLoop loop = new ManualLoop();
    final Map<String, String> configs = new HashMap<>();
    Uuid topicId = ORDERS_ID;
    LogDirectory directory;
    PartitionLog log;

    LogBench(Path path, Disk disk, String... configPairs) throws IOException {
        this.path = path;
        this.disk = disk;
        for (int i = 0; i < configPairs.length; i += 2) {
            configs.put(configPairs[i], configPairs[i + 1]);
        }
        open();
    }

    static LogBench in(Path path, String... configPairs) throws IOException {
        return new LogBench(path, new FileSystemDisk(), configPairs);
    }

    LogConfig config() {
        return LogConfig.fromTopicConfigs(configs::get);
    }

    void open() throws IOException {
        directory = LogDirectory.open(disk, path, loop);
        directory.openPartitions(partition -> config(), NOW);
        if (directory.health().failure() != null) {
            throw new IOException(directory.health().failure());
        }
        log = directory.openPartition(ORDERS, topicId, config(), NOW);
    }

    /** Stops in good order and starts again. */
    void restart() throws IOException {
        directory.close(5);
        open();
    }

    /** Stops as a killed process does and starts again. */
    void crash() throws IOException {
        directory.abandon();
        open();
    }

    Path file(String name) {
        return path.resolve("orders-0").resolve(name);
    }

    AppendResult append(String... values) throws IOException {
        return appendAt(NOW, values);
    }

    AppendResult appendAt(long timestampMs, String... values) throws IOException {
        return log.appendAsLeader(batch(timestampMs, values), 0, AppendOrigin.CLIENT, NOW);
    }

    static ByteBuf batch(long timestampMs, String... values) {
        RecordBatchBuilder builder = new RecordBatchBuilder();
        for (String value : values) {
            builder.add(timestampMs, bytes("key"), bytes(value));
        }
        return builder.build();
    }

    /** A batch of an idempotent producer. */
    static ByteBuf batchOf(long producerId, int producerEpoch, int baseSequence, int count) {
        RecordBatchBuilder builder = new RecordBatchBuilder().producer(producerId, (short) producerEpoch, baseSequence);
        for (int i = 0; i < count; i++) {
            builder.add(NOW, bytes("key"), bytes("value-" + (baseSequence + i)));
        }
        return builder.build();
    }

    AppendResult produce(long producerId, int producerEpoch, int baseSequence, int count) throws IOException {
        return log.appendAsLeader(batchOf(producerId, producerEpoch, baseSequence, count), 0, AppendOrigin.CLIENT, NOW);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Every value from an offset on, read the way a consumer reads. */
    List<String> valuesFrom(long offset) throws IOException {
        return valuesFrom(log, offset);
    }

    static List<String> valuesFrom(PartitionLog log, long offset) throws IOException {
        List<String> values = new ArrayList<>();
        long next = offset;
        while (next < log.logEndOffset()) {
            LogSlice slice = log.read(next, 500, log.logEndOffset(), true);
            if (slice.isEmpty()) {
                break;
            }
            for (RecordBatch batch : RecordBatches.of(slice.toByteBuf())) {
                for (LogRecord record : batch.records()) {
                    if (record.offset() >= next && !batch.isControl()) {
                        ByteBuf value = record.value();
                        values.add(value == null ? "null" : value.toString(StandardCharsets.UTF_8));
                    }
                }
                next = Math.max(next, batch.nextOffset());
            }
        }
        return values;
    }

    @Override
    public void close() {
        directory.abandon();
    }
}
