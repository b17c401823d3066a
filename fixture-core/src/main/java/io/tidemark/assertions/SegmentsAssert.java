package io.tidemark.assertions;

import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.ReplicaSegments;
import io.tidemark.SegmentState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the segments that a partition has on one broker's disk. Each judges the files as they lie there at that
 * moment; after {@link #eventually()} each waits until it holds, and gives up early where the topic is deleted meanwhile.
 *
 * <pre>{@code
 * // passes when the log has rolled, and compaction has left one record of each key behind the active segment
 * assertThat(cluster.partition("prices", 0).segments(1)).eventually().hasSegments(2).isCompacted();
 *
 * // fails early when the first segment is gone: its offsets do not come again
 * assertThat(cluster.partition("orders", 0).segments(1)).eventually().hasBaseOffsets(0, 100);
 * }</pre>
 */
public final class SegmentsAssert extends WaitingAssert<SegmentsAssert, ReplicaSegments> {
    SegmentsAssert(ReplicaSegments segments, @Nullable Eventually eventually) {
        super(segments, SegmentsAssert.class, eventually);
    }

    @Override
    SegmentsAssert waiting(@Nullable Eventually patience) {
        return new SegmentsAssert(actual, patience);
    }

    /** How many segments it has. Before the first roll {@code hasSegments(1)} passes and {@code hasSegments(2)} fails. */
    public SegmentsAssert hasSegments(int count) {
        return check("segments", count, List::size);
    }

    /**
     * The base offsets of its segments, in order. Before the first roll {@code hasBaseOffsets(0)} passes and
     * {@code hasBaseOffsets(0, 100)} fails; an eventual one fails early where the first segment asked for is gone.
     */
    public SegmentsAssert hasBaseOffsets(long... baseOffsets) {
        List<Long> expected = Arrays.stream(baseOffsets).boxed().toList();
        return check(new Expectation<>("base offsets", expected.toString(), seen -> {
            List<Long> offsets =
                    seen.all().stream().map(SegmentState::baseOffset).toList();
            if (offsets.equals(expected)) {
                return new Met();
            }
            boolean past = !offsets.isEmpty() && !expected.isEmpty() && offsets.get(0) > expected.get(0);
            return past && !seen.partition().uncleanElection()
                    ? new Never(offsets.toString(), "a segment that was deleted does not come again")
                    : new NotYet(offsets.toString());
        }));
    }

    /**
     * These files are there, by their names; there may be more. With its first segment
     * {@code hasFiles("00000000000000000000.log")} passes and {@code hasFiles("00000000000000000100.log")} fails.
     */
    public SegmentsAssert hasFiles(String... names) {
        return check(new Expectation<>("files", "with " + List.of(names), seen -> {
            List<String> there = seen.all().stream()
                    .flatMap(segment -> segment.files().keySet().stream())
                    .toList();
            List<String> missing =
                    Arrays.stream(names).filter(name -> !there.contains(name)).toList();
            return missing.isEmpty() ? new Met() : new NotYet("without " + missing);
        }));
    }

    /**
     * The bytes of all its logs together, without indexes. Where one batch of 123 bytes was written {@code hasSize(123)}
     * passes and {@code hasSize(0)} fails.
     */
    public SegmentsAssert hasSize(long bytes) {
        return check("bytes of the logs", bytes, SegmentsAssert::bytes);
    }

    /**
     * The bytes of all its logs together are so many or fewer. Where retention has left 1,000 bytes
     * {@code hasSizeAtMost(1_000)} passes and {@code hasSizeAtMost(999)} fails.
     */
    public SegmentsAssert hasSizeAtMost(long bytes) {
        return check(new Expectation<>(
                "bytes of the logs",
                "at most " + bytes,
                seen -> bytes(seen.all()) <= bytes ? new Met() : new NotYet(Long.toString(bytes(seen.all())))));
    }

    /**
     * The sizes of its logs in bytes, segment by segment. Where one batch of 123 bytes was written and then the log rolled
     * {@code hasSizes(123, 0)} passes and {@code hasSizes(123)} fails.
     */
    public SegmentsAssert hasSizes(long... bytes) {
        return check("bytes of each log", Arrays.stream(bytes).boxed().toList(), segments -> segments.stream()
                .map(SegmentState::sizeInBytes)
                .toList());
    }

    /**
     * Behind the active segment no key is there twice. It passes when compaction has been through, and fails while two
     * records of "order-3" lie in segments that are closed.
     */
    public SegmentsAssert isCompacted() {
        return check(new Expectation<>("keys behind the active segment", "each of them once", seen -> {
            SortedMap<String, List<Long>> offsets = new TreeMap<>();
            for (SegmentState segment : seen.all()) {
                if (!segment.active()) {
                    for (ReplicaRecord record : segment.records()) {
                        offsets.computeIfAbsent(String.valueOf(record.keyText()), key -> new ArrayList<>())
                                .add(record.offset());
                    }
                }
            }
            offsets.values().removeIf(found -> found.size() < 2);
            return offsets.isEmpty() ? new Met() : new NotYet("more than once, at these offsets: " + offsets);
        }));
    }

    private static long bytes(List<SegmentState> segments) {
        return segments.stream().mapToLong(SegmentState::sizeInBytes).sum();
    }

    private SegmentsAssert check(String what, Object expected, Function<List<SegmentState>, Object> actualOf) {
        return check(new Expectation<>(what, expected.toString(), seen -> {
            Object value = actualOf.apply(seen.all());
            return value.equals(expected) ? new Met() : new NotYet(value.toString());
        }));
    }

    private SegmentsAssert check(Expectation<Segments> expectation) {
        isNotNull();
        Subject<Segments> ofPartition = Subject.of(
                actual.partition(), "replica on broker " + actual.brokerId(), this::look, Segments::partition);
        return check(
                new Subject<>(
                        actual.toString(),
                        ofPartition.kind(),
                        ofPartition.cluster(),
                        ofPartition.look(),
                        ofPartition.goneSince()),
                expectation);
    }

    private Optional<Segments> look() {
        return actual.partition()
                .snapshotIfPresent()
                .map(partition -> new Segments(partition, actual.snapshot()))
                .filter(segments -> !segments.all().isEmpty());
    }

    /** What lies there, and the partition that it is of. */
    private record Segments(PartitionState partition, List<SegmentState> all) {
        private static final int MOST_SHOWN = 10;

        @Override
        public String toString() {
            return partition + "\n"
                    + all.stream().limit(MOST_SHOWN).map(SegmentState::toString).collect(Collectors.joining("\n"))
                    + (all.size() > MOST_SHOWN ? "\nand so on, " + all.size() + " in all" : "");
        }
    }
}
