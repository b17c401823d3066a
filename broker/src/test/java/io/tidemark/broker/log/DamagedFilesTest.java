package io.tidemark.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.disk.SimulatedDisk;
import io.tidemark.broker.log.index.OffsetIndex;
import io.tidemark.broker.log.index.TimeIndex;
import io.tidemark.broker.log.index.TransactionIndex;
import io.tidemark.broker.record.CompressionType;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatchBuilder;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Good files, damaged from a seed: whoever reads one takes it or refuses it with the error that is meant for that, in
 * no time and with no more memory than a small multiple of the file. {@code -Dtidemark.fuzz.rounds} asks for more.
 */
class DamagedFilesTest {
    private static final int ROUNDS = Integer.getInteger("tidemark.fuzz.rounds", 2_000);
    private static final long ALLOWED_PER_BYTE = 64;

    /** What a reader needs for itself: a codec loaded, its buffers (two blocks of 4 MiB for LZ4), messages, traces. */
    private static final long ALLOWED_BYTES = 16 * 1024 * 1024;

    private static final int CRC_POSITION = 17;
    private static final int SNAPSHOT_COUNT_POSITION = 6;
    private static final Path FOLDER = Path.of("/data").toAbsolutePath();
    private static final Path FILE = FOLDER.resolve("00000000000000000000.log");
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private interface Reader {
        void read(byte[] content) throws IOException;
    }

    private void damage(byte[] good, Reader reader) throws IOException {
        damage(good, ROUNDS, reader);
    }

    private void damage(byte[] good, int rounds, Reader reader) throws IOException {
        reader.read(good.clone());
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            for (long seed = 0; seed < rounds; seed++) {
                byte[] bad = damaged(good, new SplittableRandom(seed));
                String context = "seed " + seed + ": " + HexFormat.of().formatHex(bad);
                long before =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                try {
                    reader.read(bad);
                } catch (IOException | CorruptBatchException e) {
                    assertThat(e.getMessage()).as(context).isNotBlank();
                } catch (RuntimeException | Error e) {
                    throw new AssertionError("Not the error that damage should give; " + context, e);
                }
                long allocated =
                        threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
                assertThat(allocated)
                        .as("bytes allocated, %s", context)
                        .isLessThan(ALLOWED_BYTES + ALLOWED_PER_BYTE * bad.length);
            }
        });
    }

    private static byte[] damaged(byte[] good, RandomGenerator random) {
        byte[] bytes = good.clone();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + random.nextInt(100));
                case 4 ->
                    Arrays.fill(bytes, at, Math.min(bytes.length, at + 8), (byte) (random.nextBoolean() ? -1 : 0));
                default -> {
                    int other = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(1, 16), bytes.length - Math.max(at, other));
                    System.arraycopy(bytes, other, bytes, at, length);
                }
            }
        }
        return bytes;
    }

    private static byte[] batches() {
        ByteBuf all = Unpooled.buffer();
        for (int i = 0; i < 4; i++) {
            ByteBuf batch = LogBench.batchOf(7, 0, i * 3, 3);
            new RecordBatch(batch, 0).stamp(i * 3L, 1);
            all.writeBytes(batch);
        }
        ByteBuf marker = RecordBatchBuilder.endTransactionMarker(LogBench.NOW, 7, (short) 0, true, 3);
        new RecordBatch(marker, 0).stamp(12, 1);
        all.writeBytes(marker);
        return Arrays.copyOf(all.array(), all.readableBytes());
    }

    private static SimulatedDisk diskWith(Path file, byte[] content) throws IOException {
        SimulatedDisk disk = new SimulatedDisk();
        disk.createDirectories(file.getParent());
        disk.open(file).write(ByteBuffer.wrap(content), 0);
        return disk;
    }

    @Test
    void batchesOfAClient() throws IOException {
        damage(batches(), bytes -> {
            for (RecordBatch batch : RecordBatches.of(Unpooled.wrappedBuffer(bytes))) {
                batch.isValid();
                for (LogRecord record : batch.records()) {
                    assertThat(record.toString()).isNotEmpty();
                }
            }
        });
    }

    /** With a right checksum, so that what reads the records gets to see the damage. */
    private static byte[] withChecksum(byte[] bytes) {
        RecordBatch batch = new RecordBatch(Unpooled.wrappedBuffer(bytes), 0);
        if (bytes.length >= RecordBatch.HEADER_BYTES && batch.sizeInBytes() == bytes.length) {
            ByteBuffer.wrap(bytes).putInt(CRC_POSITION, batch.computeCrc());
        }
        return bytes;
    }

    @ParameterizedTest
    @EnumSource
    void batchesWhoseChecksumSaysNothing(CompressionType type) throws IOException {
        RecordBatchBuilder builder = new RecordBatchBuilder().compression(type).producer(7, (short) 0, 0);
        for (int i = 0; i < 5; i++) {
            builder.add(
                    LogBench.NOW,
                    LogBench.bytes("key-" + i),
                    LogBench.bytes("value".repeat(20)),
                    List.of(new LogRecord.Header("name", LogBench.bytes("value")), new LogRecord.Header("none", null)));
        }
        ByteBuf batch = builder.build();
        damage(Arrays.copyOf(batch.array(), batch.readableBytes()), ROUNDS / 4, bytes -> {
            RecordBatch damaged = new RecordBatch(Unpooled.wrappedBuffer(withChecksum(bytes)), 0);
            if (bytes.length < RecordBatch.HEADER_BYTES || damaged.sizeInBytes() != bytes.length) {
                return;
            }
            for (LogRecord record : damaged.records()) {
                assertThat(record.toString()).isNotEmpty();
            }
        });
    }

    @Test
    void transactionIndexes() throws IOException {
        ByteBuffer index = ByteBuffer.allocate(5 * 34);
        for (int i = 0; i < 5; i++) {
            index.putShort((short) 0)
                    .putLong(7)
                    .putLong(i * 10L)
                    .putLong(i * 10L + 5)
                    .putLong(i * 10L + 6);
        }
        damage(index.array(), bytes -> {
            TransactionIndex read = new TransactionIndex(diskWith(FILE, bytes), FILE, 0);
            if (read.load()) {
                assertThat(read.entries()).hasSizeLessThanOrEqualTo(bytes.length / 34);
            }
            read.release();
        });
    }

    @Test
    void producerSnapshotsWhoseChecksumSaysNothing() throws IOException {
        ProducerStates states = new ProducerStates(LogBench.ORDERS);
        for (RecordBatch batch : RecordBatches.of(Unpooled.wrappedBuffer(batches()))) {
            states.append(batch, null);
        }
        damage(ProducerSnapshot.format(states.all()), bytes -> {
            if (bytes.length > SNAPSHOT_COUNT_POSITION) {
                CRC32C crc = new CRC32C();
                crc.update(bytes, SNAPSHOT_COUNT_POSITION, bytes.length - SNAPSHOT_COUNT_POSITION);
                ByteBuffer.wrap(bytes).putInt(2, (int) crc.getValue());
            }
            ProducerSnapshot.parse(FILE, bytes);
        });
    }

    @Test
    void segments() throws IOException {
        Path file = FOLDER.resolve("orders-0").resolve(FILE.getFileName());
        damage(batches(), bytes -> {
            SimulatedDisk disk = diskWith(file, bytes);
            try (LogBench bench = new LogBench(FOLDER, disk)) {
                LogBench.valuesFrom(bench.log, bench.log.logStartOffset());
            }
        });
    }

    @Test
    void producerSnapshots() throws IOException {
        ProducerStates states = new ProducerStates(LogBench.ORDERS);
        for (RecordBatch batch : RecordBatches.of(Unpooled.wrappedBuffer(batches()))) {
            states.append(batch, null);
        }
        damage(ProducerSnapshot.format(states.all()), bytes -> ProducerSnapshot.parse(FILE, bytes));
    }

    @Test
    void checkpoints() throws IOException {
        byte[] good = CheckpointFile.format(List.of("orders 0 12", "orders 1 99", "payments 0 3"));
        damage(good, bytes -> new OffsetCheckpoint(diskWith(FILE, bytes), FILE).read());
    }

    @Test
    void leaderEpochs() throws IOException {
        byte[] good = CheckpointFile.format(List.of("0 0", "3 12", "4 99"));
        damage(good, bytes -> {
            LeaderEpochs epochs = LeaderEpochs.load(diskWith(FILE, bytes), FILE);
            long last = Long.MIN_VALUE;
            for (long start : epochs.entries().values()) {
                assertThat(start).isGreaterThan(last);
                last = start;
            }
        });
    }

    @Test
    void smallFiles() throws IOException {
        SimulatedDisk disk = diskWith(FOLDER.resolve("x"), new byte[0]);
        new MetaProperties("cluster", 4, new Uuid(1, 2)).write(disk, FILE);
        damage(disk.readAll(FILE), bytes -> MetaProperties.read(diskWith(FILE, bytes), FILE));
        PartitionMetadata.write(disk, FILE, LogBench.ORDERS_ID);
        damage(disk.readAll(FILE), bytes -> PartitionMetadata.read(diskWith(FILE, bytes), FILE));
        CleanShutdownFile.write(disk, FOLDER, 8);
        Path marker = FOLDER.resolve(CleanShutdownFile.FILE_NAME);
        damage(disk.readAll(marker), bytes -> CleanShutdownFile.read(diskWith(marker, bytes), FOLDER));
    }

    @Test
    void indexes() throws IOException {
        ByteBuffer offsets = ByteBuffer.allocate(10 * 8);
        ByteBuffer times = ByteBuffer.allocate(10 * 12);
        for (int i = 0; i < 10; i++) {
            offsets.putInt(i * 5 + 4).putInt(i * 300);
            times.putLong(LogBench.NOW + i).putInt(i * 5 + 4);
        }
        damage(offsets.array(), bytes -> {
            OffsetIndex index = new OffsetIndex(diskWith(FILE, bytes), FILE, 0, 1000);
            if (index.load(4000)) {
                for (long offset = 0; offset < 60; offset += 7) {
                    assertThat(index.lookup(offset)).isNotNull();
                }
            }
            index.release();
        });
        damage(times.array(), bytes -> {
            TimeIndex index = new TimeIndex(diskWith(FILE, bytes), FILE, 0, 1000);
            if (index.load()) {
                assertThat(index.lookup(LogBench.NOW + 5)).isNotNull();
            }
            index.release();
        });
    }

    @Test
    void indexesOfALogNeverHideItsRecords() throws IOException {
        byte[] log = batches();
        Path folder = FOLDER.resolve("orders-0");
        Map<TopicPartition, Long> points = Map.of(LogBench.ORDERS, 13L);
        ByteBuffer index = ByteBuffer.allocate(16);
        index.putInt(5).putInt(log.length / 5).putInt(8).putInt(2 * log.length / 5);
        damage(index.array(), bytes -> {
            SimulatedDisk disk = diskWith(folder.resolve(FILE.getFileName()), log);
            disk.open(folder.resolve("00000000000000000000.index")).write(ByteBuffer.wrap(bytes), 0);
            disk.open(folder.resolve("00000000000000000000.timeindex")).close();
            new OffsetCheckpoint(disk, FOLDER.resolve("recovery-point-offset-checkpoint")).write(points);
            CleanShutdownFile.write(disk, FOLDER, 1);
            try (LogBench bench = new LogBench(FOLDER, disk)) {
                assertThat(LogBench.valuesFrom(bench.log, 0)).hasSize(12);
            }
        });
    }
}
