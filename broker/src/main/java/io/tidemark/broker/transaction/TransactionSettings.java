package io.tidemark.broker.transaction;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;

/**
 * What the transaction coordinator is configured with.
 *
 * @param maxTimeoutMs {@code transaction.max.timeout.ms}
 * @param idExpirationMs {@code transactional.id.expiration.ms}
 * @param abortIntervalMs {@code transaction.abort.timed.out.transaction.cleanup.interval.ms}
 * @param expiryIntervalMs {@code transaction.remove.expired.transaction.cleanup.interval.ms}
 * @param isTwoPhaseCommitEnabled {@code transaction.two.phase.commit.enable}
 */
public record TransactionSettings(
        int maxTimeoutMs,
        long idExpirationMs,
        long abortIntervalMs,
        long expiryIntervalMs,
        boolean isTwoPhaseCommitEnabled) {
    public static TransactionSettings of(ConfigValues values) {
        return new TransactionSettings(
                values.intValue(BrokerConfigs.TRANSACTION_MAX_TIMEOUT_MS),
                values.longValue(BrokerConfigs.TRANSACTIONAL_ID_EXPIRATION_MS),
                values.longValue(BrokerConfigs.TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS),
                values.longValue(BrokerConfigs.TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS),
                values.booleanValue(BrokerConfigs.TRANSACTION_TWO_PHASE_COMMIT_ENABLE));
    }
}
