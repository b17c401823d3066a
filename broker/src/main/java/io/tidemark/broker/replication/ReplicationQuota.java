package io.tidemark.broker.replication;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The bytes that throttled replication may take in a second (KIP-73): a rate over a sliding window of samples. Times
 * are of the monotonic clock.
 */
final class ReplicationQuota {
    static final long UNLIMITED = Long.MAX_VALUE;

    private final int samples;
    private final long sampleMs;
    private final Deque<Sample> window = new ArrayDeque<>();
    private long bytesPerSecond = UNLIMITED;

    /**
     * @param samples {@code replication.quota.window.num}
     * @param sampleMs {@code replication.quota.window.size.seconds}
     */
    ReplicationQuota(int samples, long sampleMs) {
        this.samples = samples;
        this.sampleMs = sampleMs;
    }

    private static final class Sample {
        private final long startMs;
        private long bytes;

        private Sample(long startMs) {
            this.startMs = startMs;
        }
    }

    void limit(long newBytesPerSecond) {
        bytesPerSecond = newBytesPerSecond;
    }

    void record(long bytes, long nowMs) {
        Sample last = window.peekLast();
        if (last == null || nowMs >= last.startMs + sampleMs) {
            last = new Sample(nowMs);
            window.addLast(last);
        }
        last.bytes += bytes;
    }

    boolean isExceeded(long nowMs) {
        return bytesPerSecond != UNLIMITED && excessBytes(nowMs) > 0;
    }

    /** How long to wait until the rate is within the limit, if nothing is added; 0 where it is. */
    long waitMs(long nowMs) {
        if (!isExceeded(nowMs)) {
            return 0;
        }
        // The window grows with time until its samples fall out of it.
        long neededMs = bytesPerSecond <= 0 ? sampleMs : bytes() * 1_000 / bytesPerSecond + 1 - elapsedMs(nowMs);
        return Math.max(1, Math.min(neededMs, sampleMs));
    }

    private long excessBytes(long nowMs) {
        while (!window.isEmpty() && window.getFirst().startMs <= nowMs - samples * sampleMs) {
            window.removeFirst();
        }
        return window.isEmpty() ? 0 : bytes() - bytesPerSecond * elapsedMs(nowMs) / 1_000;
    }

    private long elapsedMs(long nowMs) {
        Sample first = window.peekFirst();
        return first == null ? sampleMs : Math.max(sampleMs, nowMs - first.startMs);
    }

    private long bytes() {
        long bytes = 0;
        for (Sample sample : window) {
            bytes += sample.bytes;
        }
        return bytes;
    }
}
