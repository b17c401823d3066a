package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes topics, deletes them, changes their configs, and has leaders elected. */
final class Admin extends Client {
    private static final byte TOPIC = 2;
    private static final byte SET = 0;
    private static final byte PREFERRED = 0;
    private static final byte UNCLEAN = 1;

    Admin(World world, Oracle oracle, Machine machine, int brokers) {
        super(world, oracle, machine, brokers);
    }

    @Override
    void start() {
        loop.execute(this::refresh);
    }

    /** Tries until the topic is there. */
    void create(String name, int partitions, int replicationFactor, Map<String, String> configs) {
        CreateTopicsRequest.CreatableTopic topic = new CreateTopicsRequest.CreatableTopic()
                .setName(name)
                .setNumPartitions(partitions)
                .setReplicationFactor((short) replicationFactor);
        configs.forEach((key, value) -> topic.configs()
                .add(new CreateTopicsRequest.CreatableTopicConfig().setName(key).setValue(value)));
        CreateTopicsRequest request =
                new CreateTopicsRequest().setTimeoutMs(2_000).setTopics(new ArrayList<>(List.of(topic)));
        Runnable again = () -> later(100, () -> create(name, partitions, replicationFactor, configs));
        loop.execute(() -> send(
                anyBroker(),
                request,
                -1,
                response -> {
                    CreateTopicsResponse.CreatableTopicResult result =
                            ((CreateTopicsResponse) response).topics().get(0);
                    ErrorCode error = ErrorCode.forCode(result.errorCode());
                    switch (error) {
                        case NONE, TOPIC_ALREADY_EXISTS -> refresh();
                        case INVALID_CONFIG, INVALID_REQUEST, POLICY_VIOLATION ->
                            oracle.onUnexpected(
                                    machine.id(), "a topic is not created: " + error + ": " + result.errorMessage());
                        default -> again.run();
                    }
                },
                again));
    }

    void delete(String name) {
        DeleteTopicsRequest request = new DeleteTopicsRequest()
                .setTimeoutMs(2_000)
                .setTopics(new ArrayList<>(List.of(new DeleteTopicsRequest.DeleteTopicState().setName(name))));
        loop.execute(() -> send(anyBroker(), request, -1, response -> {}, () -> {}));
    }

    void elect(String name, int partition) {
        elect(name, partition, PREFERRED);
    }

    /** As an operator does where nobody is left who may be elected cleanly. */
    void electUncleanly(String name, int partition) {
        elect(name, partition, UNCLEAN);
    }

    private void elect(String name, int partition, byte type) {
        ElectLeadersRequest request = new ElectLeadersRequest()
                .setElectionType(type)
                .setTimeoutMs(2_000)
                .setTopicPartitions(new ArrayList<>(List.of(new ElectLeadersRequest.TopicPartitions()
                        .setTopic(name)
                        .setPartitions(new ArrayList<>(List.of(partition))))));
        loop.execute(() -> send(anyBroker(), request, -1, response -> {}, () -> {}));
    }

    void createPartitions(String name, int count) {
        CreatePartitionsRequest request = new CreatePartitionsRequest()
                .setTimeoutMs(2_000)
                .setTopics(new ArrayList<>(List.of(new CreatePartitionsRequest.CreatePartitionsTopic()
                        .setName(name)
                        .setCount(count))));
        loop.execute(() -> send(anyBroker(), request, -1, response -> {}, () -> {}));
    }

    /** @param replicas where the partition goes; null for a reassignment that is given up */
    void reassign(String name, int partition, @Nullable List<Integer> replicas) {
        AlterPartitionReassignmentsRequest request = new AlterPartitionReassignmentsRequest()
                .setTimeoutMs(2_000)
                .setTopics(new ArrayList<>(List.of(new AlterPartitionReassignmentsRequest.ReassignableTopic()
                        .setName(name)
                        .setPartitions(
                                new ArrayList<>(List.of(new AlterPartitionReassignmentsRequest.ReassignablePartition()
                                        .setPartitionIndex(partition)
                                        .setReplicas(replicas == null ? null : new ArrayList<>(replicas))))))));
        loop.execute(() -> send(anyBroker(), request, -1, response -> {}, () -> {}));
    }

    void configure(String name, String key, String value) {
        IncrementalAlterConfigsRequest request = new IncrementalAlterConfigsRequest()
                .setResources(new ArrayList<>(List.of(new IncrementalAlterConfigsRequest.AlterConfigsResource()
                        .setResourceType(TOPIC)
                        .setResourceName(name)
                        .setConfigs(new ArrayList<>(List.of(new IncrementalAlterConfigsRequest.AlterableConfig()
                                .setName(key)
                                .setConfigOperation(SET)
                                .setValue(value)))))));
        loop.execute(() -> send(anyBroker(), request, -1, response -> {}, () -> {}));
    }
}
