package io.tidemark.broker.api;

import io.tidemark.broker.fetch.FetchContext;
import io.tidemark.broker.fetch.FetchSessions;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.partition.ReplicaBrokers;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.ReadReplicas;
import io.tidemark.broker.replication.Reader;
import io.tidemark.broker.time.Clock;
import java.util.List;

/** Fetch, for consumers and for followers. */
public final class FetchHandler implements ApiHandler<FetchRequest> {
    private static final byte READ_COMMITTED = 1;
    private static final short FIRST_VERSION_WITH_REPLICA_STATE = 15;
    private static final short FIRST_VERSION_FROM_FOLLOWERS = 11;

    private final HostedPartitions partitions;
    private final FetchSessions sessions;
    private final ReadReplicas readReplicas;
    private final Clock clock;
    private final int maxBytes;

    /**
     * @param readReplicas sends consumers to the replicas that are near them
     * @param maxBytes {@code fetch.max.bytes}, the most that a consumer gets at once
     */
    public FetchHandler(
            HostedPartitions partitions, FetchSessions sessions, ReadReplicas readReplicas, Clock clock, int maxBytes) {
        this.partitions = partitions;
        this.sessions = sessions;
        this.readReplicas = readReplicas;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    @Override
    public ApiKey apiKey() {
        return ApiKey.FETCH;
    }

    @Override
    public void handle(RequestContext context, FetchRequest request) {
        short version = context.apiVersion();
        Reader reader = reader(request, version);
        FetchContext fetch = sessions.open(
                request,
                version,
                reader instanceof Reader.Follower,
                topicId -> {
                    TopicImage topic = partitions.image().topics().topic(topicId);
                    return topic == null ? null : topic.name();
                },
                clock.monotonicMs());
        if (fetch.error() != ErrorCode.NONE) {
            context.respond(fetch.respond(List.of(), clock.monotonicMs()));
            return;
        }
        int limit = reader instanceof Reader.Follower ? request.maxBytes() : Math.min(request.maxBytes(), maxBytes);
        new FetchOperation(
                        partitions,
                        clock,
                        context,
                        fetch,
                        reader,
                        readReplicas,
                        request.rackId(),
                        limit,
                        Math.min(request.minBytes(), limit))
                .start(request.maxWaitMs());
    }

    private static Reader reader(FetchRequest request, short version) {
        boolean hasReplicaState = version >= FIRST_VERSION_WITH_REPLICA_STATE;
        int replicaId = hasReplicaState ? request.replicaState().replicaId() : request.replicaId();
        if (replicaId >= 0) {
            long brokerEpoch =
                    hasReplicaState ? request.replicaState().replicaEpoch() : ReplicaBrokers.UNKNOWN_BROKER_EPOCH;
            return new Reader.Follower(replicaId, brokerEpoch);
        }
        return new Reader.Consumer(request.isolationLevel() == READ_COMMITTED, version >= FIRST_VERSION_FROM_FOLLOWERS);
    }

    /** Whole-request errors have a place of their own since version 7; older ones must look at each partition. */
    @Override
    public FetchResponse errorResponse(FetchRequest request, short version, ErrorCode error) {
        FetchResponse response = new FetchResponse().setErrorCode(error.code());
        for (FetchRequest.FetchTopic topic : request.topics()) {
            FetchResponse.FetchableTopicResponse answers = new FetchResponse.FetchableTopicResponse()
                    .setTopic(topic.topic())
                    .setTopicId(topic.topicId());
            for (FetchRequest.FetchPartition partition : topic.partitions()) {
                answers.partitions().add(FetchOperation.failed(partition.partition(), error));
            }
            response.responses().add(answers);
        }
        return response;
    }
}
