package io.tidemark.broker.controller;

import io.tidemark.broker.config.BrokerConfigs;
import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.ControllerRegistration;
import io.tidemark.broker.metadata.FeatureRange;
import io.tidemark.broker.metadata.MetadataDelta;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableReplicaAssignment;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** A controller whose log is a list: what it decides is replayed at once. */
final class ControllerFixture {
    static final String CLUSTER_ID = "c1uster";
    static final long SESSION_MS = 9_000;
    private static final int EPOCH = 1;

    final Controller controller;
    final List<ApiMessage> log = new ArrayList<>();
    long nowMs = 1_000;

    /** What brokers that register from now on say that they support. */
    SortedMap<String, FeatureRange> supported = ControllerFeatures.supported();

    private int incarnations;

    ControllerFixture() {
        this(Map.of());
    }

    ControllerFixture(Map<String, String> configs) {
        Map<String, String> values = new TreeMap<>(configs);
        ControllerSettings settings = new ControllerSettings(1001, CLUSTER_ID, BrokerConfigs.DEFINITION.parse(values));
        controller = new Controller(settings, new SplittableRandom(7));
        append(controller.onLeader(new ControllerRegistration(1001, new Uuid(1, 1), List.of()), nowMs));
    }

    MetadataImage image() {
        return controller.image();
    }

    void append(List<ApiMessage> records) {
        MetadataDelta delta = new MetadataDelta(controller.image());
        for (ApiMessage record : records) {
            delta.replay(log.size(), EPOCH, record);
            log.add(record);
        }
        controller.replay(delta.apply());
    }

    <R> R commit(ControllerResult<R> result) {
        append(result.records());
        return result.reply();
    }

    /** Registers and unfences brokers 1 to n. */
    ControllerFixture withBrokers(int count) {
        for (int broker = 1; broker <= count; broker++) {
            startBroker(broker, -1);
        }
        return this;
    }

    /** A new life of a broker, unfenced; its epoch. */
    long startBroker(int brokerId, long previousBrokerEpoch) {
        BrokerRegistrationResponse registered = register(brokerId, previousBrokerEpoch);
        heartbeat(brokerId);
        return registered.brokerEpoch();
    }

    BrokerRegistrationResponse register(int brokerId, long previousBrokerEpoch) {
        return register(brokerId, previousBrokerEpoch, new Uuid(brokerId, ++incarnations));
    }

    BrokerRegistrationResponse register(int brokerId, long previousBrokerEpoch, Uuid incarnationId) {
        BrokerRegistrationRequest request = new BrokerRegistrationRequest()
                .setBrokerId(brokerId)
                .setClusterId(CLUSTER_ID)
                .setIncarnationId(incarnationId)
                .setLogDirs(List.of(new Uuid(99, brokerId)))
                .setPreviousBrokerEpoch(previousBrokerEpoch);
        request.listeners()
                .add(new BrokerRegistrationRequest.Listener()
                        .setName("PLAINTEXT")
                        .setHost("localhost")
                        .setPort(9092 + brokerId));
        supported.forEach((name, range) -> request.features()
                .add(new BrokerRegistrationRequest.Feature()
                        .setName(name)
                        .setMinSupportedVersion(range.min())
                        .setMaxSupportedVersion(range.max())));
        return commit(controller.registerBroker(request, nowMs));
    }

    BrokerHeartbeatResponse heartbeat(int brokerId) {
        return heartbeat(brokerId, image().lastOffset(), false);
    }

    BrokerHeartbeatResponse heartbeat(int brokerId, long metadataOffset, boolean wantsShutDown) {
        return commit(controller.heartbeat(
                new BrokerHeartbeatRequest()
                        .setBrokerId(brokerId)
                        .setBrokerEpoch(image().cluster().brokerEpoch(brokerId))
                        .setCurrentMetadataOffset(metadataOffset)
                        .setWantShutDown(wantsShutDown),
                nowMs));
    }

    /** Lets the sessions of all but some brokers run out. */
    void loseAllBut(Integer... alive) {
        nowMs += SESSION_MS;
        for (int broker : alive) {
            heartbeat(broker);
        }
        for (List<ApiMessage> records = controller.fenceOneExpired(nowMs);
                !records.isEmpty();
                records = controller.fenceOneExpired(nowMs)) {
            append(records);
        }
    }

    CreateTopicsResponse create(CreatableTopic... topics) {
        return commit(controller.createTopics(new CreateTopicsRequest().setTopics(List.of(topics))));
    }

    static CreatableTopic topic(String name, int partitions, int replicationFactor) {
        return new CreatableTopic().setName(name).setNumPartitions(partitions).setReplicationFactor((short)
                replicationFactor);
    }

    /** A topic of one partition with these replicas. */
    static CreatableTopic assigned(String name, List<Integer> replicas, String... configs) {
        CreatableTopic topic =
                new CreatableTopic().setName(name).setNumPartitions(-1).setReplicationFactor((short) -1);
        topic.assignments()
                .add(new CreatableReplicaAssignment().setPartitionIndex(0).setBrokerIds(replicas));
        for (int i = 0; i < configs.length; i += 2) {
            topic.configs().add(new CreatableTopicConfig().setName(configs[i]).setValue(configs[i + 1]));
        }
        return topic;
    }

    PartitionRegistration partition(String topic) {
        return image().topics().partition(new TopicPartition(topic, 0));
    }

    Uuid topicId(String topic) {
        return image().topics().topic(topic).id();
    }

    AlterPartitionResponse.PartitionData proposeIsr(String topic, int leader, List<Integer> isr) {
        PartitionRegistration partition = partition(topic);
        return proposeIsr(topic, leader, isr, partition.leaderEpoch(), partition.partitionEpoch());
    }

    AlterPartitionResponse.PartitionData proposeIsr(
            String topic, int leader, List<Integer> isr, int leaderEpoch, int partitionEpoch) {
        return commit(controller.alterPartition(proposal(topic, leader, isr, leaderEpoch, partitionEpoch)))
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    AlterPartitionRequest proposal(String topic, int leader, List<Integer> isr, int leaderEpoch, int partitionEpoch) {
        AlterPartitionRequest.PartitionData data = new AlterPartitionRequest.PartitionData()
                .setPartitionIndex(0)
                .setLeaderEpoch(leaderEpoch)
                .setPartitionEpoch(partitionEpoch);
        for (int member : isr) {
            data.newIsrWithEpochs()
                    .add(new AlterPartitionRequest.BrokerState()
                            .setBrokerId(member)
                            .setBrokerEpoch(image().cluster().brokerEpoch(member)));
        }
        AlterPartitionRequest request = new AlterPartitionRequest()
                .setBrokerId(leader)
                .setBrokerEpoch(image().cluster().brokerEpoch(leader));
        AlterPartitionRequest.TopicData topicData = new AlterPartitionRequest.TopicData().setTopicId(topicId(topic));
        topicData.partitions().add(data);
        request.topics().add(topicData);
        return request;
    }

    void setConfig(ConfigResource resource, String name, String value) {
        append(List.of(ConfigChanges.record(resource, name, value)));
    }
}
