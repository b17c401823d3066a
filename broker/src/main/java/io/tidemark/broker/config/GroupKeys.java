package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.oneOf;
import static io.tidemark.broker.config.ConfigRule.oneOfIgnoringCase;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.SHORT;
import static io.tidemark.broker.config.ConfigType.STRING;

/** Groups and their coordinator: names, types, defaults and rules as in Apache Kafka 4.4. */
final class GroupKeys {
    private GroupKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("group.consumer.assignment.interval.ms", INT, "1000", atLeast(0));
        keys.add("group.consumer.assignor.offload.enable", BOOLEAN, "true");
        keys.add("group.consumer.assignors", LIST, "uniform,range");
        keys.add("group.consumer.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("group.consumer.max.assignment.interval.ms", INT, "15000", atLeast(0));
        keys.add("group.consumer.max.heartbeat.interval.ms", INT, "15000", atLeast(1));
        keys.add("group.consumer.max.session.timeout.ms", INT, "60000", atLeast(1));
        keys.add("group.consumer.max.size", INT, "2147483647", atLeast(1));
        keys.add(
                "group.consumer.migration.policy",
                STRING,
                "bidirectional",
                oneOfIgnoringCase("DISABLED", "DOWNGRADE", "UPGRADE", "BIDIRECTIONAL"));
        keys.add("group.consumer.min.assignment.interval.ms", INT, "0", atLeast(0));
        keys.add("group.consumer.min.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("group.consumer.min.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("group.consumer.regex.refresh.interval.ms", INT, "600000", atLeast(10000));
        keys.add("group.consumer.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("group.coordinator.append.linger.ms", INT, "-1", atLeast(-1));
        keys.add("group.coordinator.background.threads", INT, "2", atLeast(1));
        keys.add("group.coordinator.cached.buffer.max.bytes", INT, "1048588", atLeast(524288));
        keys.add(
                "group.coordinator.rebalance.protocols",
                LIST,
                "classic,consumer,streams",
                oneOf("consumer", "classic", "share", "streams"));
        keys.add("group.coordinator.threads", INT, "4", atLeast(1));
        keys.add("group.initial.rebalance.delay.ms", INT, "3000");
        keys.add("group.max.session.timeout.ms", INT, "1800000");
        keys.add("group.max.size", INT, "2147483647", atLeast(1));
        keys.add("group.min.session.timeout.ms", INT, "6000");
        keys.add("offset.metadata.max.bytes", INT, "4096");
        keys.add("offsets.commit.timeout.ms", INT, "5000", atLeast(1));
        keys.add("offsets.load.buffer.size", INT, "5242880", atLeast(1));
        keys.add("offsets.retention.check.interval.ms", LONG, "600000", atLeast(1));
        keys.add("offsets.retention.minutes", INT, "10080", atLeast(1));
        keys.add("offsets.topic.compression.codec", INT, "0");
        keys.add("offsets.topic.num.partitions", INT, "50", atLeast(1));
        keys.add("offsets.topic.replication.factor", SHORT, "3", atLeast(1));
        keys.add("offsets.topic.segment.bytes", INT, "104857600", atLeast(1));
    }
}
