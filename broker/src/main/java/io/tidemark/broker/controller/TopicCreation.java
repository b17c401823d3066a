package io.tidemark.broker.controller;

import io.tidemark.broker.metadata.ConfigResource;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopic;
import io.tidemark.broker.protocol.message.CreateTopicsRequest.CreatableTopicConfig;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.CreateTopicsResponse.CreatableTopicConfigs;
import io.tidemark.broker.protocol.message.CreateTopicsResponse.CreatableTopicResult;
import io.tidemark.broker.protocol.metadata.ConfigRecord;
import io.tidemark.broker.protocol.metadata.PartitionRecord;
import io.tidemark.broker.protocol.metadata.TopicRecord;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Decides on CreateTopics. Each topic of a request stands or falls alone. */
final class TopicCreation {
    /** The most partitions that one request may create. */
    private static final int MAX_PARTITIONS_PER_REQUEST = 10_000;

    private static final int UNSET = -1;

    private final ControllerSettings settings;
    private final EffectiveConfigs configs;
    private final ReplicaPlacer placer;
    private final RandomGenerator random;

    TopicCreation(ControllerSettings settings, EffectiveConfigs configs, ReplicaPlacer placer, RandomGenerator random) {
        this.settings = settings;
        this.configs = configs;
        this.placer = placer;
        this.random = random;
    }

    ControllerResult<CreateTopicsResponse> create(CreateTopicsRequest request, MetadataImage image) {
        CreateTopicsResponse response = new CreateTopicsResponse();
        List<ApiMessage> records = new ArrayList<>();
        Map<String, Integer> occurrences = new LinkedHashMap<>();
        request.topics().forEach(topic -> occurrences.merge(topic.name(), 1, Integer::sum));
        int partitionsLeft = MAX_PARTITIONS_PER_REQUEST;
        List<String> accepted = new ArrayList<>();
        for (CreatableTopic topic : request.topics()) {
            if (occurrences.getOrDefault(topic.name(), 0) == 0) {
                continue;
            }
            try {
                if (occurrences.getOrDefault(topic.name(), 0) > 1) {
                    throw new Rejection(
                            ErrorCode.INVALID_REQUEST, "Topic [" + topic.name() + "] is more than once in the request");
                }
                requireDistinctFrom(accepted, topic.name());
                Creation creation = decide(topic, image);
                partitionsLeft -= creation.partitions();
                if (partitionsLeft < 0) {
                    throw new Rejection(
                            ErrorCode.POLICY_VIOLATION,
                            "One request may create at most " + MAX_PARTITIONS_PER_REQUEST
                                    + " partitions; send several");
                }
                accepted.add(topic.name());
                response.topics().add(creation.result());
                if (!request.validateOnly()) {
                    records.addAll(creation.records());
                }
            } catch (Rejection rejection) {
                occurrences.put(topic.name(), 0);
                response.topics()
                        .add(new CreatableTopicResult()
                                .setName(topic.name())
                                .setErrorCode(rejection.error().code())
                                .setErrorMessage(rejection.reason()));
            }
        }
        return new ControllerResult<>(records, response);
    }

    /** One accepted topic. */
    private record Creation(CreatableTopicResult result, List<ApiMessage> records, int partitions) {}

    private static void requireDistinctFrom(List<String> accepted, String name) {
        String metricName = name.replace('.', '_');
        for (String other : accepted) {
            if (other.replace('.', '_').equals(metricName)) {
                throw new Rejection(
                        ErrorCode.INVALID_TOPIC_EXCEPTION,
                        "Topic name [" + name + "] collides with topic [" + other
                                + "] of the same request: names must differ in more than dots and underscores");
            }
        }
    }

    private Creation decide(CreatableTopic topic, MetadataImage image) {
        TopicNames.requireCreatable(topic.name(), image.topics());
        SortedMap<String, String> overrides = overrides(topic);
        List<List<Integer>> assignments =
                topic.assignments().isEmpty() ? placed(topic, image) : Assignments.explicit(topic, image.cluster());
        Uuid topicId = Uuid.random(random);
        List<ApiMessage> records = new ArrayList<>();
        records.add(new TopicRecord().setName(topic.name()).setTopicId(topicId));
        overrides.forEach((name, value) -> records.add(new ConfigRecord()
                .setResourceType(ConfigResource.TOPIC)
                .setResourceName(topic.name())
                .setName(name)
                .setValue(value)));
        for (int partition = 0; partition < assignments.size(); partition++) {
            records.add(partitionRecord(
                    topicId,
                    partition,
                    assignments.get(partition),
                    image,
                    !topic.assignments().isEmpty()));
        }
        CreatableTopicResult result = new CreatableTopicResult()
                .setName(topic.name())
                .setTopicId(topicId)
                .setNumPartitions(assignments.size())
                .setReplicationFactor((short) assignments.get(0).size())
                .setConfigs(describe(overrides, image));
        return new Creation(result, records, assignments.size());
    }

    private List<List<Integer>> placed(CreatableTopic topic, MetadataImage image) {
        if (topic.replicationFactor() < UNSET || topic.replicationFactor() == 0) {
            throw new Rejection(
                    ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Replication factor is [" + topic.replicationFactor()
                            + "]; expected at least 1, or -1 for the cluster's default");
        }
        if (topic.numPartitions() < UNSET || topic.numPartitions() == 0) {
            throw new Rejection(
                    ErrorCode.INVALID_PARTITIONS,
                    "Number of partitions is [" + topic.numPartitions()
                            + "]; expected at least 1, or -1 for the cluster's default");
        }
        int partitions = topic.numPartitions() == UNSET ? settings.defaultPartitions() : topic.numPartitions();
        if (partitions > MAX_PARTITIONS_PER_REQUEST) {
            throw new Rejection(
                    ErrorCode.POLICY_VIOLATION,
                    "One request may create at most " + MAX_PARTITIONS_PER_REQUEST + " partitions; asked were "
                            + partitions);
        }
        int replicationFactor =
                topic.replicationFactor() == UNSET ? settings.defaultReplicationFactor() : topic.replicationFactor();
        return placer.place(image.cluster(), partitions, replicationFactor);
    }

    private static SortedMap<String, String> overrides(CreatableTopic topic) {
        SortedMap<String, String> overrides = new TreeMap<>();
        for (CreatableTopicConfig config : topic.configs()) {
            String value = config.value();
            if (value == null) {
                throw new Rejection(
                        ErrorCode.INVALID_CONFIG,
                        "Config " + config.name() + " of topic [" + topic.name() + "] is null; expected a value");
            }
            overrides.put(config.name(), value);
        }
        ConfigChanges.requireValidTopicConfigs(topic.name(), overrides);
        return overrides;
    }

    /** The first record of a partition. Also used where a topic grows. */
    static PartitionRecord partitionRecord(
            Uuid topicId, int partition, List<Integer> replicas, MetadataImage image, boolean explicit) {
        List<Integer> isr = new ArrayList<>();
        List<Uuid> directories = new ArrayList<>();
        for (int replica : replicas) {
            if (image.cluster().isActive(replica)) {
                isr.add(replica);
            }
            directories.add(Assignments.directory(image.cluster().broker(replica)));
        }
        if (isr.isEmpty()) {
            throw new Rejection(
                    explicit ? ErrorCode.INVALID_REPLICA_ASSIGNMENT : ErrorCode.INVALID_REPLICATION_FACTOR,
                    "Partition " + partition + " would have no leader: its replicas " + replicas
                            + " are all fenced or shutting down");
        }
        return new PartitionRecord()
                .setTopicId(topicId)
                .setPartitionId(partition)
                .setReplicas(new ArrayList<>(replicas))
                .setDirectories(directories)
                .setIsr(isr)
                .setRemovingReplicas(new ArrayList<>())
                .setAddingReplicas(new ArrayList<>())
                .setLeader(isr.get(0))
                .setLeaderRecoveryState(PartitionRegistration.RECOVERED)
                .setLeaderEpoch(0)
                .setPartitionEpoch(0);
    }

    private List<CreatableTopicConfigs> describe(SortedMap<String, String> overrides, MetadataImage image) {
        List<CreatableTopicConfigs> described = new ArrayList<>();
        for (ConfigEntry entry : configs.topic(overrides, image)) {
            described.add(new CreatableTopicConfigs()
                    .setName(entry.key().name())
                    .setValue(entry.key().isSensitive() ? null : entry.value())
                    .setReadOnly(entry.isReadOnly())
                    .setConfigSource(entry.source().id())
                    .setIsSensitive(entry.key().isSensitive()));
        }
        return described;
    }
}
