package io.tidemark.broker.coordinator.runtime;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.coordinator.CoordinatorLog;
import io.tidemark.broker.coordinator.CoordinatorLogException;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.InvalidMessageException;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.record.ControlRecordType;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;

/** Replays a partition from its start to its end into a new shard, a piece at a time so that the loop goes on turning. */
final class ShardLoader {
    private static final NodeLog LOG = NodeLog.of(ShardLoader.class);

    private final TopicPartition partition;
    private final int leaderEpoch;
    private final CoordinatorShard shard;
    private final RecordCodec codec;
    private final CoordinatorLog log;
    private final int bufferBytes;
    private long nextOffset;

    ShardLoader(
            TopicPartition partition,
            int leaderEpoch,
            CoordinatorShard shard,
            RecordCodec codec,
            CoordinatorLog log,
            int bufferBytes)
            throws CoordinatorLogException {
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.shard = shard;
        this.codec = codec;
        this.log = log;
        this.bufferBytes = bufferBytes;
        this.nextOffset = log.bounds(partition, leaderEpoch).logStartOffset();
    }

    /** The offset after the last one replayed. */
    long nextOffset() {
        return nextOffset;
    }

    /**
     * Replays the next piece.
     *
     * @return false if the end was reached
     * @throws CoordinatorLogException if the log cannot be read
     */
    boolean loadMore() throws CoordinatorLogException, IOException {
        if (nextOffset >= log.bounds(partition, leaderEpoch).logEndOffset()) {
            return false;
        }
        Records records = log.read(partition, leaderEpoch, nextOffset, bufferBytes);
        if (records.sizeInBytes() == 0) {
            return false;
        }
        for (RecordBatch batch : RecordBatches.of(records.toByteBuf())) {
            if (batch.isControl()) {
                endTransaction(batch);
            } else {
                replay(batch);
            }
            nextOffset = Math.max(nextOffset, batch.nextOffset());
        }
        return true;
    }

    private void endTransaction(RecordBatch batch) {
        for (LogRecord marker : batch.records()) {
            ControlRecordType type = ControlRecordType.of(marker);
            if (marker.offset() >= nextOffset && type != null && type.endsTransaction()) {
                shard.endTransaction(marker.offset(), batch.producerId(), type == ControlRecordType.COMMIT);
            }
        }
    }

    private void replay(RecordBatch batch) {
        for (LogRecord record : batch.records()) {
            ByteBuf key = record.key();
            if (record.offset() < nextOffset || key == null) {
                continue;
            }
            CoordinatorRecord decoded;
            try {
                decoded = codec.decode(key, record.value());
            } catch (InvalidMessageException | IndexOutOfBoundsException e) {
                // One record that nobody can read must not take all others with it; Kafka skips it too.
                LOG.warn("Skipped a record of {} at offset {} that cannot be read", partition, record.offset(), e);
                continue;
            }
            if (decoded != null && batch.isTransactional()) {
                shard.replayInTransaction(record.offset(), batch.producerId(), decoded);
            } else if (decoded != null) {
                shard.replay(record.offset(), decoded);
            }
        }
    }
}
