package io.tidemark.broker.config;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names of the keys that Kafka marks as internal. */
final class InternalKeys {
    static final SortedSet<String> NAMES = Collections.unmodifiableSortedSet(new TreeSet<>(List.of(
            "controller.performance.always.log.threshold.ms",
            "controller.performance.sample.period.ms",
            "group.consumer.assignor.offload.enable",
            "group.consumer.regex.refresh.interval.ms",
            "group.share.assignor.offload.enable",
            "group.share.initialize.retry.interval.ms",
            "group.share.dlq.manager.class.name",
            "group.share.persister.class.name",
            "group.streams.acceptable.recovery.lag",
            "group.streams.assignor.offload.enable",
            "group.streams.max.warmup.replicas",
            "group.streams.min.task.offset.interval.ms",
            "group.streams.num.warmup.replicas",
            "group.streams.task.offset.interval.ms",
            "internal.metadata.delete.delay.millis",
            "internal.metadata.log.segment.bytes",
            "internal.metadata.max.batch.size.in.bytes",
            "internal.segment.bytes",
            "log.initial.task.delay.ms",
            "producer.id.expiration.check.interval.ms",
            "remote.log.index.file.cache.ttl.ms",
            "remote.log.manager.task.retry.backoff.max.ms",
            "remote.log.manager.task.retry.backoff.ms",
            "remote.log.manager.task.retry.jitter",
            "server.max.startup.time.ms",
            "share.coordinator.cold.partition.snapshot.interval.ms",
            "share.coordinator.state.topic.prune.interval.ms",
            "unclean.leader.election.interval.ms",
            "unstable.api.versions.enable",
            "unstable.feature.versions.enable")));

    private InternalKeys() {}
}
