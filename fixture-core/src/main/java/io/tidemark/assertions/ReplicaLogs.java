package io.tidemark.assertions;

import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each replica of a partition holds below the high watermark.
 *
 * @param state the partition
 * @param records by the broker's id
 */
record ReplicaLogs(PartitionState state, SortedMap<Integer, List<ReplicaRecord>> records) {
    private static final int MOST_SHOWN = 5;

    /** Empty while there is no such partition, or no leader that could tell the high watermark. */
    static Optional<ReplicaLogs> of(PartitionHandle partition) {
        PartitionState state = partition.snapshotIfPresent().orElse(null);
        if (state == null || state.highWatermark().isEmpty()) {
            return Optional.empty();
        }
        long highWatermark = state.highWatermark().getAsLong();
        SortedMap<Integer, List<ReplicaRecord>> records = new TreeMap<>();
        for (int brokerId : state.replicaIds()) {
            records.put(
                    brokerId,
                    partition.recordsOn(brokerId).stream()
                            .filter(record -> record.offset() < highWatermark)
                            .toList());
        }
        return Optional.of(new ReplicaLogs(state, records));
    }

    static Expectation<ReplicaLogs> identical() {
        return new Expectation<>("records below the high watermark", "the same on every replica", logs -> {
            int leader = logs.state().leader().orElseThrow();
            List<ReplicaRecord> wanted = logs.records().getOrDefault(leader, List.of());
            for (Map.Entry<Integer, List<ReplicaRecord>> replica :
                    logs.records().entrySet()) {
                if (!replica.getValue().equals(wanted)) {
                    return new NotYet(difference(leader, wanted, replica.getKey(), replica.getValue()));
                }
            }
            return new Met();
        });
    }

    private static String difference(int leader, List<ReplicaRecord> wanted, int broker, List<ReplicaRecord> actual) {
        int same = 0;
        while (same < wanted.size() && same < actual.size() && wanted.get(same).equals(actual.get(same))) {
            same++;
        }
        return "different after " + same + " records: leader " + leader + " goes on with " + shown(wanted, same)
                + " of " + wanted.size() + ", broker " + broker + " with " + shown(actual, same) + " of "
                + actual.size();
    }

    private static List<ReplicaRecord> shown(List<ReplicaRecord> records, int from) {
        return records.subList(from, Math.min(records.size(), from + MOST_SHOWN));
    }

    @Override
    public String toString() {
        return state.toString();
    }
}
