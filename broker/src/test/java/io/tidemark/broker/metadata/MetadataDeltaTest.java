package io.tidemark.broker.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.metadata.AbortTransactionRecord;
import io.tidemark.broker.protocol.metadata.BeginTransactionRecord;
import io.tidemark.broker.protocol.metadata.BrokerRegistrationChangeRecord;
import io.tidemark.broker.protocol.metadata.ClearElrRecord;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.EndTransactionRecord;
import io.tidemark.broker.protocol.metadata.FeatureLevelRecord;
import io.tidemark.broker.protocol.metadata.NoOpRecord;
import io.tidemark.broker.protocol.metadata.PartitionChangeRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.ProducerIdsRecord;
import io.tidemark.broker.protocol.metadata.RegisterBrokerRecord;
import io.tidemark.broker.protocol.metadata.RemoveTopicRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.protocol.metadata.UnregisterBrokerRecord;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataDeltaTest {
    private static final Uuid ORDERS = new Uuid(1, 1);
    private static final TopicIdPartition ORDERS_0 = new TopicIdPartition(ORDERS, new TopicPartition("orders", 0));

    private MetadataImage image = MetadataImage.EMPTY;

    private MetadataDelta replay(ApiMessage... records) {
        MetadataDelta delta = new MetadataDelta(image);
        long offset = image.lastOffset();
        for (ApiMessage record : records) {
            delta.replay(++offset, 3, record);
        }
        image = delta.apply();
        return delta;
    }

    private static PartitionRecord orders0() {
        return new PartitionRecord()
                .setTopicId(ORDERS)
                .setPartitionId(0)
                .setReplicas(List.of(1, 2, 3))
                .setIsr(List.of(1, 2, 3))
                .setLeader(1)
                .setLeaderEpoch(0)
                .setPartitionEpoch(0)
                .setDirectories(List.of(new Uuid(9, 1), new Uuid(9, 2), new Uuid(9, 3)));
    }

    private void createOrders() {
        replay(new TopicRecord().setName("orders").setTopicId(ORDERS), orders0());
    }

    private PartitionRegistration partition() {
        return image.topics().partition(ORDERS, 0);
    }

    @Test
    void knowsWhereItIs() {
        replay(new NoOpRecord(), new NoOpRecord());

        assertThat(image.lastOffset()).isEqualTo(1);
        assertThat(image.lastLeaderEpoch()).isEqualTo(3);
    }

    @Test
    void showsANewTopicByNameAndById() {
        createOrders();

        assertThat(image.topics().topic("orders")).isEqualTo(image.topics().topic(ORDERS));
        assertThat(partition().leader()).isEqualTo(1);
        assertThat(partition().directory(2)).isEqualTo(new Uuid(9, 2));
    }

    @Test
    void leavesTheImageBeforeAsItWas() {
        createOrders();
        MetadataImage before = image;

        replay(new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setIsr(List.of(1)));

        assertThat(before.topics().partition(ORDERS, 0).isr()).containsExactly(1, 2, 3);
        assertThat(partition().isr()).containsExactly(1);
    }

    @Test
    void aChangeOfTheIsrRaisesThePartitionEpochAlone() {
        createOrders();

        replay(new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setIsr(List.of(1)));

        assertThat(partition().partitionEpoch()).isEqualTo(1);
        assertThat(partition().leaderEpoch()).isZero();
        assertThat(partition().leader()).isEqualTo(1);
    }

    @Test
    void aLeaderThatIsNamedMakesANewLeaderEpoch() {
        createOrders();

        replay(new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setLeader(2));
        assertThat(partition().leaderEpoch()).isEqualTo(1);
        replay(new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setLeader(2));
        assertThat(partition().leaderEpoch()).isEqualTo(2);
        assertThat(partition().leader()).isEqualTo(2);
        assertThat(partition().partitionEpoch()).isEqualTo(2);
    }

    @Test
    void keepsTheEligibleLeaders() {
        createOrders();

        replay(new PartitionChangeRecord()
                .setTopicId(ORDERS)
                .setPartitionId(0)
                .setIsr(List.of())
                .setLeader(-1)
                .setEligibleLeaderReplicas(List.of(2, 3))
                .setLastKnownElr(List.of(1)));
        assertThat(partition().elr()).containsExactly(2, 3);
        assertThat(partition().lastKnownElr()).containsExactly(1);
        assertThat(partition().hasLeader()).isFalse();

        replay(new ClearElrRecord().setTopicName("orders"));
        assertThat(partition().elr()).isEmpty();
        assertThat(partition().lastKnownElr()).isEmpty();
    }

    @Test
    void newReplicasKeepTheDirectoriesOfTheOldOnes() {
        createOrders();

        replay(new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setReplicas(List.of(3, 4)));

        assertThat(partition().directory(3)).isEqualTo(new Uuid(9, 3));
        assertThat(partition().directory(4)).isEqualTo(PartitionRegistration.UNASSIGNED_DIRECTORY);
    }

    @Test
    void namesEveryPartitionThatChanged() {
        createOrders();

        MetadataDelta delta = replay(
                new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setIsr(List.of(1)),
                new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setLeader(1));

        assertThat(delta.changedPartitions()).containsOnlyKeys(ORDERS_0).containsEntry(ORDERS_0, partition());
        assertThat(delta.deletedTopics()).isEmpty();
    }

    @Test
    void namesEveryTopicThatIsGone() {
        createOrders();
        TopicImage before = image.topics().topic("orders");

        MetadataDelta delta = replay(
                new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setLeader(2),
                new RemoveTopicRecord().setTopicId(ORDERS));

        assertThat(delta.deletedTopics()).containsExactly(before);
        assertThat(delta.changedPartitions()).isEmpty();
        assertThat(image.topics().topic("orders")).isNull();
        assertThat(image.topics().topic(ORDERS)).isNull();
    }

    @Test
    void showsATopicThatIsCreatedAnewInTheSameStep() {
        createOrders();
        Uuid second = new Uuid(1, 2);

        MetadataDelta delta = replay(
                new RemoveTopicRecord().setTopicId(ORDERS),
                new TopicRecord().setName("orders").setTopicId(second),
                orders0().setTopicId(second));

        assertThat(image.topics().topic("orders").id()).isEqualTo(second);
        assertThat(delta.deletedTopics()).extracting(TopicImage::id).containsExactly(ORDERS);
        assertThat(delta.changedPartitions())
                .containsOnlyKeys(new TopicIdPartition(second, new TopicPartition("orders", 0)));
    }

    @Test
    void aTopicThatComesAndGoesInOneStepLeavesNoTrace() {
        MetadataDelta delta = replay(
                new TopicRecord().setName("orders").setTopicId(ORDERS),
                orders0(),
                new RemoveTopicRecord().setTopicId(ORDERS));

        assertThat(delta.deletedTopics()).isEmpty();
        assertThat(delta.changedPartitions()).isEmpty();
        assertThat(image.topics().byName()).isEmpty();
    }

    @Test
    void followsABrokerThroughItsLife() {
        replay(new RegisterBrokerRecord()
                .setBrokerId(1)
                .setBrokerEpoch(0)
                .setIncarnationId(new Uuid(4, 4))
                .setEndPoints(List.of(new RegisterBrokerRecord.BrokerEndpoint()
                        .setName("PLAINTEXT")
                        .setHost("localhost")
                        .setPort(65535)))
                .setLogDirs(List.of(new Uuid(9, 1))));
        assertThat(image.cluster().isAlive(1)).isFalse();
        assertThat(image.cluster().broker(1).endpoint("PLAINTEXT").port()).isEqualTo(65535);

        MetadataDelta unfenced = replay(change().setFenced((byte) -1));
        assertThat(unfenced.changedBrokers()).containsExactly(1);
        assertThat(image.cluster().isActive(1)).isTrue();
        replay(change().setInControlledShutdown((byte) 1));
        assertThat(image.cluster().isAlive(1)).isTrue();
        assertThat(image.cluster().isActive(1)).isFalse();
        replay(change().setFenced((byte) 1));
        assertThat(image.cluster().isAlive(1)).isFalse();
        MetadataDelta gone = replay(new UnregisterBrokerRecord().setBrokerId(1).setBrokerEpoch(0));
        assertThat(gone.changedBrokers()).containsExactly(1);
        assertThat(image.cluster().broker(1)).isNull();
    }

    private static BrokerRegistrationChangeRecord change() {
        return new BrokerRegistrationChangeRecord().setBrokerId(1).setBrokerEpoch(0);
    }

    @Test
    void refusesAChangeOfAnEarlierLifeOfABroker() {
        replay(new RegisterBrokerRecord().setBrokerId(1).setBrokerEpoch(7));

        assertThatThrownBy(() -> replay(change())).hasMessageContaining("broker epoch 0");
    }

    @Test
    void followsConfigs() {
        MetadataDelta set = replay(config("retention.ms", "1"), config("segment.ms", "2"));
        assertThat(set.changedConfigs()).containsExactly(ConfigResource.topic("orders"));
        assertThat(image.configsOf(ConfigResource.topic("orders")))
                .containsEntry("retention.ms", "1")
                .containsEntry("segment.ms", "2");

        replay(config("retention.ms", null), config("segment.ms", null));
        assertThat(image.configs()).isEmpty();
    }

    private static ConfigRecord config(String name, String value) {
        return new ConfigRecord()
                .setResourceType(ConfigResource.TOPIC)
                .setResourceName("orders")
                .setName(name)
                .setValue(value);
    }

    @Test
    void followsFeaturesAndProducerIds() {
        MetadataDelta delta = replay(
                new FeatureLevelRecord().setName("group.version").setFeatureLevel((short) 1),
                new ProducerIdsRecord().setNextProducerId(2000));
        assertThat(delta.featuresChanged()).isTrue();
        assertThat(image.featureLevel("group.version")).isEqualTo((short) 1);
        assertThat(image.nextProducerId()).isEqualTo(2000);

        replay(new FeatureLevelRecord().setName("group.version").setFeatureLevel((short) 0));
        assertThat(image.featureLevel("group.version")).isZero();
    }

    @Test
    void whatATransactionHoldsCountsWhenItEnds() {
        createOrders();
        replay(new BeginTransactionRecord().setName("two"), leader(2));

        assertThat(partition().leader()).isEqualTo(1);
        assertThat(image.lastOffset()).isEqualTo(3);
        assertThat(image.openTransaction()).isNotNull();
        assertThat(image.openTransaction().startOffset()).isEqualTo(2);

        replay(new ConfigRecord()
                .setResourceType(ConfigResource.TOPIC)
                .setResourceName("orders")
                .setName("retention.ms")
                .setValue("7"));
        MetadataDelta last = replay(new EndTransactionRecord());

        assertThat(partition().leader()).isEqualTo(2);
        assertThat(image.configsOf(ConfigResource.topic("orders"))).containsEntry("retention.ms", "7");
        assertThat(last.changedPartitions()).containsOnlyKeys(ORDERS_0);
        assertThat(image.openTransaction()).isNull();
        assertThat(image.lastOffset()).isEqualTo(5);
    }

    @Test
    void whatAnAbortedTransactionHeldNeverCounts() {
        createOrders();
        replay(new BeginTransactionRecord(), leader(2));
        MetadataDelta aborted = replay(leader(3), new AbortTransactionRecord().setReason("why not"));

        assertThat(partition().leader()).isEqualTo(1);
        assertThat(aborted.changedPartitions()).isEmpty();
        assertThat(image.openTransaction()).isNull();
        replay(leader(3));
        assertThat(partition().leader()).as("what follows counts").isEqualTo(3);
    }

    @Test
    void transactionsThatDoNotFitTogetherAreNoticed() {
        assertThatThrownBy(() -> replay(new EndTransactionRecord())).hasMessageContaining("none has begun");
        assertThatThrownBy(() -> replay(new BeginTransactionRecord(), new BeginTransactionRecord()))
                .hasMessageContaining("begins at offset 1, within the one of offset 0");
    }

    private static PartitionChangeRecord leader(int leader) {
        return new PartitionChangeRecord().setTopicId(ORDERS).setPartitionId(0).setLeader(leader);
    }
}
