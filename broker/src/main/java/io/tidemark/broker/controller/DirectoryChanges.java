package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsRequest;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsResponse;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides on log directories that brokers chose or lost (KIP-858). */
final class DirectoryChanges {
    private final EffectiveConfigs configs;

    DirectoryChanges(EffectiveConfigs configs) {
        this.configs = configs;
    }

    /** A broker told that directories are offline: its replicas there lead nothing and leave every ISR. */
    List<ApiMessage> onOffline(BrokerRegistration broker, List<Uuid> offline, MetadataImage image) {
        Set<Uuid> lost = new LinkedHashSet<>(broker.logDirectories());
        lost.retainAll(offline);
        if (lost.isEmpty()) {
            return List.of();
        }
        List<ApiMessage> records =
                new ArrayList<>(new LeaderChanges(image, configs).onDirectoriesOffline(broker.id(), lost));
        List<Uuid> left = new ArrayList<>(broker.logDirectories());
        left.removeAll(lost);
        records.add(new BrokerRegistrationChangeRecord()
                .setBrokerId(broker.id())
                .setBrokerEpoch(broker.epoch())
                .setLogDirs(left));
        return records;
    }

    /** A broker tells in which of its directories replicas lie. Those in one that is offline lose what they lead. */
    ControllerResult<AssignReplicasToDirsResponse> assign(AssignReplicasToDirsRequest request, MetadataImage image) {
        AssignReplicasToDirsResponse response = new AssignReplicasToDirsResponse();
        BrokerRegistration broker = image.cluster().broker(request.brokerId());
        if (broker == null || broker.epoch() != request.brokerEpoch()) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.STALE_BROKER_EPOCH.code()));
        }
        List<ApiMessage> records = new ArrayList<>();
        Set<Uuid> offline = new LinkedHashSet<>();
        for (AssignReplicasToDirsRequest.DirectoryData directory : request.directories()) {
            AssignReplicasToDirsResponse.DirectoryData answer =
                    new AssignReplicasToDirsResponse.DirectoryData().setId(directory.id());
            response.directories().add(answer);
            if (!broker.hasOnlineDirectory(directory.id())) {
                offline.add(directory.id());
            }
            for (AssignReplicasToDirsRequest.TopicData topic : directory.topics()) {
                AssignReplicasToDirsResponse.TopicData answers =
                        new AssignReplicasToDirsResponse.TopicData().setTopicId(topic.topicId());
                answer.topics().add(answers);
                for (AssignReplicasToDirsRequest.PartitionData partition : topic.partitions()) {
                    ErrorCode error = assign(
                            broker.id(),
                            directory.id(),
                            image.topics().topic(topic.topicId()),
                            partition.partitionIndex(),
                            records);
                    answers.partitions()
                            .add(new AssignReplicasToDirsResponse.PartitionData()
                                    .setPartitionIndex(partition.partitionIndex())
                                    .setErrorCode(error.code()));
                }
            }
        }
        if (!records.isEmpty()) {
            LeaderChanges changes = new LeaderChanges(after(image, records), configs);
            if (!offline.isEmpty()) {
                records.addAll(changes.onDirectoriesOffline(broker.id(), offline));
            } else if (image.cluster().isActive(broker.id())) {
                // It may be the one that could lead, but for a directory that nobody knew.
                records.addAll(changes.onBrokerBack(broker.id()));
            }
        }
        return new ControllerResult<>(records, response);
    }

    private static ErrorCode assign(
            int brokerId, Uuid directory, @Nullable TopicImage topic, int partitionId, List<ApiMessage> records) {
        if (topic == null) {
            return ErrorCode.UNKNOWN_TOPIC_ID;
        }
        PartitionRegistration partition = topic.partition(partitionId);
        if (partition == null) {
            return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION;
        }
        int index = partition.replicas().indexOf(brokerId);
        if (index < 0) {
            return ErrorCode.NOT_LEADER_OR_FOLLOWER;
        }
        if (!partition.directory(brokerId).equals(directory)) {
            List<Uuid> directories = new ArrayList<>(partition.directories());
            directories.set(index, directory);
            records.add(new PartitionChangeRecord()
                    .setTopicId(topic.id())
                    .setPartitionId(partitionId)
                    .setDirectories(directories));
        }
        return ErrorCode.NONE;
    }

    private static MetadataImage after(MetadataImage image, List<ApiMessage> records) {
        MetadataDelta delta = new MetadataDelta(image);
        records.forEach(record -> delta.replay(image.lastOffset(), image.lastLeaderEpoch(), record));
        return delta.apply();
    }
}
