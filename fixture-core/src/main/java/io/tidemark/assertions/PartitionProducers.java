package io.tidemark.assertions;

import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import io.tidemark.ProducerState;
import io.tidemark.assertions.Verdict.Met;
import io.tidemark.assertions.Verdict.Never;
import io.tidemark.assertions.Verdict.NotYet;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A partition with the producers that its leader knows of.
 *
 * @param state the partition
 * @param all its producers
 */
record PartitionProducers(PartitionState state, List<ProducerState> all) {
    private static final String NONE = "none, as the leader does not know that producer";

    /** Empty while there is no such partition, or no leader that can tell. */
    static Optional<PartitionProducers> of(PartitionHandle partition) {
        return partition.snapshotIfPresent().flatMap(state -> partition
                .producersIfLed()
                .map(producers -> new PartitionProducers(state, producers)));
    }

    /** Of the open transactions, only those that no coordinator knows of. */
    static Optional<PartitionProducers> orphansOf(PartitionHandle partition) {
        return partition.snapshotIfPresent().flatMap(state -> partition
                .orphanTransactionsIfKnown()
                .map(producers -> new PartitionProducers(state, producers)));
    }

    static Expectation<PartitionProducers> ids(long... producerIds) {
        List<Long> expected = Arrays.stream(producerIds).sorted().boxed().toList();
        return new Expectation<>("producers", expected.toString(), producers -> {
            List<Long> actual = producers.all().stream()
                    .map(ProducerState::producerId)
                    .sorted()
                    .toList();
            return actual.equals(expected) ? new Met() : new NotYet(actual.toString());
        });
    }

    static Expectation<PartitionProducers> producerEpoch(long producerId, int producerEpoch) {
        return new Expectation<>("epoch of producer " + producerId, Integer.toString(producerEpoch), producers -> {
            ProducerState producer = producers.producer(producerId);
            if (producer == null) {
                return new NotYet(NONE);
            }
            String actual = Integer.toString(producer.producerEpoch());
            if (producer.producerEpoch() == producerEpoch) {
                return new Met();
            }
            return producer.producerEpoch() < producerEpoch
                    ? new NotYet(actual)
                    : new Never(actual, "the epoch of a producer id never goes back");
        });
    }

    static Expectation<PartitionProducers> lastSequence(long producerId, int sequence) {
        return new Expectation<>("last sequence of producer " + producerId, Integer.toString(sequence), producers -> {
            ProducerState producer = producers.producer(producerId);
            if (producer == null) {
                return new NotYet(NONE);
            }
            // No early end where it is past: sequences start anew with an epoch.
            return producer.lastSequence() == sequence
                    ? new Met()
                    : new NotYet(Integer.toString(producer.lastSequence()));
        });
    }

    static Expectation<PartitionProducers> openTransactions(String what, int count) {
        return new Expectation<>(what, Integer.toString(count), producers -> {
            List<ProducerState> open = producers.open();
            return open.size() == count ? new Met() : new NotYet(open.size() + (open.isEmpty() ? "" : ": " + open));
        });
    }

    static Expectation<PartitionProducers> openTransaction(long producerId, long startOffset) {
        return new Expectation<>(
                "start of the open transaction of producer " + producerId, Long.toString(startOffset), producers -> {
                    ProducerState producer = producers.producer(producerId);
                    OptionalLong actual = producer == null ? OptionalLong.empty() : producer.transactionStartOffset();
                    if (actual.isEmpty()) {
                        return new NotYet(producer == null ? NONE : "none, as it has none open");
                    }
                    if (actual.getAsLong() == startOffset) {
                        return new Met();
                    }
                    return actual.getAsLong() < startOffset || producers.state().uncleanElection()
                            ? new NotYet(Long.toString(actual.getAsLong()))
                            : new Never(
                                    Long.toString(actual.getAsLong()),
                                    "the transactions of a producer follow one another");
                });
    }

    private List<ProducerState> open() {
        return all.stream()
                .filter(producer -> producer.transactionStartOffset().isPresent())
                .toList();
    }

    private @Nullable ProducerState producer(long producerId) {
        for (ProducerState producer : all) {
            if (producer.producerId() == producerId) {
                return producer;
            }
        }
        return null;
    }

    /** The partition, then each producer. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(state.toString());
        all.forEach(producer -> text.append("\n  ").append(producer));
        return text.toString();
    }
}
