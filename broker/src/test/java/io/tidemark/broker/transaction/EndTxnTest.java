package io.tidemark.broker.transaction;

import static io.tidemark.broker.transaction.TransactionDriver.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** EndTxn, above all what it says when there is nothing to end. */
class EndTxnTest {
    private final TransactionDriver driver = new TransactionDriver();

    /** The table of KIP-890: a retry has the epoch of before, a new request the present one. */
    @ParameterizedTest(name = "{0}, {1}, {2}: {3}")
    @CsvSource({
        "Empty,          abort,  retry,   PRODUCER_FENCED",
        "Empty,          abort,  current, BUMPED",
        "Empty,          commit, retry,   PRODUCER_FENCED",
        "Empty,          commit, current, INVALID_TXN_STATE",
        "CompleteAbort,  abort,  retry,   NONE",
        "CompleteAbort,  abort,  current, BUMPED",
        "CompleteAbort,  commit, retry,   INVALID_TXN_STATE",
        "CompleteAbort,  commit, current, INVALID_TXN_STATE",
        "CompleteCommit, abort,  retry,   INVALID_TXN_STATE",
        "CompleteCommit, abort,  current, BUMPED",
        "CompleteCommit, commit, retry,   NONE",
        "CompleteCommit, commit, current, INVALID_TXN_STATE"
    })
    void versionTwoTellsARetryByItsEpoch(String state, String result, String epoch, String expected) {
        ProducerAnswer producer = producerIn(state);
        int sent = producer.producerEpoch() - (epoch.equals("retry") ? 1 : 0);

        ProducerAnswer answer = driver.end(producer.producerId(), sent, result.equals("commit"));

        if (expected.equals("BUMPED")) {
            assertThat(answer.error()).isEqualTo(ErrorCode.NONE);
            assertThat(answer.producerEpoch()).isEqualTo((short) (producer.producerEpoch() + 1));
            assertThat(driver.state()).isEqualTo("PrepareAbort");
            driver.writeMarkers();
            assertThat(driver.state()).isEqualTo("CompleteAbort");
        } else {
            assertThat(answer.error().name()).isEqualTo(expected);
            assertThat(driver.state()).isEqualTo(state);
            assertThat(driver.epoch()).isEqualTo(producer.producerEpoch());
            if (expected.equals("NONE")) {
                assertThat(answer.producerEpoch()).isEqualTo(producer.producerEpoch());
            }
        }
    }

    @ParameterizedTest(name = "{0}, {1}: {2}")
    @CsvSource({
        "Empty,          abort,  INVALID_TXN_STATE",
        "Empty,          commit, INVALID_TXN_STATE",
        "CompleteAbort,  abort,  NONE",
        "CompleteAbort,  commit, INVALID_TXN_STATE",
        "CompleteCommit, abort,  INVALID_TXN_STATE",
        "CompleteCommit, commit, NONE"
    })
    void versionOneTellsARetryByTheStateAndFencesAnyOtherEpoch(String state, String result, ErrorCode expected) {
        driver.version = TransactionVersion.V1;
        ProducerAnswer producer = producerIn(state);
        boolean commit = result.equals("commit");

        assertThat(driver.end(producer, commit).error()).isEqualTo(expected);

        assertThat(driver.end(producer.producerId(), producer.producerEpoch() - 1, commit)
                        .error())
                .isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.end(producer.producerId(), producer.producerEpoch() + 1, commit)
                        .error())
                .isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.state()).isEqualTo(state);
    }

    /** A producer with an epoch that has one before it. */
    private ProducerAnswer producerIn(String state) {
        driver.init();
        ProducerAnswer producer = driver.init();
        return switch (state) {
            case "CompleteCommit" -> driver.transaction(producer, true);
            case "CompleteAbort" -> driver.transaction(producer, false);
            default -> producer;
        };
    }

    @Test
    void unknownIdOtherProducerIdAndOtherEpochAreTold() {
        assertThat(driver.end(5, 0, true).error()).isEqualTo(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);

        assertThat(driver.end(producer.producerId() + 1, 0, true).error())
                .isEqualTo(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        assertThat(driver.end(producer.producerId(), 1, true).error()).isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.state()).isEqualTo("Ongoing");
    }

    @Test
    void emptyIdIsRefused() {
        EndTxn nameless = new EndTxn("", 1, (short) 0, true, TransactionVersion.V2);

        assertThat(driver.take(driver.shard.end(nameless, -1, 0)).error()).isEqualTo(ErrorCode.INVALID_REQUEST);
    }

    @Test
    void busyIdIsTriedAgainWhateverTheEpochOnVersionTwo() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        driver.end(producer, true);

        for (int epoch = 0; epoch <= 3; epoch++) {
            assertThat(driver.end(producer.producerId(), epoch, true).error())
                    .isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
            assertThat(driver.end(producer.producerId() + 1, epoch, false).error())
                    .isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        }
    }

    @Test
    void busyIdIsTriedAgainByItsProducerAloneOnVersionOne() {
        driver.version = TransactionVersion.V1;
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        driver.end(producer, true);

        assertThat(driver.end(producer, true).error()).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        assertThat(driver.end(producer.producerId() + 1, 0, true).error())
                .isEqualTo(ErrorCode.INVALID_PRODUCER_ID_MAPPING);
        assertThat(driver.end(producer.producerId(), 1, true).error()).isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    @Test
    void epochRisesAtEachEndOnVersionTwoAndStaysOnVersionOne() {
        ProducerAnswer producer = driver.init();
        for (int epoch = 0; epoch < 5; epoch++) {
            assertThat(producer.producerEpoch()).isEqualTo((short) epoch);
            producer = driver.transaction(producer, epoch % 2 == 0);
        }

        TransactionDriver older = new TransactionDriver();
        older.version = TransactionVersion.V1;
        ProducerAnswer first = older.init();
        older.transaction(first, true);
        older.transaction(first, false);
        assertThat(older.epoch()).isEqualTo(first.producerEpoch());
    }

    @Test
    void lastEpochOfAProducerIdIsFollowedByAnotherId() {
        ProducerAnswer producer = driver.initAtLastEpoch();
        driver.add(producer, ORDERS);

        ProducerAnswer ended = driver.end(producer, true);

        assertThat(ended.producerEpoch()).isZero();
        assertThat(ended.producerId()).isNotEqualTo(producer.producerId());
        TransactionEffect.SendMarkers markers = driver.writeMarkers().get(0);
        assertThat(markers.producerId()).as("the markers end the old id's").isEqualTo(producer.producerId());
        assertThat(markers.producerEpoch()).isEqualTo(Short.MAX_VALUE);
        assertThat(driver.end(producer, true)).as("a retry of it").isEqualTo(ended);
        assertThat(driver.add(ended, ORDERS)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void nothingIsCompleteBeforeItsMarkersAreWritten() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        driver.end(producer, true);

        TransactionEffect.SendMarkers markers = driver.markers().get(0);

        assertThat(driver.state()).isEqualTo("PrepareCommit");
        assertThat(markers.isCommit()).isTrue();
        assertThat(markers.partitions()).containsExactly(ORDERS);
        assertThat(markers.producerEpoch()).as("the epoch of after").isEqualTo((short) 1);
        assertThat(driver.take(driver.shard.complete(markers, driver.nowMs))).isTrue();
        assertThat(driver.state()).isEqualTo("CompleteCommit");
        assertThat(driver.take(driver.shard.complete(markers, driver.nowMs)))
                .as("told twice")
                .isFalse();
    }

    @Test
    void markersAreAskedForOnlyWhenTheEndIsCommitted() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        driver.isHeld = true;
        driver.end(producer, false);

        assertThat(driver.markers()).isEmpty();
        driver.commit();

        assertThat(driver.markers()).hasSize(1);
        assertThat(driver.markers()).as("asked once").isEmpty();
    }

    @Test
    void newCoordinatorAsksForTheMarkersAgain() {
        ProducerAnswer producer = driver.init();
        driver.add(producer, ORDERS);
        driver.end(producer, true);
        TransactionEffect.SendMarkers lost = driver.markers().get(0);

        driver.failOver();

        assertThat(driver.writeMarkers()).containsExactly(lost);
        assertThat(driver.state()).isEqualTo("CompleteCommit");
        driver.failOver();
        assertThat(driver.markers()).as("complete is complete").isEmpty();
    }
}
