package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.SHORT;

/** Transactions and idempotent producers: names, types, defaults and rules as in Apache Kafka 4.4. */
final class TransactionKeys {
    private TransactionKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("add.partitions.to.txn.retry.backoff.max.ms", INT, "100", atLeast(0));
        keys.add("add.partitions.to.txn.retry.backoff.ms", INT, "20", atLeast(1));
        keys.add("producer.id.expiration.check.interval.ms", INT, "600000", atLeast(1));
        keys.add("producer.id.expiration.ms", INT, "86400000", atLeast(1));
        keys.add("transaction.abort.timed.out.transaction.cleanup.interval.ms", INT, "10000", atLeast(1));
        keys.add("transaction.max.timeout.ms", INT, "900000", atLeast(1));
        keys.add("transaction.partition.verification.enable", BOOLEAN, "true");
        keys.add("transaction.remove.expired.transaction.cleanup.interval.ms", INT, "3600000", atLeast(1));
        keys.add("transaction.state.log.load.buffer.size", INT, "5242880", atLeast(1));
        keys.add("transaction.state.log.min.isr", INT, "2", atLeast(1));
        keys.add("transaction.state.log.num.partitions", INT, "50", atLeast(1));
        keys.add("transaction.state.log.replication.factor", SHORT, "3", atLeast(1));
        keys.add("transaction.state.log.segment.bytes", INT, "104857600", atLeast(1));
        keys.add("transaction.two.phase.commit.enable", BOOLEAN, "false");
        keys.add("transactional.id.expiration.ms", INT, "604800000", atLeast(1));
    }
}
