package io.tidemark.broker.metadata;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.types.TopicIdPartition;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a run of metadata records changes in an image. One thread builds it. */
public final class MetadataDelta {
    private final MetadataImage base;

    public MetadataDelta(MetadataImage base) {
        this.base = base;
    }

    /** The image before. */
    public MetadataImage base() {
        return base;
    }

    /**
     * Takes in the next record.
     *
     * @param offset the record's offset in the metadata log
     * @param leaderEpoch the quorum leader's epoch of its batch
     * @param record a generated record of {@code protocol.metadata}
     */
    public void replay(long offset, int leaderEpoch, ApiMessage record) {
        throw new UnsupportedOperationException();
    }

    /** The image after. */
    public MetadataImage apply() {
        throw new UnsupportedOperationException();
    }

    /** Every partition that was created or changed, as it is now, in the order of first change. */
    public Map<TopicIdPartition, PartitionRegistration> changedPartitions() {
        throw new UnsupportedOperationException();
    }

    /** Every topic of the base that is gone, as it was. */
    public List<TopicImage> deletedTopics() {
        throw new UnsupportedOperationException();
    }

    /** Brokers that registered, changed or were unregistered. */
    public Set<Integer> changedBrokers() {
        throw new UnsupportedOperationException();
    }

    /** Resources whose config values changed. */
    public Set<ConfigResource> changedConfigs() {
        throw new UnsupportedOperationException();
    }

    public boolean featuresChanged() {
        throw new UnsupportedOperationException();
    }
}
