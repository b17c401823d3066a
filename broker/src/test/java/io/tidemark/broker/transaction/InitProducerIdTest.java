package io.tidemark.broker.transaction;

import static io.tidemark.broker.transaction.TransactionDriver.ORDERS;
import static io.tidemark.broker.transaction.TransactionDriver.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InitProducerIdTest {
    private final TransactionDriver driver = new TransactionDriver();

    @Test
    void newIdHasANewProducerIdAndEpochZero() {
        ProducerAnswer producer = driver.init();

        assertThat(producer.error()).isEqualTo(ErrorCode.NONE);
        assertThat(producer.producerEpoch()).isZero();
        assertThat(driver.state()).isEqualTo("Empty");
    }

    @Test
    void epochRisesAndFencesWhoHadTheIdBefore() {
        ProducerAnswer first = driver.init();
        ProducerAnswer second = driver.init();

        assertThat(second.producerId()).isEqualTo(first.producerId());
        assertThat(second.producerEpoch()).isEqualTo((short) 1);
        assertThat(driver.add(first, ORDERS)).isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.init(first.producerId(), first.producerEpoch()).error())
                .isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.add(second, ORDERS)).isEqualTo(ErrorCode.NONE);
    }

    @Test
    void producerThatNamesItsEpochGoesOnAndMayRepeatThat() {
        ProducerAnswer first = driver.init();

        ProducerAnswer next = driver.init(first.producerId(), first.producerEpoch());

        assertThat(next.producerEpoch()).isEqualTo((short) 1);
        assertThat(driver.init(first.producerId(), first.producerEpoch()))
                .as("a repeat")
                .isEqualTo(next);
        assertThat(driver.init(first.producerId() + 1, 1).error()).isEqualTo(ErrorCode.PRODUCER_FENCED);
        assertThat(driver.init(first.producerId(), 5).error()).isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    @Test
    void repeatIsNotKnownAfterAFailover() {
        ProducerAnswer first = driver.init();
        driver.init(first.producerId(), first.producerEpoch());

        driver.failOver();

        assertThat(driver.init(first.producerId(), first.producerEpoch()).error())
                .isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    @ParameterizedTest
    @EnumSource(TransactionVersion.class)
    void openTransactionIsAbortedFirstAndEpochBumpedOnceMore(TransactionVersion version) {
        driver.version = version;
        ProducerAnswer first = driver.init();
        driver.add(first, ORDERS);

        assertThat(driver.init().error()).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);

        assertThat(driver.state()).isEqualTo("PrepareAbort");
        assertThat(driver.epoch()).as("fenced").isEqualTo(1);
        assertThat(driver.init().error()).as("until it is done").isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        assertThat(driver.end(first, true).error()).isNotEqualTo(ErrorCode.NONE);
        assertThat(driver.writeMarkers()).singleElement().satisfies(markers -> {
            assertThat(markers.isCommit()).isFalse();
            assertThat(markers.producerEpoch()).isEqualTo((short) 1);
        });
        ProducerAnswer second = driver.init();
        assertThat(second.error()).isEqualTo(ErrorCode.NONE);
        assertThat(second.producerEpoch()).isEqualTo((short) 2);
    }

    @Test
    void exhaustedEpochGivesANewProducerId() {
        ProducerAnswer last = driver.initAtLastEpoch();

        ProducerAnswer next = driver.init();

        assertThat(next.producerId()).isNotEqualTo(last.producerId());
        assertThat(next.producerEpoch()).isZero();
        assertThat(driver.init(last.producerId(), last.producerEpoch() - 1).error())
                .isEqualTo(ErrorCode.PRODUCER_FENCED);
    }

    @Test
    void producerOfTheLastEpochMayRepeatTheChangeOfItsId() {
        ProducerAnswer last = driver.initAtLastEpoch();

        ProducerAnswer next = driver.init(last.producerId(), last.producerEpoch());

        assertThat(next.producerEpoch()).isZero();
        assertThat(driver.init(last.producerId(), last.producerEpoch())).isEqualTo(next);
    }

    @ParameterizedTest
    @EnumSource(TransactionVersion.class)
    void fencingAtTheLastEpochDoesNotOverflow(TransactionVersion version) {
        driver.version = version;
        ProducerAnswer last = driver.initAtLastEpoch();
        driver.add(last, ORDERS);

        assertThat(driver.init().error()).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        assertThat(driver.writeMarkers().get(0).producerEpoch()).isEqualTo(Short.MAX_VALUE);

        ProducerAnswer next = driver.init();
        assertThat(next.error()).isEqualTo(ErrorCode.NONE);
        assertThat(next.producerId()).isNotEqualTo(last.producerId());
        assertThat(next.producerEpoch()).isEqualTo((short) (version == TransactionVersion.V2 ? 1 : 0));
    }

    @Test
    void idInTransitionIsTriedAgain() {
        driver.isHeld = true;
        driver.init();

        assertThat(driver.init().error()).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        assertThat(driver.shard.describe(TransactionDriver.ID).errorCode())
                .as("nothing is committed")
                .isEqualTo(ErrorCode.TRANSACTIONAL_ID_NOT_FOUND.code());
    }

    @ParameterizedTest
    @CsvSource({
        "'',       60000,  false, false, INVALID_REQUEST",
        "payments, 0,      false, false, INVALID_TRANSACTION_TIMEOUT",
        "payments, -1,     false, false, INVALID_TRANSACTION_TIMEOUT",
        "payments, 900000, false, false, NONE",
        "payments, 900001, false, false, INVALID_TRANSACTION_TIMEOUT",
        "payments, 60000,  true,  false, TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
        "payments, 60000,  true,  true,  TRANSACTIONAL_ID_AUTHORIZATION_FAILED",
        "payments, 60000,  false, true,  UNSUPPORTED_VERSION"
    })
    void termsAreChecked(String id, int timeoutMs, boolean twoPhase, boolean keepPrepared, ErrorCode expected) {
        assertThat(TransactionCoordinator.checkTerms(SETTINGS, id, timeoutMs, twoPhase, keepPrepared))
                .isEqualTo(expected);
    }

    @Test
    void twoPhaseCommitHasNoTimeoutWhereItIsEnabled() {
        TransactionSettings enabled = new TransactionSettings(900_000, 1, 1, 1, true);

        assertThat(TransactionCoordinator.checkTerms(enabled, "payments", 0, true, false))
                .isEqualTo(ErrorCode.NONE);
    }
}
