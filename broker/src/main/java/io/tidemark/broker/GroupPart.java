package io.tidemark.broker;

import io.tidemark.broker.api.DeletedTopicOffsets;
import io.tidemark.broker.api.GroupAccess;
import io.tidemark.broker.api.GroupHandlers;
import io.tidemark.broker.api.InternalTopics;
import io.tidemark.broker.api.RequestRouter;
import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.config.ConfigValues;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime;
import io.tidemark.broker.coordinator.runtime.RecordCodec;
import io.tidemark.broker.group.GroupCoordinator;
import io.tidemark.broker.group.GroupRecordTypes;
import io.tidemark.broker.group.GroupSettings;
import io.tidemark.broker.quorum.BrokerQuorum;
import io.tidemark.broker.replication.HostedCoordinatorLog;
import io.tidemark.broker.replication.HostedPartitions;

/** Wires the group coordinator of a broker. */
final class GroupPart {
    private GroupPart() {}

    static GroupAccess add(NodeParts parts, HostedPartitions partitions, BrokerQuorum quorum, RequestRouter router) {
        ConfigValues values = parts.values();
        GroupSettings settings = GroupSettings.of(values);
        long commitTimeoutMs = values.longValue(BrokerConfigs.OFFSETS_COMMIT_TIMEOUT_MS);
        CoordinatorRuntime<GroupCoordinator> runtime = new CoordinatorRuntime<>(
                GroupAccess.OFFSETS_TOPIC,
                partition -> new GroupCoordinator(settings, parts.random()),
                new RecordCodec(GroupRecordTypes.ALL),
                new HostedCoordinatorLog(partitions),
                parts.loop(),
                parts.clock(),
                commitTimeoutMs,
                values.intValue(BrokerConfigs.OFFSETS_LOAD_BUFFER_SIZE));
        GroupAccess groups = new GroupAccess(
                runtime,
                quorum.metadata()::image,
                values.intValue(BrokerConfigs.OFFSETS_TOPIC_NUM_PARTITIONS),
                commitTimeoutMs);
        runtime.start();
        quorum.metadata().addListener(new DeletedTopicOffsets(groups));
        GroupHandlers.of(groups).forEach(router::add);
        return groups;
    }

    static InternalTopics.Layout offsetsLayout(ConfigValues values) {
        return InternalTopics.Layout.compacted(
                values.intValue(BrokerConfigs.OFFSETS_TOPIC_NUM_PARTITIONS),
                (short) values.intValue(BrokerConfigs.OFFSETS_TOPIC_REPLICATION_FACTOR),
                values.intValue(BrokerConfigs.OFFSETS_TOPIC_SEGMENT_BYTES));
    }
}
