package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.CLASS;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;

/** Streams groups: names, types, defaults and rules as in Apache Kafka 4.4. */
final class StreamsGroupKeys {
    private StreamsGroupKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("group.streams.acceptable.recovery.lag", LONG, "10000", atLeast(0));
        keys.add("group.streams.assignment.interval.ms", INT, "1000", atLeast(0));
        keys.add("group.streams.assignor.offload.enable", BOOLEAN, "true");
        keys.add("group.streams.assignors", LIST, "sticky");
        keys.add("group.streams.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("group.streams.initial.rebalance.delay.ms", INT, "3000", atLeast(0));
        keys.add("group.streams.max.assignment.interval.ms", INT, "15000", atLeast(0));
        keys.add("group.streams.max.heartbeat.interval.ms", INT, "15000", atLeast(1));
        keys.add("group.streams.max.session.timeout.ms", INT, "60000", atLeast(1));
        keys.add("group.streams.max.size", INT, "2147483647", atLeast(1));
        keys.add("group.streams.max.standby.replicas", INT, "2", atLeast(0));
        keys.add("group.streams.max.warmup.replicas", INT, "20", atLeast(0));
        keys.add("group.streams.min.assignment.interval.ms", INT, "0", atLeast(0));
        keys.add("group.streams.min.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("group.streams.min.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("group.streams.min.task.offset.interval.ms", INT, "15000", atLeast(1));
        keys.add("group.streams.num.standby.replicas", INT, "0", atLeast(0));
        keys.add("group.streams.num.warmup.replicas", INT, "2", atLeast(0));
        keys.add("group.streams.rack.aware.assignment.tags", LIST, "");
        keys.add("group.streams.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("group.streams.task.offset.interval.ms", INT, "60000", atLeast(1));
        keys.add("group.streams.topology.description.plugin.class", CLASS, null);
    }
}
