package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionRequest.BrokerState;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Decides on AlterPartition: a leader's proposal of an ISR is a compare-and-set on the partition epoch. A replica joins
 * only while its broker is alive, not on its way down, and of the epoch that the leader saw (KIP-841, KIP-903).
 */
final class IsrChanges {
    private final EffectiveConfigs configs;

    IsrChanges(EffectiveConfigs configs) {
        this.configs = configs;
    }

    ControllerResult<AlterPartitionResponse> alter(AlterPartitionRequest request, MetadataImage image) {
        AlterPartitionResponse response = new AlterPartitionResponse();
        if (image.cluster().brokerEpoch(request.brokerId()) != request.brokerEpoch()) {
            return ControllerResult.of(response.setErrorCode(ErrorCode.STALE_BROKER_EPOCH.code()));
        }
        List<ApiMessage> records = new ArrayList<>();
        for (AlterPartitionRequest.TopicData asked : request.topics()) {
            AlterPartitionResponse.TopicData answered =
                    new AlterPartitionResponse.TopicData().setTopicId(asked.topicId());
            response.topics().add(answered);
            TopicImage topic = image.topics().topic(asked.topicId());
            for (AlterPartitionRequest.PartitionData partition : asked.partitions()) {
                AlterPartitionResponse.PartitionData answer =
                        new AlterPartitionResponse.PartitionData().setPartitionIndex(partition.partitionIndex());
                answered.partitions().add(answer);
                if (topic == null) {
                    answer.setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code());
                    continue;
                }
                try {
                    decide(request.brokerId(), topic, partition, image, answer, records);
                } catch (Rejection rejection) {
                    answer.setErrorCode(rejection.error().code());
                }
            }
        }
        return new ControllerResult<>(records, response);
    }

    private void decide(
            int leaderId,
            TopicImage topic,
            AlterPartitionRequest.PartitionData asked,
            MetadataImage image,
            AlterPartitionResponse.PartitionData answer,
            List<ApiMessage> records) {
        PartitionRegistration partition = topic.partition(asked.partitionIndex());
        if (partition == null) {
            throw new Rejection(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, "no such partition");
        }
        List<Integer> newIsr = newIsr(asked);
        requireCurrent(leaderId, asked, partition);
        requireSensible(newIsr, asked.leaderRecoveryState(), partition);
        requireEligible(asked, newIsr, partition, image);
        PartitionChangeRecord record = new LeaderChanges(image, configs)
                .builder(topic, asked.partitionIndex(), partition, image.cluster()::isActive)
                .isr(newIsr)
                .recoveryState(asked.leaderRecoveryState())
                .build();
        PartitionRegistration after = partition;
        if (record != null) {
            records.add(record);
            after = afterwards(image, topic, asked.partitionIndex(), record);
            if (after.leader() != leaderId) {
                throw new Rejection(ErrorCode.NEW_LEADER_ELECTED, "another leader was elected");
            }
        }
        answer.setLeaderId(after.leader())
                .setLeaderEpoch(after.leaderEpoch())
                .setIsr(new ArrayList<>(after.isr()))
                .setLeaderRecoveryState(after.leaderRecoveryState())
                .setPartitionEpoch(after.partitionEpoch());
    }

    /** A leader that is ahead of this controller has heard of a newer one; one that is behind has to catch up. */
    private static void requireCurrent(
            int leaderId, AlterPartitionRequest.PartitionData asked, PartitionRegistration partition) {
        if (asked.leaderEpoch() > partition.leaderEpoch() || asked.partitionEpoch() > partition.partitionEpoch()) {
            throw new Rejection(ErrorCode.NOT_CONTROLLER, "the leader knows more than this controller");
        }
        if (asked.leaderEpoch() < partition.leaderEpoch()) {
            throw new Rejection(ErrorCode.FENCED_LEADER_EPOCH, "leader epoch");
        }
        if (leaderId != partition.leader()) {
            throw new Rejection(ErrorCode.INVALID_REQUEST, "not the leader");
        }
        if (asked.partitionEpoch() < partition.partitionEpoch()) {
            throw new Rejection(ErrorCode.INVALID_UPDATE_VERSION, "partition epoch");
        }
    }

    private static void requireSensible(List<Integer> newIsr, byte recoveryState, PartitionRegistration partition) {
        boolean recovering = recoveryState == PartitionRegistration.RECOVERING;
        boolean sensible = !newIsr.isEmpty()
                && new LinkedHashSet<>(newIsr).size() == newIsr.size()
                && partition.replicas().containsAll(newIsr)
                && newIsr.contains(partition.leader())
                && !(recovering && newIsr.size() > 1)
                && !(recovering && partition.leaderRecoveryState() == PartitionRegistration.RECOVERED);
        if (!sensible) {
            throw new Rejection(ErrorCode.INVALID_REQUEST, "ISR " + newIsr + " of replicas " + partition.replicas());
        }
    }

    private static void requireEligible(
            AlterPartitionRequest.PartitionData asked,
            List<Integer> newIsr,
            PartitionRegistration partition,
            MetadataImage image) {
        for (int replica : newIsr) {
            if (!image.cluster().isActive(replica)) {
                throw new Rejection(ErrorCode.INELIGIBLE_REPLICA, "broker " + replica + " is not active");
            }
            BrokerRegistration broker = image.cluster().broker(replica);
            boolean joins = !partition.isr().contains(replica);
            if (joins && broker != null && !broker.hasOnlineDirectory(partition.directory(replica))) {
                throw new Rejection(
                        ErrorCode.INELIGIBLE_REPLICA, "broker " + replica + " has the replica in an offline directory");
            }
        }
        for (BrokerState member : asked.newIsrWithEpochs()) {
            BrokerRegistration broker = image.cluster().broker(member.brokerId());
            if (member.brokerEpoch() != -1 && broker != null && broker.epoch() != member.brokerEpoch()) {
                throw new Rejection(ErrorCode.INELIGIBLE_REPLICA, "broker " + member.brokerId() + " has come anew");
            }
        }
    }

    private static List<Integer> newIsr(AlterPartitionRequest.PartitionData asked) {
        if (asked.newIsrWithEpochs().isEmpty()) {
            return asked.newIsr();
        }
        List<Integer> isr = new ArrayList<>();
        asked.newIsrWithEpochs().forEach(member -> isr.add(member.brokerId()));
        return isr;
    }

    private static PartitionRegistration afterwards(
            MetadataImage image, TopicImage topic, int partition, PartitionChangeRecord record) {
        MetadataDelta delta = new MetadataDelta(image);
        delta.replay(image.lastOffset(), image.lastLeaderEpoch(), record);
        PartitionRegistration after = delta.apply().topics().partition(topic.id(), partition);
        if (after == null) {
            throw new IllegalStateException("Partition " + partition + " of " + topic.name() + " went by a change");
        }
        return after;
    }
}
