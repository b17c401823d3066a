package io.tidemark.broker.api;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.MetadataListener;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RegisterControllerRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.quorum.MetadataSource;
import io.tidemark.broker.types.Uuid;
import java.util.List;

/**
 * Metadata to look at: brokers 1 (both listeners), 2 (without the external one) and 3 (fenced), controller 1001, and the
 * topic "orders" with partition 0 led by 1, partition 1 led by 2, and partition 2 led by nobody.
 */
final class TestMetadata implements MetadataSource {
    static final Uuid ORDERS = new Uuid(1, 1);

    private MetadataImage image = MetadataImage.EMPTY;

    TestMetadata() {
        replay(new FeatureLevelRecord().setName("metadata.version").setFeatureLevel((short) 33));
        replay(broker(1, "INTERNAL", "EXTERNAL"));
        replay(broker(2, "INTERNAL"));
        replay(broker(3, "INTERNAL", "EXTERNAL"));
        replay(unfence(1));
        replay(unfence(2));
        replay(new RegisterControllerRecord()
                .setControllerId(1001)
                .setEndPoints(List.of(new RegisterControllerRecord.ControllerEndpoint()
                        .setName("CONTROLLER")
                        .setHost("controller")
                        .setPort(9093))));
        replay(new TopicRecord().setName("orders").setTopicId(ORDERS));
        replay(partition(0, 1));
        replay(partition(1, 2));
        replay(partition(2, -1));
        replay(new ConfigRecord()
                .setResourceType(ConfigResource.TOPIC)
                .setResourceName("orders")
                .setName("retention.ms")
                .setValue("1000"));
    }

    private void replay(ApiMessage record) {
        MetadataDelta delta = new MetadataDelta(image);
        delta.replay(image.lastOffset() + 1, 1, record);
        image = delta.apply();
    }

    private static RegisterBrokerRecord broker(int id, String... listeners) {
        RegisterBrokerRecord record = new RegisterBrokerRecord().setBrokerId(id).setBrokerEpoch(id);
        for (String listener : listeners) {
            record.endPoints()
                    .add(new RegisterBrokerRecord.BrokerEndpoint()
                            .setName(listener)
                            .setHost(listener.toLowerCase(java.util.Locale.ROOT))
                            .setPort(9000 + id));
        }
        return record;
    }

    private static BrokerRegistrationChangeRecord unfence(int id) {
        return new BrokerRegistrationChangeRecord()
                .setBrokerId(id)
                .setBrokerEpoch(id)
                .setFenced((byte) -1);
    }

    private static PartitionRecord partition(int number, int leader) {
        return new PartitionRecord()
                .setTopicId(ORDERS)
                .setPartitionId(number)
                .setReplicas(List.of(1, 2, 3))
                .setIsr(leader < 0 ? List.of() : List.of(1, 2))
                .setLeader(leader)
                .setLeaderEpoch(4)
                .setPartitionEpoch(0)
                .setEligibleLeaderReplicas(leader < 0 ? List.of(3) : List.of());
    }

    @Override
    public MetadataImage image() {
        return image;
    }

    @Override
    public void addListener(MetadataListener listener) {}
}
