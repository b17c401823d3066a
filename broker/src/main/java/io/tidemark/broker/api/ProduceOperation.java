package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.purgatory.DelayedOperation;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.LocalAppend;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One produce request on its way to its answer. */
final class ProduceOperation implements DelayedOperation {
    private static final short FIRST_VERSION_WITH_LEADER_HINTS = 10;
    private static final long UNKNOWN_OFFSET = -1;

    private final HostedPartitions partitions;
    private final RequestContext context;
    private final LeaderHints hints;
    private final ProduceResponse response = new ProduceResponse();
    private final List<Write> writes = new ArrayList<>();
    private boolean hasFailed;

    ProduceOperation(HostedPartitions partitions, RequestContext context) {
        this.partitions = partitions;
        this.context = context;
        this.hints = new LeaderHints(partitions::image, context.listenerName());
    }

    static ProduceResponse.PartitionProduceResponse newAnswer(int partition) {
        return new ProduceResponse.PartitionProduceResponse()
                .setIndex(partition)
                .setBaseOffset(UNKNOWN_OFFSET);
    }

    ProduceResponse.TopicProduceResponse addTopic(String name, Uuid topicId, int partitionCount) {
        ProduceResponse.TopicProduceResponse topic = new ProduceResponse.TopicProduceResponse()
                .setName(name)
                .setTopicId(topicId)
                .setPartitionResponses(new ArrayList<>(partitionCount));
        response.responses().add(topic);
        return topic;
    }

    void succeed(
            ProduceResponse.PartitionProduceResponse answer,
            HostedPartition partition,
            int leaderEpoch,
            LocalAppend.Appended appended) {
        answer.setBaseOffset(appended.firstOffset())
                .setLogAppendTimeMs(appended.logAppendTimeMs())
                .setLogStartOffset(appended.logStartOffset());
        writes.add(new Write(answer, partition, leaderEpoch, appended.endOffset()));
    }

    void fail(
            ProduceResponse.PartitionProduceResponse answer,
            TopicPartition partition,
            ErrorCode error,
            @Nullable String message) {
        hasFailed = true;
        answer.setErrorCode(error.code()).setErrorMessage(message);
        if (error == ErrorCode.NOT_LEADER_OR_FOLLOWER && context.apiVersion() >= FIRST_VERSION_WITH_LEADER_HINTS) {
            LeaderHints.Leader leader = hints.leader(partition);
            if (leader != null) {
                answer.setCurrentLeader(new ProduceResponse.LeaderIdAndEpoch()
                        .setLeaderId(leader.leaderId())
                        .setLeaderEpoch(leader.leaderEpoch()));
            }
        }
    }

    void answer() {
        for (LeaderHints.Node node : hints.nodes()) {
            response.nodeEndpoints()
                    .add(new ProduceResponse.NodeEndpoint()
                            .setNodeId(node.nodeId())
                            .setHost(node.host())
                            .setPort(node.port())
                            .setRack(node.rack()));
        }
        context.respond(response);
    }

    /** With acks=0 nobody reads an answer; a closed connection is the only way to tell of an error. */
    void endUnanswered() {
        if (hasFailed) {
            context.closeConnection();
        } else {
            context.respondNothing();
        }
    }

    void answerWhenCommitted(long timeoutMs) {
        List<TopicPartition> keys = new ArrayList<>();
        for (Write write : writes) {
            keys.add(write.partition.topicPartition());
        }
        partitions.waiting().completeOrWatch(this, keys, timeoutMs);
    }

    @Override
    public boolean isReady() {
        for (Write write : writes) {
            if (outcome(write) == null) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void onComplete(boolean isExpired) {
        for (Write write : writes) {
            ErrorCode outcome = outcome(write);
            ErrorCode error = outcome == null ? ErrorCode.REQUEST_TIMED_OUT : outcome;
            if (error != ErrorCode.NONE) {
                fail(write.answer, write.partition.topicPartition(), error, null);
            }
        }
        answer();
    }

    private @Nullable ErrorCode outcome(Write write) {
        return partitions.acksAllOutcome(write.partition, write.endOffset, write.leaderEpoch);
    }

    /** A partition's records in the leader's log. */
    private record Write(
            ProduceResponse.PartitionProduceResponse answer,
            HostedPartition partition,
            int leaderEpoch,
            long endOffset) {}
}
