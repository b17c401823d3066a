package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.betweenReal;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.DOUBLE;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

/** Tiered storage: names, types, defaults and rules as in Apache Kafka 4.4. */
final class RemoteStorageKeys {
    private RemoteStorageKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("follower.fetch.last.tiered.offset.enable", BOOLEAN, "false");
        keys.add("log.local.retention.bytes", LONG, "-2", atLeast(-2));
        keys.add("log.local.retention.ms", LONG, "-2", atLeast(-2));
        keys.add("log.remote.copy.lag.bytes", LONG, "-1", atLeast(-1));
        keys.add("log.remote.copy.lag.ms", LONG, "0", atLeast(-1));
        keys.add("remote.fetch.max.wait.ms", INT, "500", atLeast(1));
        keys.add("remote.list.offsets.request.timeout.ms", LONG, "30000", atLeast(1));
        keys.add("remote.log.index.file.cache.total.size.bytes", LONG, "1073741824", atLeast(1));
        keys.add("remote.log.index.file.cache.ttl.ms", LONG, "900000", atLeast(-1));
        keys.add("remote.log.manager.copier.thread.pool.size", INT, "10", atLeast(1));
        keys.add("remote.log.manager.copy.max.bytes.per.second", LONG, "9223372036854775807", atLeast(1));
        keys.add("remote.log.manager.copy.quota.window.num", INT, "11", atLeast(1));
        keys.add("remote.log.manager.copy.quota.window.size.seconds", INT, "1", atLeast(1));
        keys.add("remote.log.manager.expiration.thread.pool.size", INT, "10", atLeast(1));
        keys.add("remote.log.manager.fetch.max.bytes.per.second", LONG, "9223372036854775807", atLeast(1));
        keys.add("remote.log.manager.fetch.quota.window.num", INT, "11", atLeast(1));
        keys.add("remote.log.manager.fetch.quota.window.size.seconds", INT, "1", atLeast(1));
        keys.add("remote.log.manager.follower.thread.pool.size", INT, "2", atLeast(1));
        keys.add("remote.log.manager.task.interval.ms", LONG, "30000", atLeast(1));
        keys.add("remote.log.manager.task.retry.backoff.max.ms", LONG, "30000", atLeast(1));
        keys.add("remote.log.manager.task.retry.backoff.ms", LONG, "500", atLeast(1));
        keys.add("remote.log.manager.task.retry.jitter", DOUBLE, "0.2", betweenReal(0, 0.5));
        keys.add("remote.log.manager.thread.pool.size", INT, "2", atLeast(1));
        keys.add("remote.log.metadata.custom.metadata.max.bytes", INT, "128", atLeast(0));
        keys.add(
                "remote.log.metadata.manager.class.name",
                STRING,
                "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager");
        keys.add("remote.log.metadata.manager.class.path", STRING, null);
        keys.add("remote.log.metadata.manager.impl.prefix", STRING, "rlmm.config.");
        keys.add("remote.log.metadata.manager.listener.name", STRING, null);
        keys.add("remote.log.reader.max.pending.tasks", INT, "100", atLeast(1));
        keys.add("remote.log.reader.threads", INT, "10", atLeast(1));
        keys.add("remote.log.storage.manager.class.name", STRING, null);
        keys.add("remote.log.storage.manager.class.path", STRING, null);
        keys.add("remote.log.storage.manager.impl.prefix", STRING, "rsm.config.");
        keys.add("remote.log.storage.system.enable", BOOLEAN, "false");
    }
}
