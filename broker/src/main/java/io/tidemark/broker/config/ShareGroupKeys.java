package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigRule.between;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.SHORT;
import static io.tidemark.broker.config.ConfigType.STRING;

/** Share groups and their coordinator: names, types, defaults and rules as in Apache Kafka 4.4. */
final class ShareGroupKeys {
    private ShareGroupKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("errors.deadletterqueue.auto.create.topics.enable", BOOLEAN, "false");
        keys.add("errors.deadletterqueue.topic.name.prefix", STRING, "dlq.");
        keys.add("group.share.assignment.interval.ms", INT, "1000", atLeast(0));
        keys.add("group.share.assignor.offload.enable", BOOLEAN, "true");
        keys.add("group.share.assignors", LIST, "simple");
        keys.add("group.share.delivery.count.limit", INT, "5", between(2, 10));
        keys.add(
                "group.share.dlq.manager.class.name",
                STRING,
                "org.apache.kafka.server.share.dlq.DefaultShareGroupDLQManager");
        keys.add("group.share.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("group.share.initialize.retry.interval.ms", INT, "30000", atLeast(1));
        keys.add("group.share.max.assignment.interval.ms", INT, "15000", atLeast(0));
        keys.add("group.share.max.delivery.count.limit", INT, "10", between(5, 25));
        keys.add("group.share.max.heartbeat.interval.ms", INT, "15000", atLeast(1));
        keys.add("group.share.max.partition.max.record.locks", INT, "4000", between(2000, 10000));
        keys.add("group.share.max.record.lock.duration.ms", INT, "60000", between(30000, 3600000));
        keys.add("group.share.max.session.timeout.ms", INT, "60000", atLeast(1));
        keys.add("group.share.max.share.sessions", INT, "2000", atLeast(1));
        keys.add("group.share.max.size", INT, "200", between(1, 1000));
        keys.add("group.share.min.assignment.interval.ms", INT, "0", atLeast(0));
        keys.add("group.share.min.delivery.count.limit", INT, "2", between(2, 5));
        keys.add("group.share.min.heartbeat.interval.ms", INT, "5000", atLeast(1));
        keys.add("group.share.min.partition.max.record.locks", INT, "100", between(100, 2000));
        keys.add("group.share.min.record.lock.duration.ms", INT, "15000", between(1000, 30000));
        keys.add("group.share.min.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("group.share.partition.max.record.locks", INT, "2000", between(100, 10000));
        keys.add(
                "group.share.persister.class.name",
                STRING,
                "org.apache.kafka.server.share.persister.DefaultStatePersister");
        keys.add("group.share.record.lock.duration.ms", INT, "30000", between(1000, 3600000));
        keys.add("group.share.session.timeout.ms", INT, "45000", atLeast(1));
        keys.add("share.coordinator.append.linger.ms", INT, "-1", atLeast(-1));
        keys.add("share.coordinator.cached.buffer.max.bytes", INT, "1048588", atLeast(524288));
        keys.add("share.coordinator.cold.partition.snapshot.interval.ms", INT, "300000", atLeast(1));
        keys.add("share.coordinator.load.buffer.size", INT, "5242880", atLeast(1));
        keys.add("share.coordinator.snapshot.update.records.per.snapshot", INT, "500", between(0, 500));
        keys.add("share.coordinator.state.topic.compression.codec", INT, "0");
        keys.add("share.coordinator.state.topic.min.isr", SHORT, "2", atLeast(1));
        keys.add("share.coordinator.state.topic.num.partitions", INT, "50", atLeast(1));
        keys.add("share.coordinator.state.topic.prune.interval.ms", INT, "300000", atLeast(1));
        keys.add("share.coordinator.state.topic.replication.factor", SHORT, "3", atLeast(1));
        keys.add("share.coordinator.state.topic.segment.bytes", INT, "104857600", atLeast(1));
        keys.add("share.coordinator.threads", INT, "1", atLeast(1));
        keys.add("share.coordinator.write.timeout.ms", INT, "5000", atLeast(1));
        keys.add("share.fetch.purgatory.purge.interval.requests", INT, "1000");
    }
}
