package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.BrokerRegistration;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the coming and going of brokers, and of limits, means to partitions. In order of topic and partition. */
final class LeaderChanges {
    private final MetadataImage image;
    private final EffectiveConfigs configs;

    LeaderChanges(MetadataImage image, EffectiveConfigs configs) {
        this.image = image;
        this.configs = configs;
    }

    /** The broker leaves every ISR, and leads nothing any more; what it held stays eligible where KIP-966 says so. */
    List<ApiMessage> onBrokerGone(int brokerId) {
        return change(
                partition -> partition.isr().contains(brokerId),
                replica -> replica != brokerId && image.cluster().isActive(replica),
                builder -> builder.withoutFromIsr(brokerId));
    }

    /** The broker's process died without a clean shutdown: it leaves every ISR and every ELR. */
    List<ApiMessage> onUncleanShutdown(int brokerId) {
        return change(
                partition ->
                        partition.isr().contains(brokerId) || partition.elr().contains(brokerId),
                replica -> replica != brokerId && image.cluster().isActive(replica),
                builder -> builder.uncleanShutdown(brokerId));
    }

    /** These directories of a broker are offline: it leaves the ISR of what lies there, and leads it no more (KIP-858). */
    List<ApiMessage> onDirectoriesOffline(int brokerId, Set<Uuid> directories) {
        return change(
                partition -> partition.isr().contains(brokerId) && directories.contains(partition.directory(brokerId)),
                replica -> replica != brokerId && image.cluster().isActive(replica),
                builder -> builder.withoutFromIsr(brokerId));
    }

    /** The broker may lead from now on: partitions without a leader may get one. */
    List<ApiMessage> onBrokerBack(int brokerId) {
        return change(
                partition -> !partition.hasLeader() && partition.replicas().contains(brokerId),
                replica -> replica == brokerId || image.cluster().isActive(replica),
                builder -> {});
    }

    /** A topic's min.insync.replicas or unclean.leader.election.enable changed. */
    List<ApiMessage> onTopicConfigs(@Nullable String topicName) {
        List<ApiMessage> records = new ArrayList<>();
        for (TopicImage topic : image.topics().byName().values()) {
            if (topicName == null || topicName.equals(topic.name())) {
                change(topic, partition -> !partition.hasLeader(), image.cluster()::isActive, builder -> {}, records);
            }
        }
        return records;
    }

    /** A builder for a change that a leader or an operator asked for. */
    PartitionChangeBuilder builder(
            TopicImage topic, int partitionId, PartitionRegistration partition, IntPredicate canLead) {
        return new PartitionChangeBuilder(
                partition,
                topic.id(),
                partitionId,
                replica -> canLead.test(replica) && isOnline(partition, replica),
                configs.minInsyncReplicas(image, topic.name()),
                ControllerFeatures.isElrEnabled(image),
                replica -> Assignments.directory(image.cluster().broker(replica)));
    }

    /** Whether the directory that holds the replica is not known to be offline. */
    private boolean isOnline(PartitionRegistration partition, int replica) {
        BrokerRegistration broker = image.cluster().broker(replica);
        return broker == null || broker.hasOnlineDirectory(partition.directory(replica));
    }

    private List<ApiMessage> change(
            Predicate<PartitionRegistration> concerned, IntPredicate canLead, Consumer<PartitionChangeBuilder> wish) {
        List<ApiMessage> records = new ArrayList<>();
        for (TopicImage topic : image.topics().byName().values()) {
            change(topic, concerned, canLead, wish, records);
        }
        return records;
    }

    private void change(
            TopicImage topic,
            Predicate<PartitionRegistration> concerned,
            IntPredicate canLead,
            Consumer<PartitionChangeBuilder> wish,
            List<ApiMessage> records) {
        topic.partitions().forEach((partitionId, partition) -> {
            if (!concerned.test(partition)) {
                return;
            }
            PartitionChangeBuilder builder = builder(topic, partitionId, partition, canLead);
            if (configs.isUncleanElectionEnabled(image, topic.name())) {
                builder.election(Election.UNCLEAN);
            }
            wish.accept(builder);
            PartitionChangeRecord record = builder.build();
            if (record != null) {
                records.add(record);
            }
        });
    }
}
