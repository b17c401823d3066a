package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactional ids as Kafka's own producers and admin client see them. */
@Timeout(60)
class TransactionalIdIT {
    @TempDir
    Path folder;

    private LocalCluster cluster;
    private Admin admin;

    @BeforeEach
    void startCluster() throws Exception {
        cluster = QuickCluster.start(folder, Map.of());
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
    }

    @AfterEach
    void stopCluster() throws Exception {
        admin.close();
        cluster.close();
    }

    @Test
    void epochRisesEachTimeAnIdIsInitialized() throws Exception {
        initialize("payments");
        assertThat(describe("payments").producerEpoch()).isZero();

        initialize("payments");

        TransactionDescription described = describe("payments");
        assertThat(described.producerEpoch()).isEqualTo(1);
        assertThat(described.state()).isEqualTo(TransactionState.EMPTY);
        assertThat(described.transactionTimeoutMs()).isEqualTo(7_000);
        assertThat(described.topicPartitions()).isEmpty();
    }

    @Test
    void idsAreListedByStateProducerAndPattern() throws Exception {
        initialize("payments-1");
        initialize("refunds-1");

        assertThat(list(new ListTransactionsOptions())).containsExactly("payments-1", "refunds-1");
        assertThat(list(new ListTransactionsOptions().filterStates(List.of(TransactionState.ONGOING))))
                .isEmpty();
        assertThat(list(new ListTransactionsOptions().filterOnTransactionalIdPattern("pay.*")))
                .containsExactly("payments-1");
        long producerId = describe("refunds-1").producerId();
        assertThat(list(new ListTransactionsOptions().filterProducerIds(List.of(producerId))))
                .containsExactly("refunds-1");
    }

    private void initialize(String transactionalId) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "transactional.id",
                transactionalId,
                "transaction.timeout.ms",
                "7000");
        try (Producer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
        }
    }

    private TransactionDescription describe(String transactionalId) throws Exception {
        return admin.describeTransactions(List.of(transactionalId))
                .description(transactionalId)
                .get(10, SECONDS);
    }

    private List<String> list(ListTransactionsOptions options) throws Exception {
        return admin.listTransactions(options).all().get(10, SECONDS).stream()
                .map(listing -> listing.transactionalId())
                .sorted()
                .toList();
    }
}
