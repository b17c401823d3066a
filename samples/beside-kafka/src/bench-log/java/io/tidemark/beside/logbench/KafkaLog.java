package io.tidemark.beside.logbench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.network.TransferableChannel;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.storage.log.FetchIsolation;
import org.apache.kafka.server.util.KafkaScheduler;
import org.apache.kafka.storage.internals.log.FetchDataInfo;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.ProducerStateManagerConfig;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import org.jspecify.annotations.Nullable;

/** Apache Kafka's. */
final class KafkaLog implements LogContender {
    private static final int TRANSACTION_LIMIT_MS = 900_000;
    private static final int PRODUCER_EXPIRATION_MS = 86_400_000;
    private static final int PRODUCER_CHECK_MS = 600_000;

    private final KafkaScheduler scheduler = new KafkaScheduler(1);
    private final BrokerTopicStats stats = new BrokerTopicStats(false);
    private final UnifiedLog log;

    KafkaLog(Path folder, long recoveryPoint, int segmentBytes) throws IOException {
        scheduler.startup();
        log = UnifiedLog.create(
                Files.createDirectories(folder.resolve("measured-0")).toFile(),
                new LogConfig(Map.of("segment.bytes", segmentBytes)),
                0,
                recoveryPoint,
                scheduler,
                stats,
                Time.SYSTEM,
                TRANSACTION_LIMIT_MS,
                new ProducerStateManagerConfig(PRODUCER_EXPIRATION_MS, false),
                PRODUCER_CHECK_MS,
                new LogDirFailureChannel(1),
                false,
                Optional.of(new Uuid(1, 2)));
    }

    @Override
    public void append(ByteBuffer batch) throws IOException {
        log.appendAsLeader(MemoryRecords.readableRecords(batch), 0);
    }

    @Override
    public long endOffset() {
        return log.logEndOffset();
    }

    @Override
    public int read(long offset, int maxBytes, @Nullable FileChannel target) throws IOException {
        FetchDataInfo found = log.read(offset, maxBytes, FetchIsolation.LOG_END, true);
        int size = found.records.sizeInBytes();
        if (target != null) {
            FileRecords records = (FileRecords) found.records;
            Target channel = new Target(target);
            int moved = 0;
            while (moved < size) {
                moved += records.writeTo(channel, moved, size - moved);
            }
        }
        return size;
    }

    @Override
    public long offsetForTimestamp(long timestampMs) {
        return log.fetchOffsetByTimestamp(timestampMs, Optional.empty())
                .timestampAndOffsetOpt()
                .orElseThrow(() -> new IllegalStateException("No record at or after " + timestampMs))
                .offset;
    }

    @Override
    public void close() throws IOException {
        log.close();
        stats.close();
        try {
            scheduler.shutdown();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** What a socket is to the records, without a socket. */
    private record Target(FileChannel channel) implements TransferableChannel {
        @Override
        public boolean hasPendingWrites() {
            return false;
        }

        @Override
        public long transferFrom(FileChannel source, long position, long count) throws IOException {
            return source.transferTo(position, count, channel);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
            return channel.write(sources, offset, length);
        }

        @Override
        public long write(ByteBuffer[] sources) throws IOException {
            return channel.write(sources);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return channel.write(source);
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
