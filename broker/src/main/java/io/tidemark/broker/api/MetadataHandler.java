package io.tidemark.broker.api;

import io.tidemark.broker.controller.TopicNames;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.MetadataRequest;
import io.tidemark.broker.protocol.message.MetadataRequest.MetadataRequestTopic;
import io.tidemark.broker.protocol.message.MetadataResponse;
import io.tidemark.broker.protocol.message.MetadataResponse.MetadataResponseBroker;
import io.tidemark.broker.protocol.message.MetadataResponse.MetadataResponsePartition;
import io.tidemark.broker.protocol.message.MetadataResponse.MetadataResponseTopic;
import io.tidemark.broker.quorum.MetadataSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Metadata: the live brokers by the listener that the client came in on, and topics by name or id. A topic that is not
 * there may be created on the way (auto.create.topics.enable); the answer does not wait for it.
 */
public final class MetadataHandler implements ApiHandler<MetadataRequest> {
    private static final short FIRST_VERSION_WITH_LISTENER_NOT_FOUND = 6;
    private static final short FIRST_VERSION_WITH_NULL_NAMES = 12;

    private final String clusterId;
    private final MetadataSource metadata;
    private final TopicAutoCreation autoCreation;
    private final RandomGenerator random;

    public MetadataHandler(
            String clusterId, MetadataSource metadata, TopicAutoCreation autoCreation, RandomGenerator random) {
        this.clusterId = clusterId;
        this.metadata = metadata;
        this.autoCreation = autoCreation;
        this.random = random;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.METADATA;
    }

    @Override
    public void handle(RequestContext context, MetadataRequest request) {
        short version = context.apiVersion();
        ClusterView view = new ClusterView(metadata.image(), context.listenerName());
        MetadataResponse response = new MetadataResponse()
                .setClusterId(clusterId)
                .setControllerId(view.anyNodeId(random))
                .setClusterAuthorizedOperations(
                        request.includeClusterAuthorizedOperations()
                                ? AuthorizedOperations.CLUSTER
                                : AuthorizedOperations.NOT_TOLD);
        for (ClusterView.Node node : view.nodes()) {
            response.brokers()
                    .add(new MetadataResponseBroker()
                            .setNodeId(node.broker().id())
                            .setHost(node.endpoint().host())
                            .setPort(node.endpoint().port())
                            .setRack(node.broker().rack()));
        }
        List<MetadataRequestTopic> asked = request.topics();
        if (asked == null || (version == 0 && asked.isEmpty())) {
            view.image().topics().byName().values().forEach(topic -> response.topics()
                    .add(known(topic, view, version)));
        } else {
            addAsked(asked, request, view, version, response);
        }
        if (request.includeTopicAuthorizedOperations()) {
            for (MetadataResponseTopic topic : response.topics()) {
                if (topic.errorCode() == ErrorCode.NONE.code()) {
                    topic.setTopicAuthorizedOperations(AuthorizedOperations.TOPIC);
                }
            }
        }
        context.respond(response);
    }

    private void addAsked(
            List<MetadataRequestTopic> asked,
            MetadataRequest request,
            ClusterView view,
            short version,
            MetadataResponse response) {
        Set<Object> seen = new LinkedHashSet<>();
        Set<String> toCreate = new LinkedHashSet<>();
        for (MetadataRequestTopic topic : asked) {
            String name = topic.name();
            if (!seen.add(name == null ? topic.topicId() : name)) {
                continue;
            }
            TopicImage found = name == null
                    ? view.image().topics().topic(topic.topicId())
                    : view.image().topics().topic(name);
            if (found != null) {
                response.topics().add(known(found, view, version));
            } else if (name == null) {
                response.topics()
                        .add(new MetadataResponseTopic()
                                .setName(version >= FIRST_VERSION_WITH_NULL_NAMES ? null : "")
                                .setTopicId(topic.topicId())
                                .setErrorCode(ErrorCode.UNKNOWN_TOPIC_ID.code()));
            } else {
                ErrorCode error = TopicNames.problem(name) == null
                        ? ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                        : ErrorCode.INVALID_TOPIC_EXCEPTION;
                response.topics()
                        .add(new MetadataResponseTopic()
                                .setName(name)
                                .setErrorCode(error.code())
                                .setIsInternal(TopicNames.isInternal(name)));
                if (error == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION && !name.equals(TopicNames.CLUSTER_METADATA)) {
                    toCreate.add(name);
                }
            }
        }
        if (request.allowAutoTopicCreation() && autoCreation.isEnabled()) {
            autoCreation.create(toCreate);
        }
    }

    private static MetadataResponseTopic known(TopicImage topic, ClusterView view, short version) {
        MetadataResponseTopic described = new MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(topic.id())
                .setIsInternal(TopicNames.isInternal(topic.name()));
        topic.partitions()
                .forEach(
                        (number, partition) -> described.partitions().add(partition(number, partition, view, version)));
        return described;
    }

    private static MetadataResponsePartition partition(
            int number, PartitionRegistration partition, ClusterView view, short version) {
        MetadataResponsePartition described = new MetadataResponsePartition()
                .setPartitionIndex(number)
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(shown(partition.replicas(), view, version))
                .setIsrNodes(shown(partition.isr(), view, version))
                .setOfflineReplicas(view.offlineReplicas(partition));
        if (view.leaderEndpoint(partition) == null) {
            return described
                    .setLeaderId(PartitionRegistration.NO_LEADER)
                    .setErrorCode(view.leaderProblem(partition, version >= FIRST_VERSION_WITH_LISTENER_NOT_FOUND)
                            .code());
        }
        described.setLeaderId(partition.leader());
        if (described.replicaNodes().size() < partition.replicas().size()
                || described.isrNodes().size() < partition.isr().size()) {
            described.setErrorCode(ErrorCode.REPLICA_NOT_AVAILABLE.code());
        }
        return described;
    }

    /** Only clients of version 0 take a replica that is not online for an error. */
    private static List<Integer> shown(List<Integer> replicas, ClusterView view, short version) {
        List<Integer> shown = new ArrayList<>();
        for (int replica : replicas) {
            if (version > 0 || view.isOnline(replica)) {
                shown.add(replica);
            }
        }
        return shown;
    }

    @Override
    public MetadataResponse errorResponse(MetadataRequest request, short version, ErrorCode error) {
        MetadataResponse response = new MetadataResponse().setErrorCode(error.code());
        @Nullable List<MetadataRequestTopic> asked = request.topics();
        if (asked != null) {
            for (MetadataRequestTopic topic : asked) {
                String name = topic.name();
                response.topics()
                        .add(new MetadataResponseTopic()
                                .setName(name == null && version < FIRST_VERSION_WITH_NULL_NAMES ? "" : name)
                                .setTopicId(topic.topicId())
                                .setErrorCode(error.code()));
            }
        }
        return response;
    }
}
