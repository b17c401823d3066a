package io.tidemark.broker;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.tidemark.broker.time.SystemClock;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Three brokers for tests of coordinators: a dead one is found out soon, and the internal topics are small. */
final class QuickCluster {
    private static final Map<String, String> SETTINGS = Map.of(
            "broker.heartbeat.interval.ms", "200",
            "broker.session.timeout.ms", "1000",
            "offsets.topic.num.partitions", "5",
            "transaction.state.log.num.partitions", "5");

    private QuickCluster() {}

    /** @param more settings of its own */
    static LocalCluster start(Path folder, Map<String, String> more) throws Exception {
        Map<String, String> settings = new HashMap<>(SETTINGS);
        settings.putAll(more);
        LocalCluster cluster = new LocalCluster(folder, 3, 0, settings, new SystemEnvironment(new SystemClock(), 42));
        cluster.start().get(20, SECONDS);
        return cluster;
    }
}
