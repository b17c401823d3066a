package io.tidemark.broker.config;

import static io.tidemark.broker.config.ConfigRule.atLeast;
import static io.tidemark.broker.config.ConfigType.BOOLEAN;
import static io.tidemark.broker.config.ConfigType.INT;
import static io.tidemark.broker.config.ConfigType.LIST;
import static io.tidemark.broker.config.ConfigType.LONG;
import static io.tidemark.broker.config.ConfigType.STRING;

/** The metadata quorum, the controller, and the lives of brokers: names, types, defaults and rules as in Apache Kafka 4.4. */
final class QuorumKeys {
    private QuorumKeys() {}

    static void addTo(ConfigKeys keys) {
        keys.add("auto.leader.rebalance.enable", BOOLEAN, "true");
        keys.add("broker.heartbeat.interval.ms", INT, "2000");
        keys.add("broker.id", INT, "-1");
        keys.add("broker.rack", STRING, null);
        keys.add("broker.session.timeout.ms", INT, "9000");
        keys.add("controlled.shutdown.enable", BOOLEAN, "true");
        keys.add("controller.listener.names", LIST, null);
        keys.add("controller.performance.always.log.threshold.ms", LONG, "2000", atLeast(0));
        keys.add("controller.performance.sample.period.ms", LONG, "60000", atLeast(100));
        keys.add("controller.quorum.append.linger.ms", INT, "25", atLeast(0));
        keys.add("controller.quorum.auto.join.enable", BOOLEAN, "false");
        keys.add("controller.quorum.bootstrap.servers", LIST, "");
        keys.add("controller.quorum.election.backoff.max.ms", INT, "1000", atLeast(0));
        keys.add("controller.quorum.election.timeout.ms", INT, "1000", atLeast(0));
        keys.add("controller.quorum.fetch.max.bytes", INT, "1048576", atLeast(1));
        keys.add("controller.quorum.fetch.snapshot.max.bytes", INT, "1048576", atLeast(1));
        keys.add("controller.quorum.fetch.timeout.ms", INT, "2000", atLeast(0));
        keys.add("controller.quorum.request.timeout.ms", INT, "2000", atLeast(0));
        keys.add("controller.quorum.retry.backoff.ms", INT, "20", atLeast(0));
        keys.add("controller.quorum.voters", LIST, "");
        keys.add("controller.quota.window.num", INT, "11", atLeast(1));
        keys.add("controller.quota.window.size.seconds", INT, "1", atLeast(1));
        keys.add("controller.socket.timeout.ms", INT, "30000");
        keys.add("initial.broker.registration.timeout.ms", INT, "60000");
        keys.add("internal.metadata.delete.delay.millis", LONG, "60000");
        keys.add("internal.metadata.log.segment.bytes", INT, null);
        keys.add("internal.metadata.max.batch.size.in.bytes", INT, "8388608");
        keys.add("leader.imbalance.check.interval.seconds", LONG, "300", atLeast(1));
        keys.add("metadata.log.dir", STRING, null);
        keys.add("metadata.log.max.record.bytes.between.snapshots", LONG, "20971520", atLeast(1));
        keys.add("metadata.log.max.snapshot.interval.ms", LONG, "3600000", atLeast(0));
        keys.add("metadata.log.segment.bytes", INT, "1073741824", atLeast(8388608));
        keys.add("metadata.log.segment.ms", LONG, "604800000");
        keys.add("metadata.max.idle.interval.ms", INT, "500", atLeast(0));
        keys.add("metadata.max.retention.bytes", LONG, "104857600");
        keys.add("metadata.max.retention.ms", LONG, "604800000");
        keys.add("unclean.leader.election.enable", BOOLEAN, "false");
        keys.add("unclean.leader.election.interval.ms", LONG, "300000", atLeast(1));
        keys.add("unstable.api.versions.enable", BOOLEAN, "false");
        keys.add("unstable.feature.versions.enable", BOOLEAN, "false");
    }
}
