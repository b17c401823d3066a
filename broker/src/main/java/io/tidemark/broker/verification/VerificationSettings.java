package io.tidemark.broker.verification;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;

/**
 * @param isEnabled {@code transaction.partition.verification.enable}; does not hold for transactions version 2, where the
 *     question adds the partitions
 * @param retryBackoffMs {@code add.partitions.to.txn.retry.backoff.ms}
 * @param retryMaxMs {@code add.partitions.to.txn.retry.backoff.max.ms}: how long a producer is kept waiting for the end
 *     of its transaction before, instead of being sent back
 */
public record VerificationSettings(boolean isEnabled, long retryBackoffMs, long retryMaxMs) {
    public static VerificationSettings of(ConfigValues values) {
        return new VerificationSettings(
                values.booleanValue("transaction.partition.verification.enable"),
                values.intValue("add.partitions.to.txn.retry.backoff.ms"),
                Math.min(
                        values.intValue("add.partitions.to.txn.retry.backoff.max.ms"),
                        values.intValue(BrokerConfigs.REQUEST_TIMEOUT_MS)));
    }

    public boolean asks(TransactionSupport support) {
        return isEnabled || support.addsPartitions();
    }
}
