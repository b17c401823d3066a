package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;

/** What a reader of committed transactions keeps of what it is sent: nothing of those that its answers say are aborted. */
final class CommittedView {
    private final TransactionOracle judge;
    private final int client;
    private final String topic;
    private final Map<Integer, List<String>> kept = new TreeMap<>();

    CommittedView(TransactionOracle judge, int client, String topic) {
        this.judge = judge;
        this.client = client;
        this.topic = topic;
    }

    private TopicPartition name(int partition) {
        return new TopicPartition(topic, partition);
    }

    /** @param from what lies below was read before */
    void read(FetchResponse.PartitionData data, Iterable<RecordBatch> batches, long from) {
        List<FetchResponse.AbortedTransaction> said = data.abortedTransactions();
        PriorityQueue<FetchResponse.AbortedTransaction> next =
                new PriorityQueue<>(Comparator.comparingLong(FetchResponse.AbortedTransaction::firstOffset));
        next.addAll(said == null ? List.of() : said);
        Set<Long> aborted = new HashSet<>();
        for (RecordBatch batch : batches) {
            while (!next.isEmpty() && next.peek().firstOffset() <= batch.lastOffset()) {
                aborted.add(next.remove().producerId());
            }
            EndTransactionMarker marker = EndTransactionMarker.of(batch);
            if (marker != null) {
                if (!marker.commit()) {
                    aborted.remove(batch.producerId());
                }
            } else if (batch.isTransactional() && !aborted.contains(batch.producerId())) {
                keep(data.partitionIndex(), batch, from);
            }
        }
    }

    private void keep(int partition, RecordBatch batch, long from) {
        for (LogRecord record : batch.records()) {
            if (record.offset() >= from) {
                String value = PartitionModel.text(record);
                judge.onRead(client, name(partition), record.offset(), value);
                kept.computeIfAbsent(partition, number -> new ArrayList<>()).add(value);
            }
        }
    }

    void onLatest(int partition, long offset) {
        judge.onLatest(client, name(partition), offset);
    }

    boolean isWhole(int partition, long offset) {
        return judge.isWhole(name(partition), offset);
    }

    void check() {
        kept.forEach((partition, values) -> judge.checkRead(client, name(partition), values));
    }
}
