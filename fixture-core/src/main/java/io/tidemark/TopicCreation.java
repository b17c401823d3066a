package io.tidemark;

import io.tidemark.backend.BackendNode;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** Creates topics through a node's own router, so that no client is needed. */
final class TopicCreation {
    private TopicCreation() {}

    /**
     * Done when the controller has committed the topics; the brokers hear of them a little later. Where enough brokers
     * run, partition 0 is led by the first of them, partition 1 by the second, and so on, so that a test can tell
     * beforehand who leads; else the controller places the replicas.
     *
     * @param running the ids of the running brokers, in order
     */
    static void create(BackendNode node, List<TopicSpec> topics, int brokers, List<Integer> running, long timeoutMs) {
        CreateTopicsRequest request =
                new CreateTopicsRequest().setTimeoutMs((int) Math.min(timeoutMs, Integer.MAX_VALUE));
        for (TopicSpec topic : topics) {
            CreateTopicsRequest.CreatableTopic wanted =
                    new CreateTopicsRequest.CreatableTopic().setName(Objects.requireNonNull(topic.name()));
            if (topic.replicas().isEmpty()) {
                place(wanted, topic.partitions(), topic.replicationFactorAmong(brokers), running);
            } else {
                assign(wanted, topic.replicas());
            }
            topic.config().forEach((name, value) -> wanted.configs()
                    .add(new CreateTopicsRequest.CreatableTopicConfig()
                            .setName(name)
                            .setValue(value)));
            request.topics().add(wanted);
        }
        CreateTopicsResponse response = (CreateTopicsResponse)
                Outcome.await(node.call(request), timeoutMs, "have the controller create topics");
        for (CreateTopicsResponse.CreatableTopicResult result : response.topics()) {
            if (result.errorCode() != ErrorCode.NONE.code()) {
                throw new ClusterException("Topic [" + result.name() + "] was refused with "
                        + ErrorCode.forCode(result.errorCode())
                        + (result.errorMessage() == null ? "" : ": " + result.errorMessage()));
            }
        }
    }

    private static void assign(CreateTopicsRequest.CreatableTopic wanted, List<List<Integer>> replicas) {
        wanted.setNumPartitions(-1).setReplicationFactor((short) -1);
        for (int partition = 0; partition < replicas.size(); partition++) {
            wanted.assignments()
                    .add(new CreateTopicsRequest.CreatableReplicaAssignment()
                            .setPartitionIndex(partition)
                            .setBrokerIds(replicas.get(partition)));
        }
    }

    private static void place(
            CreateTopicsRequest.CreatableTopic wanted, int partitions, int replicas, List<Integer> running) {
        if (running.size() < replicas) {
            wanted.setNumPartitions(partitions).setReplicationFactor((short) replicas);
            return;
        }
        List<List<Integer>> assignment = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            int first = partition;
            assignment.add(IntStream.range(0, replicas)
                    .mapToObj(replica -> running.get((first + replica) % running.size()))
                    .toList());
        }
        assign(wanted, assignment);
    }
}
