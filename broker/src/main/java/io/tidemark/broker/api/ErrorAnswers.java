package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterConfigsRequest;
import io.tidemark.broker.protocol.message.AlterConfigsResponse;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsRequest;
import io.tidemark.broker.protocol.message.AlterPartitionReassignmentsResponse;
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
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import java.util.List;

/** For requests to the controller: the answer in which every part carries one error. */
final class ErrorAnswers {
    private ErrorAnswers() {}

    static UpdateFeaturesResponse updateFeatures(UpdateFeaturesRequest request, ErrorCode error) {
        UpdateFeaturesResponse response = new UpdateFeaturesResponse().setErrorCode(error.code());
        request.featureUpdates().forEach(update -> response.results()
                .add(new UpdateFeaturesResponse.UpdatableFeatureResult()
                        .setFeature(update.feature())
                        .setErrorCode(error.code())));
        return response;
    }

    static ApiMessage createTopics(CreateTopicsRequest request, ErrorCode error) {
        CreateTopicsResponse response = new CreateTopicsResponse();
        request.topics().forEach(topic -> response.topics()
                .add(new CreateTopicsResponse.CreatableTopicResult()
                        .setName(topic.name())
                        .setErrorCode(error.code())));
        return response;
    }

    static ApiMessage deleteTopics(DeleteTopicsRequest request, ErrorCode error) {
        DeleteTopicsResponse response = new DeleteTopicsResponse();
        request.topics().forEach(topic -> response.responses()
                .add(new DeleteTopicsResponse.DeletableTopicResult()
                        .setName(topic.name())
                        .setTopicId(topic.topicId())
                        .setErrorCode(error.code())));
        request.topicNames().forEach(name -> response.responses()
                .add(new DeleteTopicsResponse.DeletableTopicResult()
                        .setName(name)
                        .setErrorCode(error.code())));
        return response;
    }

    static ApiMessage createPartitions(CreatePartitionsRequest request, ErrorCode error) {
        CreatePartitionsResponse response = new CreatePartitionsResponse();
        request.topics().forEach(topic -> response.results()
                .add(new CreatePartitionsResponse.CreatePartitionsTopicResult()
                        .setName(topic.name())
                        .setErrorCode(error.code())));
        return response;
    }

    static ApiMessage electLeaders(ElectLeadersRequest request, ErrorCode error) {
        ElectLeadersResponse response = new ElectLeadersResponse().setErrorCode(error.code());
        List<ElectLeadersRequest.TopicPartitions> asked = request.topicPartitions();
        if (asked != null) {
            for (ElectLeadersRequest.TopicPartitions topic : asked) {
                ElectLeadersResponse.ReplicaElectionResult result =
                        new ElectLeadersResponse.ReplicaElectionResult().setTopic(topic.topic());
                topic.partitions().forEach(partition -> result.partitionResult()
                        .add(new ElectLeadersResponse.PartitionResult()
                                .setPartitionId(partition)
                                .setErrorCode(error.code())));
                response.replicaElectionResults().add(result);
            }
        }
        return response;
    }

    static ApiMessage reassignPartitions(AlterPartitionReassignmentsRequest request, ErrorCode error) {
        return new AlterPartitionReassignmentsResponse()
                .setAllowReplicationFactorChange(request.allowReplicationFactorChange())
                .setErrorCode(error.code())
                .setErrorMessage(null);
    }

    static ApiMessage listReassignments(ListPartitionReassignmentsRequest request, ErrorCode error) {
        return new ListPartitionReassignmentsResponse()
                .setErrorCode(error.code())
                .setErrorMessage(null);
    }

    static ApiMessage unregisterBroker(UnregisterBrokerRequest request, ErrorCode error) {
        return new UnregisterBrokerResponse().setErrorCode(error.code()).setErrorMessage(null);
    }

    static ApiMessage alterConfigs(IncrementalAlterConfigsRequest request, ErrorCode error) {
        IncrementalAlterConfigsResponse response = new IncrementalAlterConfigsResponse();
        request.resources().forEach(resource -> response.responses()
                .add(new IncrementalAlterConfigsResponse.AlterConfigsResourceResponse()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(error.code())));
        return response;
    }

    static ApiMessage replaceConfigs(AlterConfigsRequest request, ErrorCode error) {
        AlterConfigsResponse response = new AlterConfigsResponse();
        request.resources().forEach(resource -> response.responses()
                .add(new AlterConfigsResponse.AlterConfigsResourceResponse()
                        .setResourceType(resource.resourceType())
                        .setResourceName(resource.resourceName())
                        .setErrorCode(error.code())));
        return response;
    }
}
