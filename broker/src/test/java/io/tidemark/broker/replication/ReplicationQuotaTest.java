package io.tidemark.broker.replication;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** 11 samples of a second each, as by default; 1,000 bytes a second. */
class ReplicationQuotaTest {
    private final ReplicationQuota quota = new ReplicationQuota(11, 1_000);

    @Test
    void nothingIsTooMuchWithoutALimit() {
        quota.record(Long.MAX_VALUE / 2, 0);

        assertThat(quota.isExceeded(0)).isFalse();
        assertThat(quota.waitMs(0)).isZero();
    }

    @Test
    void oneSecondsWorthMayGoInOneSecond() {
        quota.limit(1_000);

        quota.record(1_000, 0);
        assertThat(quota.isExceeded(0)).isFalse();
        quota.record(1, 0);

        assertThat(quota.isExceeded(0)).isTrue();
    }

    @Test
    void timeBringsTheRateDown() {
        quota.limit(1_000);
        quota.record(5_000, 0);

        assertThat(quota.isExceeded(4_999)).isTrue();
        assertThat(quota.isExceeded(5_000)).isFalse();
    }

    @Test
    void whatIsOlderThanTheWindowIsForgotten() {
        quota.limit(1_000);
        quota.record(1_000_000, 0);

        assertThat(quota.isExceeded(10_999)).isTrue();
        assertThat(quota.isExceeded(11_000)).isFalse();
    }

    @Test
    void tellsHowLongToWait() {
        quota.limit(1_000);
        quota.record(1_200, 0);

        assertThat(quota.waitMs(1_000)).isBetween(200L, 202L);
        assertThat(quota.isExceeded(1_000 + quota.waitMs(1_000))).isFalse();
    }
}
