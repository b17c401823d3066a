package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

/** Replication and fetching: names, types, defaults and rules as in Apache Kafka 4.4. */
public final class ReplicationKeys {
    private ReplicationKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("alter.log.dirs.replication.quota.window.num", INT, "11", atLeast(1));
        keys.add("alter.log.dirs.replication.quota.window.size.seconds", INT, "1", atLeast(1));
        keys.add("delete.records.purgatory.purge.interval.requests", INT, "1");
        keys.add("fetch.max.bytes", INT, "57671680", atLeast(1024));
        keys.add("fetch.purgatory.purge.interval.requests", INT, "1000");
        keys.add("max.incremental.fetch.session.cache.slots", INT, "1000", atLeast(0));
        keys.add("num.replica.alter.log.dirs.threads", INT, null);
        keys.add("num.replica.fetchers", INT, "1", atLeast(1));
        keys.add("producer.purgatory.purge.interval.requests", INT, "1000");
        keys.add("replica.fetch.backoff.ms", INT, "1000", atLeast(0));
        keys.add("replica.fetch.max.bytes", INT, "1048576", atLeast(0));
        keys.add("replica.fetch.min.bytes", INT, "1");
        keys.add("replica.fetch.response.max.bytes", INT, "10485760", atLeast(0));
        keys.add("replica.fetch.wait.max.ms", INT, "500");
        keys.add("replica.high.watermark.checkpoint.interval.ms", LONG, "5000");
        keys.add("replica.lag.time.max.ms", LONG, "30000");
        keys.add("replica.selector.class", STRING, null);
        keys.add("replica.socket.receive.buffer.bytes", INT, "65536");
        keys.add("replica.socket.timeout.ms", INT, "30000");
        keys.add("replication.quota.window.num", INT, "11", atLeast(1));
        keys.add("replication.quota.window.size.seconds", INT, "1", atLeast(1));
    }

    /** The rates of replication, which can only be set while a broker runs (KIP-73). */
    public static ConfigDefinition dynamicOnly() {
        ConfigKeys keys = new ConfigKeys();
        keys.add("follower.replication.throttled.rate", LONG, null, atLeast(0));
        keys.add("leader.replication.throttled.rate", LONG, null, atLeast(0));
        keys.add("replica.alter.log.dirs.io.max.bytes.per.second", LONG, null, atLeast(0));
        return keys.toDefinition();
    }
}
