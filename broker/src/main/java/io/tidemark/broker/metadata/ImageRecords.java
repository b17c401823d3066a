package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.ProducerIdsRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RegisterControllerRecord;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.protocol.metadata.UnregisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.UnregisterControllerRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** An image, or what makes one image of another, as the records that Kafka would write for it. */
public final class ImageRecords {
    public static final String METADATA_VERSION = "metadata.version";

    private ImageRecords() {}

    /**
     * The records that make an image out of nothing, in the order in which Kafka writes a snapshot: the level of
     * metadata.version comes first, for the rest is read by it.
     */
    public static List<ApiMessage> of(MetadataImage image) {
        return between(MetadataImage.EMPTY, image);
    }

    /** The records that make one image of another; only what differs is in them. */
    public static List<ApiMessage> between(MetadataImage before, MetadataImage after) {
        List<ApiMessage> records = new ArrayList<>();
        addFeatures(before, after, records);
        addCluster(before.cluster(), after.cluster(), records);
        addTopics(before.topics(), after.topics(), records);
        addConfigs(before, after, records);
        if (after.nextProducerId() != before.nextProducerId()) {
            records.add(new ProducerIdsRecord()
                    .setBrokerId(-1)
                    .setBrokerEpoch(-1)
                    .setNextProducerId(after.nextProducerId()));
        }
        addCarried(before.carried(), after.carried(), records);
        return records;
    }

    private static void addFeatures(MetadataImage before, MetadataImage after, List<ApiMessage> records) {
        if (after.featureLevel(METADATA_VERSION) != before.featureLevel(METADATA_VERSION)) {
            records.add(level(METADATA_VERSION, after.featureLevel(METADATA_VERSION)));
        }
        TreeSet<String> names = new TreeSet<>(before.features().keySet());
        names.addAll(after.features().keySet());
        names.remove(METADATA_VERSION);
        for (String name : names) {
            if (after.featureLevel(name) != before.featureLevel(name)) {
                records.add(level(name, after.featureLevel(name)));
            }
        }
    }

    private static FeatureLevelRecord level(String name, short level) {
        return new FeatureLevelRecord().setName(name).setFeatureLevel(level);
    }

    private static void addCluster(ClusterImage before, ClusterImage after, List<ApiMessage> records) {
        for (BrokerRegistration broker : before.brokers().values()) {
            if (after.broker(broker.id()) == null) {
                records.add(
                        new UnregisterBrokerRecord().setBrokerId(broker.id()).setBrokerEpoch(broker.epoch()));
            }
        }
        for (BrokerRegistration broker : after.brokers().values()) {
            if (!broker.equals(before.broker(broker.id()))) {
                records.add(record(broker));
            }
        }
        for (int controllerId : before.controllers().keySet()) {
            if (!after.controllers().containsKey(controllerId)) {
                records.add(new UnregisterControllerRecord().setControllerId(controllerId));
            }
        }
        for (ControllerRegistration controller : after.controllers().values()) {
            if (!controller.equals(before.controllers().get(controller.id()))) {
                records.add(record(controller));
            }
        }
    }

    /** A broker as registered now. */
    public static RegisterBrokerRecord record(BrokerRegistration broker) {
        RegisterBrokerRecord record = new RegisterBrokerRecord()
                .setBrokerId(broker.id())
                .setBrokerEpoch(broker.epoch())
                .setIncarnationId(broker.incarnationId())
                .setRack(broker.rack())
                .setFenced(broker.fenced())
                .setInControlledShutdown(broker.inControlledShutdown())
                .setLogDirs(broker.logDirectories())
                .setCordonedLogDirs(broker.cordonedLogDirectories());
        broker.endpoints().forEach(endpoint -> record.endPoints()
                .add(new RegisterBrokerRecord.BrokerEndpoint()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setSecurityProtocol(endpoint.securityProtocol())));
        broker.features().forEach((name, range) -> record.features()
                .add(new RegisterBrokerRecord.BrokerFeature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return record;
    }

    /** A controller as registered now. */
    public static RegisterControllerRecord record(ControllerRegistration controller) {
        RegisterControllerRecord record = new RegisterControllerRecord()
                .setControllerId(controller.id())
                .setIncarnationId(controller.incarnationId())
                .setZkMigrationReady(false);
        controller.endpoints().forEach(endpoint -> record.endPoints()
                .add(new RegisterControllerRecord.ControllerEndpoint()
                        .setName(endpoint.listener())
                        .setHost(endpoint.host())
                        .setPort(endpoint.port())
                        .setSecurityProtocol(endpoint.securityProtocol())));
        controller.features().forEach((name, range) -> record.features()
                .add(new RegisterControllerRecord.ControllerFeature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return record;
    }

    private static void addTopics(TopicsImage before, TopicsImage after, List<ApiMessage> records) {
        for (TopicImage topic : before.byName().values()) {
            if (!livesOn(topic, after.topic(topic.id()))) {
                records.add(new RemoveTopicRecord().setTopicId(topic.id()));
            }
        }
        for (TopicImage topic : after.byName().values()) {
            TopicImage known = before.topic(topic.id());
            if (!livesOn(known, topic)) {
                known = null;
                records.add(new TopicRecord().setName(topic.name()).setTopicId(topic.id()));
            }
            addPartitions(known, topic, records);
        }
    }

    /** True where a topic lives on. No record takes a single partition away, so one that has fewer is made anew. */
    private static boolean livesOn(@Nullable TopicImage before, @Nullable TopicImage after) {
        return before != null
                && after != null
                && before.name().equals(after.name())
                && after.partitions().keySet().containsAll(before.partitions().keySet());
    }

    private static void addPartitions(@Nullable TopicImage known, TopicImage topic, List<ApiMessage> records) {
        topic.partitions().forEach((number, partition) -> {
            if (known == null || !partition.equals(known.partition(number))) {
                records.add(record(topic.id(), number, partition));
            }
        });
    }

    private static PartitionRecord record(Uuid topicId, int number, PartitionRegistration partition) {
        return new PartitionRecord()
                .setTopicId(topicId)
                .setPartitionId(number)
                .setReplicas(partition.replicas())
                .setDirectories(partition.directories())
                .setIsr(partition.isr())
                .setRemovingReplicas(partition.removingReplicas())
                .setAddingReplicas(partition.addingReplicas())
                .setEligibleLeaderReplicas(partition.elr().isEmpty() ? null : partition.elr())
                .setLastKnownElr(partition.lastKnownElr().isEmpty() ? null : partition.lastKnownElr())
                .setLeader(partition.leader())
                .setLeaderRecoveryState(partition.leaderRecoveryState())
                .setLeaderEpoch(partition.leaderEpoch())
                .setPartitionEpoch(partition.partitionEpoch());
    }

    private static void addConfigs(MetadataImage before, MetadataImage after, List<ApiMessage> records) {
        for (Map.Entry<ConfigResource, SortedMap<String, String>> resource :
                before.configs().entrySet()) {
            // The configs of a topic go with it.
            boolean goesByItself = resource.getKey().type() == ConfigResource.TOPIC
                    && removesTopic(
                            before.topics(), after.topics(), resource.getKey().name());
            if (!goesByItself) {
                for (String name : resource.getValue().keySet()) {
                    if (!after.configsOf(resource.getKey()).containsKey(name)) {
                        records.add(config(resource.getKey(), name, null));
                    }
                }
            }
        }
        after.configs().forEach((resource, values) -> {
            boolean isNew = resource.type() == ConfigResource.TOPIC
                    && removesTopic(before.topics(), after.topics(), resource.name());
            values.forEach((name, value) -> {
                if (isNew || !value.equals(before.configsOf(resource).get(name))) {
                    records.add(config(resource, name, value));
                }
            });
        });
    }

    private static boolean removesTopic(TopicsImage before, TopicsImage after, String name) {
        TopicImage topic = before.topic(name);
        return topic != null && !livesOn(topic, after.topic(topic.id()));
    }

    private static ConfigRecord config(ConfigResource resource, String name, @Nullable String value) {
        return new ConfigRecord()
                .setResourceType(resource.type())
                .setResourceName(resource.name())
                .setName(name)
                .setValue(value);
    }

    private static void addCarried(CarriedRecords before, CarriedRecords after, List<ApiMessage> records) {
        before.byKey().forEach((key, record) -> {
            if (!after.byKey().containsKey(key)) {
                records.add(CarriedRecords.removalOf(record));
            }
        });
        after.byKey().forEach((key, record) -> {
            if (!record.equals(before.byKey().get(key))) {
                records.add(record);
            }
        });
    }
}
