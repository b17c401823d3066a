package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.log.ActiveProducer;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import io.tidemark.broker.replication.HostedPartition;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** What a replica remembers of producers is what its log tells of them (INV-22). */
final class ProducerCheck {
    private static final int READ_BYTES = 1 << 20;

    private ProducerCheck() {}

    private record Last(short epoch, int sequence) {}

    static void check(SimulatedNode node, PartitionModel model, HostedPartition replica) throws IOException {
        Map<Long, Last> remembered = new TreeMap<>();
        for (ActiveProducer producer : replica.log().activeProducers()) {
            remembered.put(producer.producerId(), new Last(producer.producerEpoch(), producer.lastSequence()));
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
                    told.put(batch.producerId(), new Last(batch.producerEpoch(), batch.lastSequence()));
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
