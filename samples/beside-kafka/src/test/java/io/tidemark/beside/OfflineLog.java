package io.tidemark.beside;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.disk.FileSystemDisk;
import io.tidemark.broker.log.LogConfig;
import io.tidemark.broker.log.LogDirectory;
import io.tidemark.broker.log.PartitionLog;
import io.tidemark.broker.record.AppendOrigin;
import io.tidemark.broker.record.RecordBatchBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/**
 * Our log of a partition whose broker is down, written to as a leader does for transactional producers and for their
 * coordinator. Closed in good order.
 */
final class OfflineLog implements AutoCloseable {

    private final LogDirectory directory;
    private final PartitionLog log;
    private final int leaderEpoch;

    private OfflineLog(LogDirectory directory, PartitionLog log) {
        this.directory = directory;
        this.log = log;
        this.leaderEpoch = log.latestEpoch().orElse(0);
    }

    static OfflineLog open(Path logDirectory, TopicPartition partition) throws IOException {
        LogDirectory directory = LogDirectory.open(new FileSystemDisk(), logDirectory, new IdleLoop());
        directory.openPartitions(name -> LogConfig.DEFAULTS, System.currentTimeMillis());
        PartitionLog log = directory.partition(
                new io.tidemark.broker.types.TopicPartition(partition.topic(), partition.partition()));
        if (log == null) {
            throw new IllegalStateException("There is no " + partition + " in " + logDirectory);
        }
        return new OfflineLog(directory, log);
    }

    /** A batch of a transaction, which begins with the first and goes on until its {@link #end}. */
    void transactional(long producerId, int baseSequence, String... values) throws IOException {
        long nowMs = System.currentTimeMillis();
        SimpleRecord[] records = Arrays.stream(values)
                .map(value -> new SimpleRecord(nowMs, "key".getBytes(), value.getBytes()))
                .toArray(SimpleRecord[]::new);
        MemoryRecords batch =
                MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, (short) 0, baseSequence, records);
        append(Unpooled.wrappedBuffer(batch.buffer()), AppendOrigin.CLIENT);
    }

    void end(long producerId, boolean commit) throws IOException {
        append(
                RecordBatchBuilder.endTransactionMarker(System.currentTimeMillis(), producerId, (short) 0, commit, 0),
                AppendOrigin.COORDINATOR);
    }

    private void append(ByteBuf batch, AppendOrigin origin) throws IOException {
        log.appendAsLeader(batch, leaderEpoch, origin, System.currentTimeMillis());
    }

    @Override
    public void close() throws IOException {
        directory.close(directory.previousBrokerEpoch());
    }
}
