package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.transaction.TransactionLogKey;
import io.tidemark.broker.protocol.transaction.TransactionLogValue;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is committed in the topic of transactions' state: of each id its steps, which have to be legal ones (INV-47), with
 * epochs that rise as they should (INV-46, INV-48, INV-49).
 */
final class CoordinatorLogModel {
    private static final int READ_BYTES = 1 << 20;
    private static final int EMPTY = 0;
    private static final int ONGOING = 1;
    private static final int PREPARE_COMMIT = 2;
    private static final int PREPARE_ABORT = 3;
    private static final int COMPLETE_COMMIT = 4;
    private static final int COMPLETE_ABORT = 5;
    private static final List<String> NAMES =
            List.of("Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort");

    private final boolean isVersionTwo;
    private final Listener listener;
    private final Map<Integer, Long> ends = new HashMap<>();
    private final SortedMap<String, Step> last = new TreeMap<>();
    private final Set<String> added = new HashSet<>();
    private final Set<String> prepared = new HashSet<>();
    private final Set<String> initialized = new HashSet<>();

    /** Hears of steps. */
    interface Listener {
        /** Whether some client has asked to end it so. */
        boolean isEndAsked(String transactionalId, long producerId, short producerEpoch, boolean isCommit);

        /** All markers are said to be written. */
        void onComplete(Step prepared, boolean isCommit);
    }

    /** What a record says. */
    record Step(String id, int state, long producerId, short producerEpoch, TreeSet<TopicPartition> partitions) {
        boolean isIdle() {
            return state == EMPTY || state == COMPLETE_COMMIT || state == COMPLETE_ABORT;
        }

        @Override
        public String toString() {
            return NAMES.get(state) + " of [" + id + "], producer id " + producerId + ", epoch " + producerEpoch + ", "
                    + partitions;
        }
    }

    CoordinatorLogModel(boolean isVersionTwo, Listener listener) {
        this.isVersionTwo = isVersionTwo;
        this.listener = listener;
    }

    void read(HostedPartition replica) throws IOException {
        int partition = replica.topicPartition().partition();
        long end = ends.getOrDefault(partition, 0L);
        long to = replica.highWatermark();
        while (end < to) {
            long before = end;
            ByteBuf bytes = replica.log().read(end, READ_BYTES, to, true).toByteBuf();
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                for (LogRecord record : batch.records()) {
                    if (record.offset() >= end && record.offset() < to) {
                        onRecord(record);
                    }
                }
                end = Math.max(end, batch.nextOffset());
            }
            ends.put(partition, end);
            if (end == before) {
                return;
            }
        }
    }

    private void onRecord(LogRecord record) {
        ByteBuf key = record.key();
        ByteBuf value = record.value();
        if (key == null || value == null) {
            return;
        }
        MessageReader keyReader = new MessageReader(key.duplicate());
        keyReader.readShort("record type");
        TransactionLogKey id = new TransactionLogKey();
        id.read(keyReader, (short) 0);
        MessageReader valueReader = new MessageReader(value.duplicate());
        short version = valueReader.readShort("value version");
        TransactionLogValue said = new TransactionLogValue();
        said.read(valueReader, version);
        TreeSet<TopicPartition> partitions = new TreeSet<>();
        List<TransactionLogValue.PartitionsSchema> topics = said.transactionPartitions();
        if (topics != null) {
            topics.forEach(topic -> topic.partitionIds()
                    .forEach(partition -> partitions.add(new TopicPartition(topic.topic(), partition))));
        }
        Step now = new Step(
                id.transactionalId(), said.transactionStatus(), said.producerId(), said.producerEpoch(), partitions);
        onStep(last.put(now.id(), now), now);
    }

    private void onStep(@Nullable Step before, Step now) {
        require(isLegal(before == null ? -1 : before.state(), now.state()), "INV-47", before, now);
        if (before != null) {
            requireEpoch(before, now);
        }
        switch (now.state()) {
            case EMPTY -> initialized.add(key(now.id(), now.producerId(), now.producerEpoch()));
            case ONGOING -> {
                for (TopicPartition partition : now.partitions()) {
                    added.add(key(partition.toString(), now.producerId(), now.producerEpoch()));
                }
            }
            case PREPARE_COMMIT, PREPARE_ABORT -> {
                boolean isCommit = now.state() == PREPARE_COMMIT;
                require(
                        before.state() != ONGOING || before.partitions().equals(now.partitions()),
                        "INV-43",
                        before,
                        now);
                boolean isAsked = listener.isEndAsked(now.id(), before.producerId(), before.producerEpoch(), isCommit);
                require(isAsked || !isCommit, "INV-43", before, now);
                prepared.add(key("" + isCommit, now.producerId(), now.producerEpoch()));
            }
            default -> listener.onComplete(before, now.state() == COMPLETE_COMMIT);
        }
    }

    private boolean isLegal(int from, int to) {
        return switch (to) {
            case EMPTY -> from == -1 || from == EMPTY || from == COMPLETE_COMMIT || from == COMPLETE_ABORT;
            case ONGOING -> from >= 0 && from != PREPARE_COMMIT && from != PREPARE_ABORT;
            case PREPARE_COMMIT -> from == ONGOING;
            case PREPARE_ABORT ->
                from == ONGOING
                        || (isVersionTwo && (from == EMPTY || from == COMPLETE_COMMIT || from == COMPLETE_ABORT));
            case COMPLETE_COMMIT -> from == PREPARE_COMMIT;
            case COMPLETE_ABORT -> from == PREPARE_ABORT;
            default -> false;
        };
    }

    private void requireEpoch(Step before, Step now) {
        int rise = now.producerEpoch() - before.producerEpoch();
        boolean isPrepare = now.state() == PREPARE_COMMIT || now.state() == PREPARE_ABORT;
        boolean isAsIs = rise == 0 && !(isPrepare && isVersionTwo);
        if (now.state() == PREPARE_ABORT && rise == 0) {
            // On version 1 the coordinator fences a producer whose transaction it takes away.
            isAsIs &= listener.isEndAsked(now.id(), before.producerId(), before.producerEpoch(), false);
        }
        if (now.state() == EMPTY && rise == 0) {
            isAsIs &= before.state() == EMPTY;
        }
        boolean mayRise = now.state() == EMPTY
                || (isPrepare && isVersionTwo)
                || (now.state() == PREPARE_ABORT && before.state() == ONGOING);
        boolean isSound = isAsIs || (rise == 1 && mayRise);
        require(
                now.producerId() == before.producerId() && isSound,
                now.state() == EMPTY ? "INV-48" : isPrepare && rise == 0 ? "INV-49" : "INV-46",
                before,
                now);
    }

    private static void require(boolean holds, String rule, @Nullable Step before, Step now) {
        if (!holds) {
            throw new Violation("[" + rule + "] It must not go from " + before + " to " + now);
        }
    }

    private static String key(String of, long producerId, short producerEpoch) {
        return of + "/" + producerId + "/" + producerEpoch;
    }

    /** Whether the coordinator has ever been told that a producer writes there in an epoch. */
    boolean isAdded(TopicPartition partition, long producerId, short producerEpoch) {
        return added.contains(key(partition.toString(), producerId, producerEpoch));
    }

    /** Whether the end with this epoch was ever decided. */
    boolean isPrepared(long producerId, short producerEpoch, boolean isCommit) {
        return prepared.contains(key("" + isCommit, producerId, producerEpoch));
    }

    boolean isInitialized(String id, long producerId, short producerEpoch) {
        return initialized.contains(key(id, producerId, producerEpoch));
    }

    /** An id whose transaction is not over, or null. */
    @Nullable
    Step firstBusy() {
        for (Step step : last.values()) {
            if (!step.isIdle()) {
                return step;
            }
        }
        return null;
    }
}
