package io.tidemark.assertions;

import io.tidemark.ReplicaRecord;
import io.tidemark.TopicHandle;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.NotYet;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions on the committed records of one topic, keys and values taken as UTF-8 text. Each judges what the leaders
 * hold at that moment; after {@link #eventually()} each waits until it holds.
 *
 * <pre>{@code
 * // passes when both orders are committed, whatever their partitions
 * assertThat(cluster.topic("orders")).eventually().hasValues("{\"amt\":30}", "{\"amt\":40}");
 *
 * // fails where the order of one key's records is another
 * assertThat(cluster.topic("orders")).hasValuesOfKey("order-3", "placed", "paid");
 * }</pre>
 */
public final class TopicAssert extends AbstractAssert<TopicAssert, TopicHandle> {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final @Nullable Eventually eventually;

    TopicAssert(TopicHandle topic) {
        this(topic, null);
    }

    private TopicAssert(TopicHandle topic, @Nullable Eventually eventually) {
        super(topic, TopicAssert.class);
        this.eventually = eventually;
    }

    /** Every assertion after this one waits until it holds, for twenty seconds at most. */
    public TopicAssert eventually() {
        return eventually(PATIENCE);
    }

    /** Every assertion after this one waits until it holds, each for so long at most. */
    public TopicAssert eventually(Duration timeout) {
        isNotNull();
        TopicAssert waiting = new TopicAssert(actual, new Eventually(timeout));
        waiting.info.description(info.description());
        return waiting;
    }

    /** How many committed records it has. After two {@code hasRecords(2)} passes and {@code hasRecords(3)} fails. */
    public TopicAssert hasRecords(int count) {
        return check("count of committed records", count, List::size);
    }

    /**
     * The values of all its committed records, in any order. After "a" and "b" {@code hasValues("b", "a")} passes and
     * {@code hasValues("a")} fails.
     */
    public TopicAssert hasValues(String... values) {
        return check(
                "values",
                Arrays.stream(values).sorted().toList(),
                records -> records.stream().map(TopicAssert::valueOf).sorted().toList());
    }

    /**
     * The values of all committed records with one key, in their order. After "placed" and "paid"
     * {@code hasValuesOfKey("order-3", "placed", "paid")} passes and {@code hasValuesOfKey("order-3", "paid", "placed")}
     * fails.
     */
    public TopicAssert hasValuesOfKey(String key, String... values) {
        return check("values of key " + key, List.of(values), records -> records.stream()
                .filter(record -> Objects.equals(record.keyText(), key))
                .map(TopicAssert::valueOf)
                .toList());
    }

    private static String valueOf(ReplicaRecord record) {
        return String.valueOf(record.valueText());
    }

    private TopicAssert check(String what, Object expected, Function<List<ReplicaRecord>, Object> actualOf) {
        isNotNull();
        Subject<Records> subject =
                new Subject<>("topic " + actual.name(), "topic, or no leader of all its partitions", this::look);
        UnmetExpectation unmet = subject.unmet(
                new Expectation<>(what, expected.toString(), records -> {
                    Object seen = actualOf.apply(records.all());
                    return seen.equals(expected) ? new Met() : new NotYet(seen.toString());
                }),
                eventually);
        if (unmet != null) {
            throw failure("%s", unmet.message());
        }
        return this;
    }

    private Optional<Records> look() {
        if (!actual.exists()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Records(actual, actual.committedRecords()));
        } catch (IllegalStateException | IllegalArgumentException e) {
            // No leader in office, or deleted meanwhile.
            return Optional.empty();
        }
    }

    private record Records(TopicHandle topic, List<ReplicaRecord> all) {
        private static final int MOST_SHOWN = 20;

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("topic " + topic.name() + ": " + all.size() + " committed records");
            all.stream().limit(MOST_SHOWN).forEach(record -> text.append("\n  ").append(record));
            return text.append(all.size() > MOST_SHOWN ? "\n  and so on" : "").toString();
        }
    }
}
