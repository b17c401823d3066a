package io.tidemark.broker.simulation;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * What a seed draws for transactions: none in most runs. It has a source of randomness of its own, so that the runs
 * without transactions do not depend on what is drawn here.
 */
final class TransactionOptions {
    static final String STATE_TOPIC = "__transaction_state";
    static final String OFFSETS_TOPIC = "__consumer_offsets";

    /** Any number: the source must not be the one of the rest of the run. */
    private static final long SALT = 4_918L << 32;

    private static final int ONE_RUN_IN = 4;

    /** The level of {@code transaction.version}; version 1 differs from 0 only in how the log is written. */
    final int version;

    /** How many transactional ids there are. */
    final int ids;

    final int timeoutMs;
    final int thinkMs;
    final int statePartitions;
    final int stateMinIsr;
    final int offsetsPartitions;
    final double commitShare;

    /** In how many of a hundred transactions the client is gone before the end, and never comes back to it. */
    final int abandonedPercent;

    /** How often another instance takes over an id while the one before still works; 0 for never. */
    final int rivalEveryMs;

    /** When all brokers are killed at once; 0 for never. */
    final int blackoutAtMs;

    private TransactionOptions(SplittableRandom random) {
        version = random.nextInt(5) < 3 ? 2 : random.nextInt(2);
        ids = random.nextInt(1, 4);
        timeoutMs = random.nextInt(1_200, 6_000);
        thinkMs = random.nextInt(5, 200);
        statePartitions = random.nextInt(1, 4);
        stateMinIsr = random.nextInt(4) == 0 ? 1 : 2;
        offsetsPartitions = random.nextInt(1, 3);
        commitShare = random.nextInt(4) == 0 ? 0.3 : 0.8;
        abandonedPercent = random.nextInt(2) == 0 ? 0 : random.nextInt(1, 15);
        rivalEveryMs = random.nextInt(3) == 0 ? 0 : random.nextInt(800, 4_000);
        blackoutAtMs = random.nextInt(3) == 0 ? random.nextInt(1_500, 7_000) : 0;
    }

    /** Whether the run of a seed has transactions. */
    static boolean isDrawn(long seed) {
        return source(seed).nextInt(ONE_RUN_IN) == 0;
    }

    /** The first seed whose run has transactions. */
    static long firstDrawn() {
        long seed = 1;
        while (!isDrawn(seed)) {
            seed++;
        }
        return seed;
    }

    /** Only where they {@link #isDrawn}. */
    static TransactionOptions draw(long seed) {
        return new TransactionOptions(source(seed).split());
    }

    private static SplittableRandom source(long seed) {
        return new SplittableRandom(seed ^ SALT);
    }

    boolean hasImplicitPartitions() {
        return version == 2;
    }

    /** What the brokers are to be told. */
    Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        properties.put("cluster.features", "transaction.version=" + version);
        properties.put("transaction.state.log.num.partitions", Integer.toString(statePartitions));
        properties.put("transaction.state.log.min.isr", Integer.toString(stateMinIsr));
        properties.put("transaction.state.log.load.buffer.size", "600");
        properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "400");
        properties.put("offsets.topic.num.partitions", Integer.toString(offsetsPartitions));
        properties.put("request.timeout.ms", "3000");
        return properties;
    }

    @Override
    public String toString() {
        return "transactions of version " + version + ", " + ids + " ids, timeout " + timeoutMs + " ms, one every "
                + thinkMs + " ms or so, " + commitShare + " of them committed, " + abandonedPercent
                + " in a hundred abandoned, another instance every " + rivalEveryMs + " ms, blackout at " + blackoutAtMs
                + " ms; state on " + statePartitions
                + " partitions with min.insync.replicas " + stateMinIsr + ", offsets on " + offsetsPartitions;
    }
}
