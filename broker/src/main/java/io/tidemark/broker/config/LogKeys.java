package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.between;
import static io.tidemark.broker.config.ConfigRule.betweenReal;
import static io.tidemark.broker.config.ConfigRule.oneOf;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.CLASS;
import static io.tidemark.broker.config.ConfigType.DOUBLE;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

/** The log, and the defaults of topics: names, types, defaults and rules as in Apache Kafka 4.4. */
final class LogKeys {
    private LogKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("auto.create.topics.enable", BOOLEAN, "true");
        keys.add("compression.gzip.level", INT, "-1", between(-1, 9));
        keys.add("compression.lz4.level", INT, "9", between(1, 17));
        keys.add(
                "compression.type",
                STRING,
                "producer",
                oneOf("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"));
        keys.add("compression.zstd.level", INT, "3", between(-131072, 22));
        keys.add("cordoned.log.dirs", LIST, "");
        keys.add("create.topic.policy.class.name", CLASS, null);
        keys.add("default.replication.factor", INT, "1");
        keys.add("delete.topic.enable", BOOLEAN, "true");
        keys.add("early.start.listeners", LIST, null);
        keys.add("log.cleaner.backoff.ms", LONG, "15000", atLeast(0));
        keys.add("log.cleaner.dedupe.buffer.size", LONG, "134217728");
        keys.add("log.cleaner.delete.retention.ms", LONG, "86400000", atLeast(0));
        keys.add("log.cleaner.enable", BOOLEAN, "true");
        keys.add("log.cleaner.io.buffer.load.factor", DOUBLE, "0.9");
        keys.add("log.cleaner.io.buffer.size", INT, "524288", atLeast(0));
        keys.add("log.cleaner.io.max.bytes.per.second", DOUBLE, "1.7976931348623157E308");
        keys.add("log.cleaner.max.compaction.lag.ms", LONG, "9223372036854775807", atLeast(1));
        keys.add("log.cleaner.min.cleanable.ratio", DOUBLE, "0.5", betweenReal(0, 1));
        keys.add("log.cleaner.min.compaction.lag.ms", LONG, "0", atLeast(0));
        keys.add("log.cleaner.threads", INT, "1", atLeast(0));
        keys.add("log.cleanup.policy", LIST, "delete", oneOf("compact", "delete"));
        keys.add("log.dir", LIST, "/tmp/kafka-logs");
        keys.add("log.dir.failure.timeout.ms", LONG, "30000", atLeast(1));
        keys.add("log.dirs", LIST, null);
        keys.add("log.flush.interval.messages", LONG, "9223372036854775807", atLeast(1));
        keys.add("log.flush.interval.ms", LONG, null);
        keys.add("log.flush.offset.checkpoint.interval.ms", INT, "60000", atLeast(0));
        keys.add("log.flush.scheduler.interval.ms", LONG, "9223372036854775807");
        keys.add("log.flush.start.offset.checkpoint.interval.ms", INT, "60000", atLeast(0));
        keys.add("log.index.interval.bytes", INT, "4096", atLeast(0));
        keys.add("log.index.size.max.bytes", INT, "10485760", atLeast(4));
        keys.add("log.initial.task.delay.ms", LONG, "30000", atLeast(0));
        keys.add("log.message.timestamp.after.max.ms", LONG, "3600000", atLeast(0));
        keys.add("log.message.timestamp.before.max.ms", LONG, "9223372036854775807", atLeast(0));
        keys.add("log.message.timestamp.type", STRING, "CreateTime", oneOf("CreateTime", "LogAppendTime"));
        keys.add("log.preallocate", BOOLEAN, "false");
        keys.add("log.retention.bytes", LONG, "-1");
        keys.add("log.retention.check.interval.ms", LONG, "300000", atLeast(1));
        keys.add("log.retention.hours", INT, "168");
        keys.add("log.retention.minutes", INT, null);
        keys.add("log.retention.ms", LONG, null);
        keys.add("log.roll.hours", INT, "168", atLeast(1));
        keys.add("log.roll.jitter.hours", INT, "0", atLeast(0));
        keys.add("log.roll.jitter.ms", LONG, null);
        keys.add("log.roll.ms", LONG, null);
        keys.add("log.segment.bytes", INT, "1073741824", atLeast(1048576));
        keys.add("log.segment.delete.delay.ms", LONG, "60000", atLeast(0));
        keys.add("max.decompressed.message.bytes", INT, "2147483639", between(1, 2147483639));
        keys.add("max.request.partition.size.limit", INT, "2000", atLeast(1));
        keys.add("message.max.bytes", INT, "1048588", atLeast(0));
        keys.add("min.insync.replicas", INT, "1", atLeast(1));
        keys.add("num.partitions", INT, "1", atLeast(1));
        keys.add("num.recovery.threads.per.data.dir", INT, "2", atLeast(1));
    }
}
