package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.log.ActiveProducer;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.replication.HostedPartition;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** What a replica remembers of producers is what its log tells of them (INV-22). */
final class ProducerCheck {
    private static final int READ_BYTES = 1 << 20;
    private static final long NOTHING_OPEN = -1;
    private static final Last NONE = new Last((short) -1, RecordBatch.NO_SEQUENCE, -1, NOTHING_OPEN);

    private ProducerCheck() {}

    private record Last(short epoch, int sequence, int coordinatorEpoch, long openSince) {
        Last after(RecordBatch batch) {
            EndTransactionMarker marker = EndTransactionMarker.of(batch);
            if (marker != null) {
                // A marker may bring an epoch of its own, which begins without a history.
                int kept = batch.producerEpoch() == epoch ? sequence : RecordBatch.NO_SEQUENCE;
                return new Last(batch.producerEpoch(), kept, marker.coordinatorEpoch(), NOTHING_OPEN);
            }
            boolean isBegin = batch.isTransactional() && openSince == NOTHING_OPEN;
            return new Last(
                    batch.producerEpoch(),
                    batch.lastSequence(),
                    coordinatorEpoch,
                    isBegin ? batch.baseOffset() : openSince);
        }
    }

    static void check(SimulatedNode node, PartitionModel model, HostedPartition replica) throws IOException {
        Map<Long, Last> remembered = new TreeMap<>();
        for (ActiveProducer producer : replica.log().activeProducers()) {
            remembered.put(
                    producer.producerId(),
                    new Last(
                            producer.producerEpoch(),
                            producer.lastSequence(),
                            producer.coordinatorEpoch(),
                            producer.openTransactionOffset()));
        }
        Map<Long, Last> told = told(replica);
        if (!remembered.equals(told)) {
            throw new Violation("[INV-22] Broker " + node.id() + " remembers of the producers of " + model + " "
                    + remembered + ", and its log, which ends at " + replica.logEndOffset() + ", tells of " + told);
        }
    }

    private static Map<Long, Last> told(HostedPartition replica) throws IOException {
        Map<Long, Last> told = new TreeMap<>();
        long next = replica.logStartOffset();
        while (next < replica.logEndOffset()) {
            long before = next;
            ByteBuf bytes = replica.log()
                    .read(next, READ_BYTES, replica.logEndOffset(), true)
                    .toByteBuf();
            for (RecordBatch batch : RecordBatches.of(bytes)) {
                if (batch.hasProducerId() && batch.baseOffset() >= next) {
                    told.merge(batch.producerId(), NONE.after(batch), (last, first) -> last.after(batch));
                }
                next = Math.max(next, batch.nextOffset());
            }
            if (next == before) {
                break;
            }
        }
        return told;
    }
}
