package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import java.util.ArrayList;
import java.util.List;
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
                canLead,
                configs.minInsyncReplicas(image, topic.name()),
                ControllerFeatures.isElrEnabled(image),
                replica -> Assignments.directory(image.cluster().broker(replica)));
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
