package io.tidemark.broker.api;

import io.tidemark.broker.log.ActiveProducer;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeProducersRequest;
import io.tidemark.broker.protocol.message.DescribeProducersResponse;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.types.TopicPartition;

/**
 * DescribeProducers (KIP-664): the producers that a replica of a partition remembers. A follower answers for itself, so
 * that a tool can look at one broker.
 */
public final class DescribeProducersHandler implements ApiHandler<DescribeProducersRequest> {
    private final HostedPartitions partitions;

    public DescribeProducersHandler(HostedPartitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.DESCRIBE_PRODUCERS;
    }

    @Override
    public void handle(RequestContext context, DescribeProducersRequest request) {
        DescribeProducersResponse response = new DescribeProducersResponse();
        for (DescribeProducersRequest.TopicRequest topic : request.topics()) {
            DescribeProducersResponse.TopicResponse answers =
                    new DescribeProducersResponse.TopicResponse().setName(topic.name());
            for (int partition : topic.partitionIndexes()) {
                answers.partitions().add(answer(new TopicPartition(topic.name(), partition)));
            }
            response.topics().add(answers);
        }
        context.respond(response);
    }

    private DescribeProducersResponse.PartitionResponse answer(TopicPartition name) {
        DescribeProducersResponse.PartitionResponse answer =
                new DescribeProducersResponse.PartitionResponse().setPartitionIndex(name.partition());
        PartitionLookup lookup = partitions.find(name);
        HostedPartition partition = lookup.partition();
        ErrorCode error = partition == null ? lookup.error() : partition.checkReplica();
        if (partition == null || error != ErrorCode.NONE) {
            return answer.setErrorCode(error.code());
        }
        for (ActiveProducer producer : partition.log().activeProducers()) {
            answer.activeProducers()
                    .add(new DescribeProducersResponse.ProducerState()
                            .setProducerId(producer.producerId())
                            .setProducerEpoch(producer.producerEpoch())
                            .setLastSequence(producer.lastSequence())
                            .setLastTimestamp(producer.lastTimestamp())
                            .setCoordinatorEpoch(producer.coordinatorEpoch())
                            .setCurrentTxnStartOffset(producer.openTransactionOffset()));
        }
        return answer;
    }

    @Override
    public DescribeProducersResponse errorResponse(DescribeProducersRequest request, short version, ErrorCode error) {
        DescribeProducersResponse response = new DescribeProducersResponse();
        for (DescribeProducersRequest.TopicRequest topic : request.topics()) {
            DescribeProducersResponse.TopicResponse answers =
                    new DescribeProducersResponse.TopicResponse().setName(topic.name());
            for (int partition : topic.partitionIndexes()) {
                answers.partitions()
                        .add(new DescribeProducersResponse.PartitionResponse()
                                .setPartitionIndex(partition)
                                .setErrorCode(error.code()));
            }
            response.topics().add(answers);
        }
        return response;
    }
}
