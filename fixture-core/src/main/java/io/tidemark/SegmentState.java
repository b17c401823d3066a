package io.tidemark;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One segment of a replica on disk at one moment. Immutable.
 *
 * <pre>{@code
 * SegmentState first = cluster.partition("orders", 0).segments(1).snapshot().get(0);
 * System.out.println(first.baseOffset() + ": " + first.sizeInBytes() + " bytes");
 * }</pre>
 *
 * @param baseOffset the offset that its files are named after
 * @param active true for the last one, which is written to
 * @param files the sizes in bytes of its files by their names, the log and what belongs to it
 * @param records what lies in its log, markers left out
 */
public record SegmentState(
        long baseOffset, boolean active, SortedMap<String, Long> files, List<ReplicaRecord> records) {
    private static final String LOG_SUFFIX = ".log";

    public SegmentState {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        records = List.copyOf(records);
    }

    /** The bytes of its log, without its indexes. */
    public long sizeInBytes() {
        return files.entrySet().stream()
                .filter(file -> file.getKey().endsWith(LOG_SUFFIX))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** For example {@code segment 0: 123 bytes, 2 records, [00000000000000000000.index, ...]}. */
    @Override
    public String toString() {
        return "segment " + baseOffset + (active ? " (active)" : "") + ": " + sizeInBytes() + " bytes, "
                + records.size() + (records.size() == 1 ? " record, " : " records, ") + files.keySet();
    }
}
