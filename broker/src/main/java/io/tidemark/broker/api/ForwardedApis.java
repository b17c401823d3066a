package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.protocol.message.AlterConfigsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.CreatePartitionsRequest;
import io.tidemark.broker.protocol.message.CreateTopicsRequest;
import io.tidemark.broker.protocol.message.DeleteTopicsRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumRequest;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.protocol.message.ElectLeadersRequest;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsRequest;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.protocol.message.UnregisterBrokerRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.quorum.ControllerChannel;
import java.util.List;

/** The requests on a broker's listener that go on to the controller. */
public final class ForwardedApis {
    /** For requests that carry no timeout of their own. */
    private static final long DEFAULT_TIMEOUT_MS = 30_000;

    /** A client's own timeout may be as short as none at all, yet its request has to be tried once. */
    private static final long LEAST_TIMEOUT_MS = 1_000;

    private ForwardedApis() {}

    /** One handler per API. */
    public static List<ApiHandler<?>> handlers(ControllerChannel channel) {
        return List.of(
                new ForwardingHandler<CreateTopicsRequest>(
                        ApiKey.CREATE_TOPICS,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::createTopics),
                new ForwardingHandler<DeleteTopicsRequest>(
                        ApiKey.DELETE_TOPICS,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::deleteTopics),
                new ForwardingHandler<CreatePartitionsRequest>(
                        ApiKey.CREATE_PARTITIONS,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::createPartitions),
                new ForwardingHandler<ElectLeadersRequest>(
                        ApiKey.ELECT_LEADERS,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::electLeaders),
                new ForwardingHandler<AlterPartitionReassignmentsRequest>(
                        ApiKey.ALTER_PARTITION_REASSIGNMENTS,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::reassignPartitions),
                new ForwardingHandler<ListPartitionReassignmentsRequest>(
                        ApiKey.LIST_PARTITION_REASSIGNMENTS,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::listReassignments),
                new ForwardingHandler<UnregisterBrokerRequest>(
                        ApiKey.UNREGISTER_BROKER,
                        channel,
                        request -> DEFAULT_TIMEOUT_MS,
                        ErrorAnswers::unregisterBroker),
                new ForwardingHandler<IncrementalAlterConfigsRequest>(
                        ApiKey.INCREMENTAL_ALTER_CONFIGS,
                        channel,
                        request -> DEFAULT_TIMEOUT_MS,
                        ErrorAnswers::alterConfigs),
                new ForwardingHandler<AlterConfigsRequest>(
                        ApiKey.ALTER_CONFIGS, channel, request -> DEFAULT_TIMEOUT_MS, ErrorAnswers::replaceConfigs),
                new ForwardingHandler<UpdateFeaturesRequest>(
                        ApiKey.UPDATE_FEATURES,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        ErrorAnswers::updateFeatures),
                new ForwardingHandler<AddRaftVoterRequest>(
                        ApiKey.ADD_RAFT_VOTER,
                        channel,
                        request -> Math.max(request.timeoutMs(), LEAST_TIMEOUT_MS),
                        (request, error) -> new AddRaftVoterResponse().setErrorCode(error.code())),
                new ForwardingHandler<RemoveRaftVoterRequest>(
                        ApiKey.REMOVE_RAFT_VOTER,
                        channel,
                        request -> DEFAULT_TIMEOUT_MS,
                        (request, error) -> new RemoveRaftVoterResponse().setErrorCode(error.code())),
                new ForwardingHandler<DescribeQuorumRequest>(
                        ApiKey.DESCRIBE_QUORUM,
                        channel,
                        request -> DEFAULT_TIMEOUT_MS,
                        (request, error) -> new DescribeQuorumResponse().setErrorCode(error.code())));
    }
}
