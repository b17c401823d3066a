package io.tidemark.broker.quorum;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.protocol.message.AllocateProducerIdsResponse;
import io.tidemark.broker.protocol.message.AlterConfigsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.BrokerHeartbeatResponse;
import io.tidemark.broker.protocol.message.BrokerRegistrationResponse;
import io.tidemark.broker.protocol.message.ControllerRegistrationResponse;
import io.tidemark.broker.protocol.message.CreatePartitionsResponse;
import io.tidemark.broker.protocol.message.CreateTopicsResponse;
import io.tidemark.broker.protocol.message.DeleteTopicsResponse;
import io.tidemark.broker.protocol.message.DescribeQuorumResponse;
import io.tidemark.broker.protocol.message.ElectLeadersResponse;
import io.tidemark.broker.protocol.message.IncrementalAlterConfigsResponse;
import io.tidemark.broker.protocol.message.ListPartitionReassignmentsResponse;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.protocol.message.UnregisterBrokerResponse;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;

/** Finds out of a response whether the node that answered was not the active controller. */
final class ControllerErrors {
    private static final short NOT_CONTROLLER = ErrorCode.NOT_CONTROLLER.code();

    private ControllerErrors() {}

    static boolean saysNotController(ApiMessage response) {
        if (response instanceof BrokerRegistrationResponse registration) {
            return registration.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof BrokerHeartbeatResponse heartbeat) {
            return heartbeat.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof AlterPartitionResponse alteration) {
            return alteration.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof AllocateProducerIdsResponse producerIds) {
            return producerIds.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof ControllerRegistrationResponse registration) {
            return registration.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof AddRaftVoterResponse addition) {
            return addition.errorCode() == ErrorCode.NOT_LEADER_OR_FOLLOWER.code();
        }
        if (response instanceof RemoveRaftVoterResponse removal) {
            return removal.errorCode() == ErrorCode.NOT_LEADER_OR_FOLLOWER.code();
        }
        if (response instanceof DescribeQuorumResponse quorum) {
            return quorum.topics().stream()
                    .flatMap(topic -> topic.partitions().stream())
                    .anyMatch(partition -> partition.errorCode() == ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
        }
        if (response instanceof CreateTopicsResponse creation) {
            return creation.topics().stream().anyMatch(topic -> topic.errorCode() == NOT_CONTROLLER);
        }
        if (response instanceof DeleteTopicsResponse deletion) {
            return deletion.responses().stream().anyMatch(topic -> topic.errorCode() == NOT_CONTROLLER);
        }
        if (response instanceof CreatePartitionsResponse creation) {
            return creation.results().stream().anyMatch(topic -> topic.errorCode() == NOT_CONTROLLER);
        }
        if (response instanceof ElectLeadersResponse elections) {
            return elections.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof AlterPartitionReassignmentsResponse reassignments) {
            return reassignments.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof ListPartitionReassignmentsResponse reassignments) {
            return reassignments.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof UnregisterBrokerResponse unregistration) {
            return unregistration.errorCode() == NOT_CONTROLLER;
        }
        if (response instanceof IncrementalAlterConfigsResponse configs) {
            return configs.responses().stream().anyMatch(resource -> resource.errorCode() == NOT_CONTROLLER);
        }
        if (response instanceof AlterConfigsResponse configs) {
            return configs.responses().stream().anyMatch(resource -> resource.errorCode() == NOT_CONTROLLER);
        }
        if (response instanceof UpdateFeaturesResponse features) {
            return features.errorCode() == NOT_CONTROLLER;
        }
        return false;
    }
}
