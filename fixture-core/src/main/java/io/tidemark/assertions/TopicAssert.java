package io.tidemark.assertions;

import io.tidemark.IsolationLevel;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.TopicHandle;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the records of one topic, keys and values taken as UTF-8 text. Each judges what the leaders hold at that
 * moment, as a consumer in read_uncommitted sees it: every record below the high watermark. After {@link #readCommitted()}
 * each judges what one in read_committed sees. After {@link #eventually()} each waits until it holds, and gives up early
 * where the topic is deleted meanwhile; too many records are no reason to, as retention may take some.
 *
 * <pre>{@code
 * // passes when both orders are there, whatever their partitions
 * assertThat(cluster.topic("orders")).eventually().hasValues("{\"amt\":30}", "{\"amt\":40}");
 *
 * // passes while the transaction of the second one is open, and after its abort
 * assertThat(cluster.topic("orders")).readCommitted().hasValues("{\"amt\":30}");
 *
 * // fails where the order of one key's records is another
 * assertThat(cluster.topic("orders")).hasValuesOfKey("order-3", "placed", "paid");
 * }</pre>
 */
public final class TopicAssert extends WaitingAssert<TopicAssert, TopicHandle> {
    private final IsolationLevel isolation;

    TopicAssert(TopicHandle topic, IsolationLevel isolation, @Nullable Eventually eventually) {
        super(topic, TopicAssert.class, eventually);
        this.isolation = isolation;
    }

    @Override
    TopicAssert waiting(@Nullable Eventually patience) {
        return new TopicAssert(actual, isolation, patience);
    }

    /**
     * Every assertion after this one judges what a consumer in read_committed sees: with one record in an open or an
     * aborted transaction {@code readCommitted().hasRecords(0)} passes and {@code readCommitted().hasRecords(1)} fails.
     */
    public TopicAssert readCommitted() {
        return in(IsolationLevel.READ_COMMITTED);
    }

    /**
     * Every assertion after this one judges what a consumer in read_uncommitted sees, as without a word: with one record
     * in an open or an aborted transaction {@code readUncommitted().hasRecords(1)} passes and
     * {@code readUncommitted().hasRecords(0)} fails.
     */
    public TopicAssert readUncommitted() {
        return in(IsolationLevel.READ_UNCOMMITTED);
    }

    private TopicAssert in(IsolationLevel other) {
        isNotNull();
        TopicAssert same = new TopicAssert(actual, other, patience());
        same.info.description(info.description());
        return same;
    }

    /** It is there. After its creation it passes; before it, and after its deletion, it fails. */
    public TopicAssert exists() {
        return checkPresence("there", true);
    }

    /** It is not there. After its deletion it passes, while it is there it fails. */
    public TopicAssert doesNotExist() {
        return checkPresence("not there", false);
    }

    /** How many records it has. After two {@code hasRecords(2)} passes and {@code hasRecords(3)} fails. */
    public TopicAssert hasRecords(int count) {
        return check("count of records", count, List::size);
    }

    /** How many partitions it has. Of three {@code hasPartitions(3)} passes and {@code hasPartitions(1)} fails. */
    public TopicAssert hasPartitions(int count) {
        isNotNull();
        return check(
                subject(() -> actual.exists() ? Optional.of(new Partitions(actual.snapshot())) : Optional.empty()),
                new Expectation<>("count of partitions", Integer.toString(count), partitions -> {
                    int seen = partitions.all().size();
                    if (seen == count) {
                        return new Met();
                    }
                    return seen < count
                            ? new NotYet(Integer.toString(seen))
                            : new Never(Integer.toString(seen), "a topic never loses a partition");
                }));
    }

    /**
     * The values of all its records, in any order. After "a" and "b" {@code hasValues("b", "a")} passes and
     * {@code hasValues("a")} fails.
     */
    public TopicAssert hasValues(String... values) {
        return check(
                "values",
                Arrays.stream(values).sorted().toList(),
                records -> records.stream().map(TopicAssert::valueOf).sorted().toList());
    }

    /**
     * The values of all records with one key, in their order. After "placed" and "paid"
     * {@code hasValuesOfKey("order-3", "placed", "paid")} passes and {@code hasValuesOfKey("order-3", "paid", "placed")}
     * fails.
     */
    public TopicAssert hasValuesOfKey(String key, String... values) {
        return check("values of key " + key, List.of(values), records -> records.stream()
                .filter(record -> Objects.equals(record.keyText(), key))
                .map(TopicAssert::valueOf)
                .toList());
    }

    /**
     * All values by their keys, those of each key in their order, and no key more. After ("order-3", "placed"),
     * ("order-4", "placed") and ("order-3", "paid") it passes with order-3: placed, paid and order-4: placed, and fails
     * with order-3: paid, placed.
     */
    public TopicAssert hasValuesByKey(Map<String, List<String>> values) {
        return check("values by key", new TreeMap<>(values), TopicAssert::byKey);
    }

    /**
     * Each of the values is there at least once. After "a" and "b" {@code containsValues("a")} passes and
     * {@code containsValues("a", "c")} fails.
     */
    public TopicAssert containsValues(String... values) {
        return checkRecords("values", "with each of " + List.of(values), records -> {
            List<String> seen = valuesOf(records);
            List<String> missing =
                    Stream.of(values).filter(value -> !seen.contains(value)).toList();
            return missing.isEmpty() ? null : "without " + missing;
        });
    }

    /**
     * None of the values is there. After "a" and "b" {@code doesNotContainValues("c")} passes and
     * {@code doesNotContainValues("a", "c")} fails. With {@link #eventually()} it passes at the first look that finds
     * none of them, so it is no proof that none comes later.
     */
    public TopicAssert doesNotContainValues(String... values) {
        return checkRecords("values", "without any of " + List.of(values), records -> {
            List<String> seen = valuesOf(records);
            List<String> there = Stream.of(values).filter(seen::contains).toList();
            return there.isEmpty() ? null : "with " + there;
        });
    }

    /**
     * No value is there twice: nothing was written anew that had been written. After "a" and "b" it passes, after "a" and
     * "a" it fails.
     */
    public TopicAssert hasNoDuplicateValues() {
        return checkRecords("values", "each of them once", records -> {
            Set<String> seen = new TreeSet<>();
            List<String> twice =
                    valuesOf(records).stream().filter(value -> !seen.add(value)).toList();
            return twice.isEmpty() ? null : "more than once: " + twice;
        });
    }

    /**
     * All records of a key are in one partition, so that Kafka keeps their order. It passes where a key's partition
     * follows from it, and fails where one key is in two.
     */
    public TopicAssert hasEachKeyInOnePartition() {
        isNotNull();
        return check(
                subject(this::lookByPartition), new Expectation<>("partitions of each key", "one for each", records -> {
                    List<String> spread = records.keysInSeveralPartitions();
                    return spread.isEmpty() ? new Met() : new NotYet(String.join("; ", spread));
                }));
    }

    private static SortedMap<String, List<String>> byKey(List<ReplicaRecord> records) {
        SortedMap<String, List<String>> values = new TreeMap<>();
        records.forEach(record -> values.computeIfAbsent(String.valueOf(record.keyText()), key -> new ArrayList<>())
                .add(valueOf(record)));
        return values;
    }

    private static List<String> valuesOf(List<ReplicaRecord> records) {
        return records.stream().map(TopicAssert::valueOf).toList();
    }

    private static String valueOf(ReplicaRecord record) {
        return String.valueOf(record.valueText());
    }

    private TopicAssert check(String what, Object expected, Function<List<ReplicaRecord>, Object> actualOf) {
        return checkRecords(what, expected.toString(), records -> {
            Object seen = actualOf.apply(records);
            return seen.equals(expected) ? null : seen.toString();
        });
    }

    /** The judge gives null where it is met, and else what there is. */
    private TopicAssert checkRecords(
            String what, String expected, Function<List<ReplicaRecord>, @Nullable String> judge) {
        isNotNull();
        return check(
                subject(this::lookByPartition),
                new Expectation<>(
                        what + (isolation == IsolationLevel.READ_COMMITTED ? " in read_committed" : ""),
                        expected,
                        records -> {
                            String other = judge.apply(records.inOrder());
                            return other == null ? new Met() : new NotYet(other);
                        }));
    }

    private TopicAssert checkPresence(String expected, boolean wanted) {
        isNotNull();
        Subject<Boolean> subject = new Subject<>(
                "topic " + actual.name(),
                "cluster",
                actual.cluster(),
                () -> Optional.of(actual.exists()),
                seen -> null);
        return check(
                subject,
                new Expectation<>(
                        "presence",
                        expected,
                        there -> there == wanted ? new Met() : new NotYet(there ? "there" : "not there")));
    }

    private <S extends OfTopic> Subject<S> subject(Supplier<Optional<S>> look) {
        return new Subject<>(
                "topic " + actual.name(),
                "topic, or no leader of all its partitions",
                actual.cluster(),
                look,
                seen -> Subject.deletedSince(actual.cluster(), seen.partitions().get(0)));
    }

    private Optional<TopicRecords> lookByPartition() {
        return actual.exists() ? Optional.of(TopicRecords.of(actual, isolation)) : Optional.empty();
    }

    /** What was seen of a topic. */
    interface OfTopic {
        /** Every partition, of which there is at least one. */
        List<PartitionState> partitions();
    }

    private record Partitions(List<PartitionState> all) implements OfTopic {
        @Override
        public List<PartitionState> partitions() {
            return all;
        }

        @Override
        public String toString() {
            return all.stream().map(PartitionState::toString).collect(Collectors.joining("\n"));
        }
    }
}
