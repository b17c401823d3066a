package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.oneOf;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

/**
 * The configs of a group: names, types, defaults and rules as in Apache Kafka 4.4. They are for groups of the newer
 * protocols; a classic group has no use for any of them, and they may be set for it all the same.
 */
public final class GroupConfigs {
    /** All keys. */
    public static final ConfigDefinition DEFINITION = define();

    private GroupConfigs() {}

    private static ConfigDefinition define() {
        ConfigKeys keys = new ConfigKeys();
        keys.add("consumer.assignment.interval.ms", INT, "1000", atLeast(0));
        keys.add("consumer.assignor.offload.enable", BOOLEAN, "true");
        keys.add("consumer.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("consumer.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("errors.deadletterqueue.copy.record.enable", BOOLEAN, "false");
        keys.add("errors.deadletterqueue.topic.name", STRING, "");
        keys.add("share.assignment.interval.ms", INT, "1000", atLeast(0));
        keys.add("share.assignor.offload.enable", BOOLEAN, "true");
        keys.add("share.auto.offset.reset", STRING, "latest");
        keys.add("share.delivery.count.limit", INT, "5", atLeast(2));
        keys.add("share.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("share.isolation.level", STRING, "read_uncommitted", oneOf("read_committed", "read_uncommitted"));
        keys.add("share.partition.max.record.locks", INT, "2000", atLeast(100));
        keys.add("share.record.lock.duration.ms", INT, "30000", atLeast(1000));
        keys.add("share.renew.acknowledge.enable", BOOLEAN, "true");
        keys.add("share.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("streams.acceptable.recovery.lag", LONG, "10000", atLeast(0));
        keys.add("streams.assignment.interval.ms", INT, "1000", atLeast(0));
        keys.add("streams.assignor.name", STRING, null);
        keys.add("streams.assignor.offload.enable", BOOLEAN, "true");
        keys.add("streams.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("streams.initial.rebalance.delay.ms", INT, "3000", atLeast(0));
        keys.add("streams.num.standby.replicas", INT, "0", atLeast(0));
        keys.add("streams.num.warmup.replicas", INT, "2", atLeast(0));
        keys.add("streams.rack.aware.assignment.tags", LIST, "");
        keys.add("streams.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("streams.task.offset.interval.ms", INT, "60000", atLeast(1));
        return keys.toDefinition();
    }
}
