package io.tidemark.broker.transaction;

import static io.tidemark.broker.transaction.TransactionDriver.ID;
import static io.tidemark.broker.transaction.TransactionDriver.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ListTransactionsRequest;
import io.tidemark.broker.protocol.message.ListTransactionsResponse;
import io.tidemark.broker.types.TopicPartition;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Partitions, verification, time-outs, expiry and views. */
class TransactionCoordinatorTest {
    private static final TopicPartition RETURNS = new TopicPartition("returns", 3);

    private final TransactionDriver driver = new TransactionDriver();

    // ---- partitions

    @Test
    void firstPartitionBeginsTheTransactionAndLaterOnesJoinIt() {
        ProducerAnswer producer = driver.init();
        long beganMs = driver.nowMs;

        driver.add(producer, ORDERS);
        driver.nowMs += 5;
        driver.add(producer, RETURNS);

        assertThat(driver.shard.describe(ID).topics()).hasSize(2);
        assertThat(driver.shard.describe(ID).transactionStartTimeMs()).isEqualTo(beganMs);
    }

    @Test
    void partitionsThatAreInAreNotLoggedAgain() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        int logged = driver.log.size();

        assertThat(driver.add(producer, ORDERS)).isEqualTo(ErrorCode.NONE);

        assertThat(driver.log).hasSize(logged);
    }

    @Test
    void partitionsOfOthersAreRefused() {
        assertThat(driver.add(5, 0, ORDERS)).isEqualTo(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        ProducerAnswer producer = driver.init();

        assertThat(driver.add(producer.producerId() + 1, 0, ORDERS)).isEqualTo(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        assertThat(driver.add(producer.producerId(), 1, ORDERS)).isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.take(driver.shard.addPartitions(
                        "", 1, (short) 0, new TreeSet<>(List.of(ORDERS)), TransactionVersion.V2, 0)))
                .isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void partitionsWaitForTheMarkersOfTheTransactionBefore() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        ProducerAnswer next = driver.end(producer, true);

        assertThat(driver.add(next, ORDERS)).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        assertThat(driver.add(producer, ORDERS)).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        driver.writeMarkers();

        assertThat(driver.add(next, ORDERS)).isEqualTo(ErrorCode.NONE);
        assertThat(driver.add(producer, ORDERS)).isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    // ---- verification

    @Test
    void verificationTellsWhatIsIn() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);

        assertThat(verify(producer.producerId(), producer.producerEpoch()))
                .containsEntry(ORDERS, ErrorCode.NONE)
                .containsEntry(RETURNS, ErrorCode.TRANSACTION_ABORTABLE);
        assertThat(verify(producer.producerId() + 1, 0)).containsEntry(ORDERS, ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        assertThat(verify(producer.producerId(), 1)).containsEntry(ORDERS, ErrorCode.PRODUCER_FENCED);

        ProducerAnswer next = driver.end(producer, true);
        assertThat(verify(next.producerId(), next.producerEpoch()))
                .containsEntry(ORDERS, ErrorCode.CONCURRENT_TRANSACTIONS);
        driver.writeMarkers();
        assertThat(verify(next.producerId(), next.producerEpoch()))
                .containsEntry(ORDERS, ErrorCode.TRANSACTION_ABORTABLE);
    }

    @Test
    void verificationDoesNotSeeWhatIsNotCommitted() {
        ProducerAnswer producer = driver.init();
        driver.isHeld = true;
        driver.add(producer, ORDERS);

        assertThat(verify(producer.producerId(), producer.producerEpoch()))
                .containsEntry(ORDERS, ErrorCode.TRANSACTION_ABORTABLE);
        driver.commit();
        assertThat(verify(producer.producerId(), producer.producerEpoch())).containsEntry(ORDERS, ErrorCode.NONE);
    }

    private SortedMap<TopicPartition, ErrorCode> verify(long producerId, int epoch) {
        return driver.shard.verifyPartitions(ID, producerId, (short) epoch, new TreeSet<>(List.of(ORDERS, RETURNS)));
    }

    // ---- time

    @ParameterizedTest
    @EnumSource(TransactionVersion.class)
    void transactionThatTakesTooLongIsAbortedAndItsProducerFenced(TransactionVersion version) {
        driver.version = version;
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);

        driver.nowMs += TransactionDriver.TIMEOUT_MS;
        driver.take(driver.shard.onDeadline(driver.nowMs));
        assertThat(driver.shard.takeEffects()).as("not over yet").isEmpty();

        driver.nowMs += 10_001;
        driver.take(driver.shard.onDeadline(driver.nowMs));
        TransactionEffect.AbortTimedOut timedOut =
                (TransactionEffect.AbortTimedOut) driver.shard.takeEffects().get(0);
        assertThat(driver.abortTimedOut(timedOut).error()).isEqualTo(ErrorCode.NONE);

        assertThat(driver.writeMarkers().get(0).isCommit()).isFalse();
        assertThat(driver.state()).isEqualTo("CompleteAbort");
        assertThat(driver.epoch()).isEqualTo(producer.producerEpoch() + 1);
        assertThat(driver.add(producer, ORDERS)).isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    @Test
    void transactionThatWentOnMeanwhileIsNotAborted() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        driver.nowMs += TransactionDriver.TIMEOUT_MS + 10_001;
        driver.take(driver.shard.onDeadline(driver.nowMs));
        TransactionEffect.AbortTimedOut timedOut =
                (TransactionEffect.AbortTimedOut) driver.shard.takeEffects().get(0);
        driver.end(producer, true);
        driver.writeMarkers();

        assertThat(driver.abortTimedOut(timedOut).error()).isNotEqualTo(ErrorCode.NONE);

        assertThat(driver.state()).isEqualTo("CompleteCommit");
    }

    @Test
    void idThatIsNotUsedExpiresAndOneThatIsOpenDoesNot() {
        ProducerAnswer producer = driver.init();
        driver.nowMs += 604_800_000 - 1;
        driver.take(driver.shard.onDeadline(driver.nowMs));
        assertThat(driver.state()).isEqualTo("Empty");

        driver.add(producer, ORDERS);
        driver.nowMs += 700_000_000;
        driver.take(driver.shard.onDeadline(driver.nowMs));
        assertThat(driver.state()).isEqualTo("Ongoing");
        driver.shard.takeEffects();

        driver.end(producer, true);
        driver.writeMarkers();
        driver.nowMs += 604_800_000;
        driver.take(driver.shard.onDeadline(driver.nowMs));
        assertThat(driver.shard.describe(ID).errorCode()).isEqualTo(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code());
        assertThat(driver.log.get(driver.log.size() - 1).value())
                .as("a tombstone")
                .isNull();
        driver.failOver();
        assertThat(driver.shard.describe(ID).errorCode()).isEqualTo(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code());
    }

    // ---- failover and views

    @ParameterizedTest
    @EnumSource(TransactionVersion.class)
    void newCoordinatorKnowsWhatTheOldOneKnew(TransactionVersion version) {
        driver.version = version;
        ProducerAnswer producer = driver.transaction(driver.init(), true);
        driver.add(producer, ORDERS, RETURNS);
        var before = driver.shard.describe(ID);

        driver.failOver();

        assertThat(driver.shard.describe(ID)).usingRecursiveComparison().isEqualTo(before);
        assertThat(driver.end(producer, true).error()).isEqualTo(ErrorCode.NONE);
    }

    /** On version 1 the marker would end what the producer has begun since, as it has the same epoch. */
    @ParameterizedTest
    @EnumSource(TransactionVersion.class)
    void newCoordinatorWritesNoMarkersOfATransactionThatWasComplete(TransactionVersion version) {
        driver.version = version;
        ProducerAnswer producer = driver.transaction(driver.init(), true);
        driver.add(producer, ORDERS);

        for (int knownCommitted = 0; knownCommitted <= driver.log.size(); knownCommitted++) {
            driver.failOver(knownCommitted);
            driver.commit();

            assertThat(driver.markers())
                    .as("markers of a coordinator that knew %d of %d", knownCommitted, driver.log.size())
                    .isEmpty();
        }
    }

    @Test
    void listIsFilteredByStateProducerDurationAndPattern() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);

        assertThat(list(new ListTransactionsRequest())).hasSize(1);
        assertThat(list(new ListTransactionsRequest().setStateFilters(List.of("Ongoing"))))
                .hasSize(1);
        assertThat(list(new ListTransactionsRequest().setStateFilters(List.of("Empty", "nonsense"))))
                .isEmpty();
        assertThat(list(new ListTransactionsRequest().setStateFilters(List.of("nonsense"))))
                .isEmpty();
        assertThat(TransactionViews.unknownStates(
                        new ListTransactionsRequest().setStateFilters(List.of("Empty", "nonsense"))))
                .containsExactly("nonsense");
        assertThat(list(new ListTransactionsRequest().setProducerIdFilters(List.of(producer.producerId()))))
                .hasSize(1);
        assertThat(list(new ListTransactionsRequest().setProducerIdFilters(List.of(7L))))
                .isEmpty();
        driver.nowMs += 100;
        assertThat(list(new ListTransactionsRequest().setDurationFilter(99))).hasSize(1);
        assertThat(list(new ListTransactionsRequest().setDurationFilter(100))).isEmpty();
        assertThat(driver.shard.list(new ListTransactionsRequest(), Pattern.compile("pay"), driver.nowMs))
                .as("the whole id has to match")
                .isEmpty();
        assertThat(driver.shard.list(new ListTransactionsRequest(), Pattern.compile("pay.*"), driver.nowMs))
                .hasSize(1);
    }

    private List<ListTransactionsResponse.TransactionState> list(ListTransactionsRequest request) {
        return driver.shard.list(request, null, driver.nowMs);
    }
}
