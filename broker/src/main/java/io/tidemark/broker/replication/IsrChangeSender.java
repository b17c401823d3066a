package io.tidemark.broker.replication;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.partition.IsrMember;
import io.tidemark.broker.partition.IsrProposal;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes proposals of in-sync sets to the controller (AlterPartition, KIP-497): all that are waiting in one request, one
 * request at a time, until each is answered or is no longer what its leader wants.
 */
final class IsrChangeSender {
    private static final NodeLog LOG = NodeLog.of(IsrChangeSender.class);
    private static final long REQUEST_TIMEOUT_MS = 30_000;
    private static final long MAX_BACKOFF_MS = 200;

    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final ControllerRequests controller;
    private final Loop loop;
    private final Backoff backoff = new Backoff(MAX_BACKOFF_MS);
    private final Map<TopicIdPartition, Change> waiting = new LinkedHashMap<>();
    private boolean isUnderWay;
    private boolean isScheduled;
    private boolean isClosed;

    IsrChangeSender(int brokerId, LongSupplier brokerEpoch, ControllerRequests controller, Loop loop) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.controller = controller;
        this.loop = loop;
    }

    /** Takes a proposal on; a later one of the same partition replaces it. */
    void propose(HostedPartition partition, IsrProposal proposal) {
        waiting.put(partition.id(), new Change(partition, proposal));
        if (!isUnderWay && !isScheduled) {
            isScheduled = true;
            loop.execute(this::send);
        }
    }

    void close() {
        isClosed = true;
        waiting.clear();
    }

    private void send() {
        isScheduled = false;
        waiting.values().removeIf(change -> !change.partition.isPending(change.proposal));
        if (isClosed || isUnderWay || waiting.isEmpty()) {
            return;
        }
        Map<TopicIdPartition, Change> sent = new LinkedHashMap<>(waiting);
        waiting.clear();
        isUnderWay = true;
        controller.send(request(sent.values()), REQUEST_TIMEOUT_MS, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                onAnswer(sent, (AlterPartitionResponse) response);
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("The controller did not answer on in-sync sets; they are sent again", cause);
                again(sent);
            }
        });
    }

    private AlterPartitionRequest request(Iterable<Change> changes) {
        Map<Uuid, AlterPartitionRequest.TopicData> topics = new LinkedHashMap<>();
        for (Change change : changes) {
            IsrProposal proposal = change.proposal;
            List<AlterPartitionRequest.BrokerState> members = new ArrayList<>();
            for (IsrMember member : proposal.isr()) {
                long epoch = member.brokerId() == brokerId ? brokerEpoch.getAsLong() : member.brokerEpoch();
                members.add(new AlterPartitionRequest.BrokerState()
                        .setBrokerId(member.brokerId())
                        .setBrokerEpoch(epoch));
            }
            Uuid topicId = change.partition.id().topicId();
            topics.computeIfAbsent(topicId, id -> new AlterPartitionRequest.TopicData().setTopicId(id))
                    .partitions()
                    .add(new AlterPartitionRequest.PartitionData()
                            .setPartitionIndex(change.partition.id().partition())
                            .setLeaderEpoch(proposal.leaderEpoch())
                            .setNewIsrWithEpochs(members)
                            .setLeaderRecoveryState(proposal.leaderRecoveryState())
                            .setPartitionEpoch(proposal.partitionEpoch()));
        }
        return new AlterPartitionRequest()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch.getAsLong())
                .setTopics(new ArrayList<>(topics.values()));
    }

    private void onAnswer(Map<TopicIdPartition, Change> sent, AlterPartitionResponse response) {
        ErrorCode error = ErrorCode.forCode(response.errorCode());
        if (error != ErrorCode.NONE) {
            LOG.debug("The controller refused a change of in-sync sets: {}; it is sent again", error);
            again(sent);
            return;
        }
        Map<TopicIdPartition, Change> unanswered = new LinkedHashMap<>(sent);
        boolean isRetryNeeded = false;
        for (AlterPartitionResponse.TopicData topic : response.topics()) {
            for (AlterPartitionResponse.PartitionData answer : topic.partitions()) {
                Change change = take(unanswered, topic.topicId(), answer.partitionIndex());
                if (change != null && !isSettled(change, answer)) {
                    waiting.putIfAbsent(change.partition.id(), change);
                    isRetryNeeded = true;
                }
            }
        }
        if (isRetryNeeded || !unanswered.isEmpty()) {
            again(unanswered);
        } else {
            isUnderWay = false;
            backoff.reset();
            send();
        }
    }

    private static @Nullable Change take(Map<TopicIdPartition, Change> from, Uuid topicId, int partition) {
        for (TopicIdPartition id : from.keySet()) {
            if (id.partition() == partition && id.topicId().equals(topicId)) {
                return from.remove(id);
            }
        }
        return null;
    }

    /** False where the same proposal is to be sent again. */
    private static boolean isSettled(Change change, AlterPartitionResponse.PartitionData answer) {
        HostedPartition partition = change.partition;
        ErrorCode error = ErrorCode.forCode(answer.errorCode());
        switch (error) {
            case NONE -> {
                partition.onIsrAccepted(answer.isr(), answer.leaderEpoch(), answer.partitionEpoch());
                return true;
            }
            case INELIGIBLE_REPLICA,
                    OPERATION_NOT_ATTEMPTED,
                    UNKNOWN_TOPIC_OR_PARTITION,
                    UNKNOWN_TOPIC_ID,
                    FENCED_LEADER_EPOCH,
                    INVALID_UPDATE_VERSION,
                    INVALID_REQUEST,
                    NEW_LEADER_ELECTED -> {
                LOG.debug(
                        "The controller refused the in-sync set {} of {}: {}",
                        change.proposal.isr(),
                        partition.topicPartition(),
                        error);
                partition.onIsrRefused(error);
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    private void again(Map<TopicIdPartition, Change> changes) {
        changes.forEach(waiting::putIfAbsent);
        loop.schedule(backoff.next(), () -> {
            isUnderWay = false;
            send();
        });
    }

    private record Change(HostedPartition partition, IsrProposal proposal) {}
}
