package io.tidemark.broker.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.TopicPartition;
import org.junit.jupiter.api.Test;

/** What was reported of transaction coordinators by users of many clients. */
class ReportedTransactionsTest {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    private final TransactionDriver driver = new TransactionDriver();

    // KAFKA-18401
    @Test
    void aCommitOfNothingThatIsSentAllTheSameIsRefusedOnVersion2() {
        driver.version = TransactionVersion.V2;
        ProducerAnswer producer = driver.init();

        assertThat(driver.end(producer, true).error()).isEqualTo(ErrorCode.INVALID_TXN_STATE);
        assertThat(driver.end(producer, false).error()).isEqualTo(ErrorCode.NONE);
    }

    // KAFKA-17754
    @Test
    void anEndThatIsLateForItsTransactionDoesNotEndTheNextOneOnVersion2() {
        driver.version = TransactionVersion.V2;
        ProducerAnswer first = driver.init();
        ProducerAnswer second = driver.transaction(first, true);
        driver.add(second, ORDERS);

        assertThat(driver.end(first, false).error()).isNotEqualTo(ErrorCode.NONE);
        assertThat(driver.state()).isEqualTo("Ongoing");
    }

    /** A known anomaly of the protocol, for which version 2 was made: the epoch of both transactions is the same. */
    // KAFKA-17754
    @Test
    void anEndThatIsLateForItsTransactionEndsTheNextOneOnVersion1() {
        driver.version = TransactionVersion.V1;
        ProducerAnswer producer = driver.init();
        driver.transaction(producer, true);
        driver.add(producer, ORDERS);

        assertThat(driver.end(producer, false).error()).isEqualTo(ErrorCode.NONE);
        assertThat(driver.state()).isEqualTo("PrepareAbort");
    }

    // spring-kafka#1408
    @Test
    void ofTwoProducersThatRaceForOneIdTheLaterOneWorks() {
        ProducerAnswer first = driver.init();
        ProducerAnswer second = driver.init();

        assertThat(second.producerEpoch()).isGreaterThan(first.producerEpoch());
        assertThat(driver.add(first, ORDERS)).isNotEqualTo(ErrorCode.NONE);
        assertThat(driver.add(second, ORDERS)).isEqualTo(ErrorCode.NONE);
        assertThat(driver.end(first, true).error()).isNotEqualTo(ErrorCode.NONE);
        assertThat(driver.end(second, true).error()).isEqualTo(ErrorCode.NONE);
    }

    // KAFKA-19367
    @Test
    void anInitAtTheLastEpochOverAnOpenTransactionDoesNotOverflow() {
        ProducerAnswer last = driver.initAtLastEpoch();
        driver.add(last, ORDERS);

        assertThat(driver.init().error()).isEqualTo(ErrorCode.CONCURRENT_TRANSACTIONS);
        driver.writeMarkers();
        ProducerAnswer next = driver.init();

        assertThat(next.error()).isEqualTo(ErrorCode.NONE);
        assertThat(next.producerId()).isNotEqualTo(last.producerId());
        assertThat(next.producerEpoch()).isNotNegative();
    }
}
