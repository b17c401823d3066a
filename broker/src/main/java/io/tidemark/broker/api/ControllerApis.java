package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.message.AllocateProducerIdsRequest;
import io.tidemark.broker.protocol.message.AllocateProducerIdsResponse;
import io.tidemark.broker.protocol.message.AlterConfigsRequest;
import io.tidemark.broker.protocol.message.AlterConfigsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsRequest;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsResponse;
import io.tidemark.broker.protocol.message.BrokerHeartbeatRequest;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationRequest;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.protocol.message.ControllerRegistrationRequest;
import io.tidemark.broker.protocol.message.ControllerRegistrationResponse;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest;
import io.tidemark.broker.protocol.message.CreatePartitionsResponse;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.ElectLeadersResponse;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.UnregisterBrokerRequest;
import io.tidemark.broker.protocol.message.UnregisterBrokerResponse;
import io.tidemark.broker.quorum.ControllerNode;
import java.util.List;

/** The requests on a controller's listener that change the metadata, and those of the quorum itself. */
public final class ControllerApis {
    private ControllerApis() {}

    /** One handler per API. What a controller answers beside these: ApiVersions, DescribeCluster, DescribeConfigs. */
    public static List<ApiHandler<?>> handlers(ControllerNode node) {
        return List.of(
                new MetadataFetchHandler(node),
                new FetchSnapshotHandler(node),
                new DescribeQuorumHandler(node),
                new VoteHandler(node),
                new BeginQuorumEpochHandler(node),
                new EndQuorumEpochHandler(node),
                new AddRaftVoterHandler(node),
                new RemoveRaftVoterHandler(node),
                new UpdateRaftVoterHandler(node),
                new ControllerCommandHandler<ControllerRegistrationRequest, ControllerRegistrationResponse>(
                        ApiKey.CONTROLLER_REGISTRATION,
                        node,
                        (controller, request, nowMs) -> controller.registerController(request),
                        (request, error) -> new ControllerRegistrationResponse().setErrorCode(error.code())),
                new ControllerCommandHandler<BrokerRegistrationRequest, BrokerRegistrationResponse>(
                        ApiKey.BROKER_REGISTRATION,
                        node,
                        (controller, request, nowMs) -> controller.registerBroker(request, nowMs),
                        (request, error) -> new BrokerRegistrationResponse().setErrorCode(error.code())),
                new ControllerCommandHandler<BrokerHeartbeatRequest, BrokerHeartbeatResponse>(
                        ApiKey.BROKER_HEARTBEAT,
                        node,
                        (controller, request, nowMs) -> controller.heartbeat(request, nowMs),
                        (request, error) -> new BrokerHeartbeatResponse().setErrorCode(error.code())),
                new ControllerCommandHandler<AlterPartitionRequest, AlterPartitionResponse>(
                        ApiKey.ALTER_PARTITION,
                        node,
                        (controller, request, nowMs) -> controller.alterPartition(request),
                        (request, error) -> new AlterPartitionResponse().setErrorCode(error.code())),
                new ControllerCommandHandler<AssignReplicasToDirsRequest, AssignReplicasToDirsResponse>(
                        ApiKey.ASSIGN_REPLICAS_TO_DIRS,
                        node,
                        (controller, request, nowMs) -> controller.assignReplicas(request),
                        (request, error) -> new AssignReplicasToDirsResponse().setErrorCode(error.code())),
                new ControllerCommandHandler<AllocateProducerIdsRequest, AllocateProducerIdsResponse>(
                        ApiKey.ALLOCATE_PRODUCER_IDS,
                        node,
                        (controller, request, nowMs) -> controller.allocateProducerIds(request),
                        (request, error) -> new AllocateProducerIdsResponse().setErrorCode(error.code())),
                new ControllerCommandHandler<CreateTopicsRequest, CreateTopicsResponse>(
                        ApiKey.CREATE_TOPICS,
                        node,
                        (controller, request, nowMs) -> controller.createTopics(request),
                        ErrorAnswers::createTopics),
                new ControllerCommandHandler<DeleteTopicsRequest, DeleteTopicsResponse>(
                        ApiKey.DELETE_TOPICS,
                        node,
                        (controller, request, nowMs) -> controller.deleteTopics(request),
                        ErrorAnswers::deleteTopics),
                new ControllerCommandHandler<CreatePartitionsRequest, CreatePartitionsResponse>(
                        ApiKey.CREATE_PARTITIONS,
                        node,
                        (controller, request, nowMs) -> controller.createPartitions(request),
                        ErrorAnswers::createPartitions),
                new ControllerCommandHandler<ElectLeadersRequest, ElectLeadersResponse>(
                        ApiKey.ELECT_LEADERS,
                        node,
                        (controller, request, nowMs) -> controller.electLeaders(request),
                        ErrorAnswers::electLeaders),
                new ControllerCommandHandler<AlterPartitionReassignmentsRequest, AlterPartitionReassignmentsResponse>(
                        ApiKey.ALTER_PARTITION_REASSIGNMENTS,
                        node,
                        (controller, request, nowMs) -> controller.reassignPartitions(request),
                        ErrorAnswers::reassignPartitions),
                new ControllerCommandHandler<ListPartitionReassignmentsRequest, ListPartitionReassignmentsResponse>(
                        ApiKey.LIST_PARTITION_REASSIGNMENTS,
                        node,
                        (controller, request, nowMs) -> controller.listReassignments(request),
                        ErrorAnswers::listReassignments),
                new ControllerCommandHandler<UnregisterBrokerRequest, UnregisterBrokerResponse>(
                        ApiKey.UNREGISTER_BROKER,
                        node,
                        (controller, request, nowMs) -> controller.unregisterBroker(request),
                        ErrorAnswers::unregisterBroker),
                new ControllerCommandHandler<IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse>(
                        ApiKey.INCREMENTAL_ALTER_CONFIGS,
                        node,
                        (controller, request, nowMs) -> controller.alterConfigs(request),
                        ErrorAnswers::alterConfigs),
                new UpdateFeaturesHandler(node),
                new ControllerCommandHandler<AlterConfigsRequest, AlterConfigsResponse>(
                        ApiKey.ALTER_CONFIGS,
                        node,
                        (controller, request, nowMs) -> controller.replaceConfigs(request),
                        ErrorAnswers::replaceConfigs));
    }
}
