package io.tidemark.beside.logbench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * The records of both contenders: batches as one idempotent producer makes them, all of one size, with offsets and
 * epochs in place, so that the file is a segment too.
 *
 * @param recordsEach how many records a batch has
 * @param path the file
 */
record RecordsFile(int recordsEach, Path path) {
    static final long FIRST_TIMESTAMP_MS = 1_790_000_000_000L;
    private static final long PRODUCER_ID = 4_000;
    private static final int KEY_BYTES = 16;
    private static final int VALUE_BYTES = 84;
    private static final int SIZE_POSITION = 8;
    private static final int SIZE_COVERS_FROM = 12;

    /** Batch after batch, each a millisecond later, until there are so many bytes. */
    void write(long bytes) throws IOException {
        Random random = new Random(recordsEach);
        SimpleRecord[] records = new SimpleRecord[recordsEach];
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int batch = 0; file.position() < bytes; batch++) {
                for (int i = 0; i < recordsEach; i++) {
                    byte[] key = new byte[KEY_BYTES];
                    byte[] value = new byte[VALUE_BYTES];
                    random.nextBytes(key);
                    random.nextBytes(value);
                    records[i] = new SimpleRecord(timestampOf(batch), key, value);
                }
                long firstOffset = (long) batch * recordsEach;
                ByteBuffer made = MemoryRecords.withIdempotentRecords(
                                firstOffset, Compression.NONE, PRODUCER_ID, (short) 0, (int) firstOffset, 0, records)
                        .buffer();
                while (made.hasRemaining()) {
                    file.write(made);
                }
            }
            // What the system still has to write must not be written while something is measured.
            file.force(true);
        }
    }

    static long timestampOf(long batch) {
        return FIRST_TIMESTAMP_MS + batch;
    }

    int batchBytes() throws IOException {
        ByteBuffer size = ByteBuffer.allocate(Integer.BYTES);
        try (FileChannel file = FileChannel.open(path)) {
            file.read(size, SIZE_POSITION);
        }
        return SIZE_COVERS_FROM + size.getInt(0);
    }

    long batchCount() throws IOException {
        return Files.size(path) / batchBytes();
    }

    /** Takes a batch as a client sends it. */
    interface Target {
        void take(ByteBuffer batch) throws IOException;
    }

    /** Hands out every batch, one at a time. */
    void forEach(Target target) throws IOException {
        int each = batchBytes();
        long count = batchCount();
        ByteBuffer batch = ByteBuffer.allocate(each);
        try (FileChannel file = FileChannel.open(path)) {
            for (long i = 0; i < count; i++) {
                batch.clear();
                while (batch.hasRemaining() && file.read(batch) >= 0) {}
                batch.flip();
                batch.putLong(0, 0);
                target.take(batch.duplicate());
            }
        }
    }

    /** The first batches, in memory of the heap as they come from either's network. */
    List<ByteBuffer> firstBatches(long bytes) throws IOException {
        int each = batchBytes();
        long count = Math.min(batchCount(), Math.max(1, bytes / each));
        List<ByteBuffer> batches = new ArrayList<>();
        try (FileChannel file = FileChannel.open(path)) {
            for (long i = 0; i < count; i++) {
                ByteBuffer batch = ByteBuffer.allocate(each);
                while (batch.hasRemaining()) {
                    if (file.read(batch) < 0) {
                        throw new IOException(path + " ends inside batch " + i);
                    }
                }
                batches.add(batch.flip());
            }
        }
        return batches;
    }
}
