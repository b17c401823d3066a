package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.AbortTransactionRecord;
import io.tidemark.broker.protocol.metadata.BeginTransactionRecord;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.ClearElrRecord;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.EndTransactionRecord;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.protocol.metadata.FenceBrokerRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.ProducerIdsRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RegisterControllerRecord;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.protocol.metadata.UnfenceBrokerRecord;
import io.tidemark.broker.protocol.metadata.UnregisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.UnregisterControllerRecord;
import io.tidemark.broker.types.TopicIdPartition;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a run of metadata records changes in an image. One thread builds it. */
public final class MetadataDelta {
    private final MetadataImage base;
    private final ClusterDelta cluster;
    private final TopicsDelta topics;
    private final Map<ConfigResource, SortedMap<String, String>> configs;
    private final Set<ConfigResource> changedConfigs = new LinkedHashSet<>();
    private final SortedMap<String, Short> features;
    private boolean featuresChanged;
    private final SortedMap<String, ApiMessage> carried;
    private boolean carriedChanged;
    private @Nullable OpenTransaction transaction;
    private long nextProducerId;
    private long lastOffset;
    private int lastLeaderEpoch;

    public MetadataDelta(MetadataImage base) {
        this.base = base;
        this.cluster = new ClusterDelta(base.cluster());
        this.topics = new TopicsDelta(base.topics());
        this.configs = new LinkedHashMap<>(base.configs());
        this.features = new TreeMap<>(base.features());
        this.nextProducerId = base.nextProducerId();
        this.transaction = base.openTransaction();
        this.carried = new TreeMap<>(base.carried().byKey());
        this.lastOffset = base.lastOffset();
        this.lastLeaderEpoch = base.lastLeaderEpoch();
    }

    /** What has to change in an image to make another one of it, as when a snapshot takes the place of records. */
    public static MetadataDelta between(MetadataImage before, MetadataImage after) {
        MetadataDelta delta = new MetadataDelta(before);
        delta.transaction = after.openTransaction();
        for (ApiMessage record : ImageRecords.between(before, after)) {
            delta.replay(after.lastOffset(), after.lastLeaderEpoch(), record);
        }
        delta.advance(after.lastOffset(), after.lastLeaderEpoch());
        return delta;
    }

    /** The image before. */
    public MetadataImage base() {
        return base;
    }

    /**
     * Takes in the next record. One of a kind that this broker has no use for (ACLs, quotas, SCRAM, tokens) is kept as
     * it is. Those of a transaction (KIP-868) count when it ends.
     *
     * @param offset the record's offset in the metadata log
     * @param leaderEpoch the quorum leader's epoch of its batch
     * @param record a generated record of {@code protocol.metadata}
     */
    public void replay(long offset, int leaderEpoch, ApiMessage record) {
        advance(offset, leaderEpoch);
        OpenTransaction open = transaction;
        if (record instanceof BeginTransactionRecord) {
            if (open != null) {
                throw new IllegalStateException("A metadata transaction begins at offset " + offset
                        + ", within the one of offset " + open.startOffset() + "; the metadata log is damaged");
            }
            transaction = new OpenTransaction(offset, List.of());
        } else if (record instanceof EndTransactionRecord || record instanceof AbortTransactionRecord) {
            if (open == null) {
                throw new IllegalStateException(
                        "A metadata transaction ends at offset " + offset + ", and none has begun; the log is damaged");
            }
            transaction = null;
            if (record instanceof EndTransactionRecord) {
                open.records().forEach(this::take);
            }
        } else if (open != null) {
            transaction = open.with(record);
        } else {
            take(record);
        }
    }

    private void take(ApiMessage record) {
        if (record instanceof PartitionChangeRecord change) {
            topics.replay(change);
        } else if (record instanceof PartitionRecord partition) {
            topics.replay(partition);
        } else if (record instanceof TopicRecord topic) {
            topics.replay(topic);
        } else if (record instanceof RemoveTopicRecord removal) {
            String name = topics.remove(removal.topicId());
            if (configs.remove(ConfigResource.topic(name)) != null) {
                changedConfigs.add(ConfigResource.topic(name));
            }
        } else if (record instanceof ConfigRecord config) {
            replay(config);
        } else if (record instanceof RegisterBrokerRecord registration) {
            cluster.replay(registration);
        } else if (record instanceof BrokerRegistrationChangeRecord change) {
            cluster.replay(change);
        } else if (record instanceof FenceBrokerRecord fence) {
            cluster.fence(fence.id(), fence.epoch(), true);
        } else if (record instanceof UnfenceBrokerRecord unfence) {
            cluster.fence(unfence.id(), unfence.epoch(), false);
        } else if (record instanceof UnregisterBrokerRecord removal) {
            cluster.unregister(removal.brokerId());
        } else if (record instanceof RegisterControllerRecord registration) {
            cluster.replay(registration);
        } else if (record instanceof UnregisterControllerRecord removal) {
            cluster.unregisterController(removal.controllerId());
        } else if (record instanceof ProducerIdsRecord producerIds) {
            nextProducerId = producerIds.nextProducerId();
        } else if (record instanceof ClearElrRecord clear) {
            topics.clearElr(clear.topicName());
        } else if (record instanceof FeatureLevelRecord feature) {
            replay(feature);
        } else if (CarriedRecords.replay(carried, record)) {
            carriedChanged = true;
        }
    }

    /** Takes in an offset that holds no metadata record: that of a control record. */
    public void advance(long offset, int leaderEpoch) {
        lastOffset = offset;
        lastLeaderEpoch = leaderEpoch;
    }

    private void replay(ConfigRecord record) {
        ConfigResource resource = new ConfigResource(record.resourceType(), record.resourceName());
        SortedMap<String, String> values = new TreeMap<>(configs.getOrDefault(resource, Collections.emptySortedMap()));
        String value = record.value();
        if (value == null) {
            values.remove(record.name());
        } else {
            values.put(record.name(), value);
        }
        if (values.isEmpty()) {
            configs.remove(resource);
        } else {
            configs.put(resource, Collections.unmodifiableSortedMap(values));
        }
        changedConfigs.add(resource);
    }

    private void replay(FeatureLevelRecord record) {
        if (record.featureLevel() == 0) {
            features.remove(record.name());
        } else {
            features.put(record.name(), record.featureLevel());
        }
        featuresChanged = true;
    }

    /** The image after. */
    public MetadataImage apply() {
        return new MetadataImage(
                lastOffset,
                lastLeaderEpoch,
                cluster.apply(),
                topics.apply(),
                changedConfigs.isEmpty() ? base.configs() : configs,
                featuresChanged ? features : base.features(),
                nextProducerId,
                carriedChanged ? new CarriedRecords(carried) : base.carried(),
                transaction);
    }

    /** Every partition that was created or changed, as it is now, in the order of first change. */
    public Map<TopicIdPartition, PartitionRegistration> changedPartitions() {
        return Collections.unmodifiableMap(topics.changedPartitions());
    }

    /** Every topic of the base that is gone, as it was. */
    public List<TopicImage> deletedTopics() {
        return topics.deletedTopics();
    }

    /** Brokers that registered, changed or were unregistered. */
    public Set<Integer> changedBrokers() {
        return Collections.unmodifiableSet(cluster.changedBrokers());
    }

    /** Resources whose config values changed. */
    public Set<ConfigResource> changedConfigs() {
        return Collections.unmodifiableSet(changedConfigs);
    }

    public boolean featuresChanged() {
        return featuresChanged;
    }
}
