package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The transactions of one partition as far as the log is committed: each with where it begins and where its marker is. */
final class TransactionLog {
    private static final int READ_BYTES = 1 << 20;
    private static final long OPEN = Long.MAX_VALUE;

    private final TopicPartition name;
    private final Listener listener;
    private final Map<Long, Producer> producers = new HashMap<>();
    private final List<Span> spans = new ArrayList<>();
    private final Set<String> markers = new HashSet<>();
    private final TreeMap<Long, String> committed = new TreeMap<>();
    private long end;
    private LateCoordinator.@Nullable Marker lastMarker;

    /** Hears of what is committed. */
    interface Listener {
        void onBegin(TransactionLog log, Span span);

        /** @param span what the marker ends, or null where nothing was open */
        void onMarker(
                TransactionLog log,
                long offset,
                long producerId,
                short producerEpoch,
                EndTransactionMarker marker,
                @Nullable Span span);
    }

    /** A transaction in this partition. */
    static final class Span {
        final long producerId;
        final short producerEpoch;
        final long first;
        final Map<Long, String> values = new TreeMap<>();
        long marker = OPEN;

        private Span(long producerId, short producerEpoch, long first) {
            this.producerId = producerId;
            this.producerEpoch = producerEpoch;
            this.first = first;
        }

        boolean isOpen() {
            return marker == OPEN;
        }

        @Override
        public String toString() {
            return "the transaction of producer id " + producerId + " in epoch " + producerEpoch + " since offset "
                    + first + (isOpen() ? "" : " to " + marker);
        }
    }

    private static final class Producer {
        short epoch = -1;
        int coordinatorEpoch = -1;

        @Nullable
        Span open;
    }

    TransactionLog(TopicPartition name, Listener listener) {
        this.name = name;
        this.listener = listener;
    }

    TopicPartition name() {
        return name;
    }

    /** Up to where it was read. */
    long end() {
        return end;
    }

    void read(HostedPartition replica, long to) throws IOException {
        while (end < to) {
            long before = end;
            ByteBuf bytes = replica.log().read(end, READ_BYTES, to, true).toByteBuf();
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                if (batch.baseOffset() >= end && batch.nextOffset() <= to) {
                    onBatch(batch);
                    end = batch.nextOffset();
                }
            }
            if (end == before) {
                return;
            }
        }
    }

    private void onBatch(RecordBatch batch) {
        if (!batch.hasProducerId()) {
            return;
        }
        Producer producer = producers.computeIfAbsent(batch.producerId(), id -> new Producer());
        EndTransactionMarker marker = EndTransactionMarker.of(batch);
        if (batch.producerEpoch() < producer.epoch) {
            throw new Violation((marker == null ? "[INV-33]" : "[INV-46]") + " Producer id " + batch.producerId()
                    + " has epoch " + batch.producerEpoch() + " at offset " + batch.baseOffset() + " of " + name
                    + " after epoch " + producer.epoch);
        }
        producer.epoch = batch.producerEpoch();
        if (marker != null) {
            onMarker(batch, marker, producer);
        } else if (batch.isTransactional()) {
            onData(batch, producer);
        }
    }

    private void onData(RecordBatch batch, Producer producer) {
        Span open = producer.open;
        if (open == null) {
            open = new Span(batch.producerId(), batch.producerEpoch(), batch.baseOffset());
            producer.open = open;
            spans.add(open);
            listener.onBegin(this, open);
        } else if (open.producerEpoch != batch.producerEpoch()) {
            throw new Violation("[INV-48] Offset " + batch.baseOffset() + " of " + name + " goes on with " + open
                    + " in epoch " + batch.producerEpoch());
        }
        for (LogRecord record : batch.records()) {
            open.values.put(record.offset(), PartitionModel.text(record));
        }
    }

    private void onMarker(RecordBatch batch, EndTransactionMarker marker, Producer producer) {
        Span open = producer.open;
        if (marker.coordinatorEpoch() < producer.coordinatorEpoch) {
            throw new Violation("[INV-45] The marker of producer id " + batch.producerId() + " at offset "
                    + batch.baseOffset() + " of " + name + " is of coordinator epoch " + marker.coordinatorEpoch()
                    + ", after one of " + producer.coordinatorEpoch);
        }
        producer.coordinatorEpoch = marker.coordinatorEpoch();
        lastMarker = new LateCoordinator.Marker(
                name, batch.producerId(), batch.producerEpoch(), marker.commit(), marker.coordinatorEpoch());
        producer.open = null;
        markers.add(key(batch.producerId(), batch.producerEpoch(), marker.commit()));
        if (open != null) {
            open.marker = batch.baseOffset();
            if (marker.commit()) {
                committed.putAll(open.values);
            }
        }
        listener.onMarker(this, batch.baseOffset(), batch.producerId(), batch.producerEpoch(), marker, open);
    }

    private static String key(long producerId, short producerEpoch, boolean isCommit) {
        return producerId + "/" + producerEpoch + "/" + isCommit;
    }

    boolean hasMarker(long producerId, short producerEpoch, boolean isCommit) {
        return markers.contains(key(producerId, producerEpoch, isCommit));
    }

    LateCoordinator.@Nullable Marker lastMarker() {
        return lastMarker;
    }

    /** What a producer has open, or null. */
    @Nullable
    Span open(long producerId) {
        Producer producer = producers.get(producerId);
        return producer == null ? null : producer.open;
    }

    /** The first that is open, or null. */
    @Nullable
    Span firstOpen() {
        for (Span span : spans) {
            if (span.isOpen()) {
                return span;
            }
        }
        return null;
    }

    /** Where the first transaction begins that has no marker below a high watermark; else that. */
    long lastStableOffset(long highWatermark) {
        for (Span span : spans) {
            if (span.marker >= highWatermark) {
                return Math.min(span.first, highWatermark);
            }
        }
        return highWatermark;
    }

    /** The values of committed transactions, by offset. */
    TreeMap<Long, String> committed() {
        return committed;
    }

    @Override
    public String toString() {
        return name.toString();
    }
}
