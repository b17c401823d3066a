package io.tidemark.broker.replication;

import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsRequest;
import io.tidemark.broker.protocol.message.AssignReplicasToDirsResponse;
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

/**
 * Tells the controller in which log directory replicas of this broker lie, where it does not know (AssignReplicasToDirs,
 * KIP-858): all that wait in one request, one request at a time, until the controller has taken each.
 */
final class DirectoryAssigner {
    private static final NodeLog LOG = NodeLog.of(DirectoryAssigner.class);
    private static final long REQUEST_TIMEOUT_MS = 30_000;
    private static final long MAX_BACKOFF_MS = 500;

    private final int brokerId;
    private final LongSupplier brokerEpoch;
    private final ControllerRequests controller;
    private final Loop loop;
    private final Backoff backoff = new Backoff(MAX_BACKOFF_MS);
    private final Map<TopicIdPartition, Uuid> waiting = new LinkedHashMap<>();
    private boolean isUnderWay;
    private boolean isClosed;

    DirectoryAssigner(int brokerId, LongSupplier brokerEpoch, ControllerRequests controller, Loop loop) {
        this.brokerId = brokerId;
        this.brokerEpoch = brokerEpoch;
        this.controller = controller;
        this.loop = loop;
    }

    /** The replica lies in this directory. */
    void assign(TopicIdPartition replica, Uuid directory) {
        waiting.put(replica, directory);
        loop.execute(this::send);
    }

    void close() {
        isClosed = true;
        waiting.clear();
    }

    private void send() {
        if (isClosed || isUnderWay || waiting.isEmpty()) {
            return;
        }
        Map<TopicIdPartition, Uuid> sent = new LinkedHashMap<>(waiting);
        waiting.clear();
        isUnderWay = true;
        controller.send(request(sent), REQUEST_TIMEOUT_MS, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                onAnswer(sent, (AssignReplicasToDirsResponse) response);
            }

            @Override
            public void onFailure(IOException cause) {
                LOG.debug("The controller did not answer on log directories; they are sent again", cause);
                again(sent);
            }
        });
    }

    private AssignReplicasToDirsRequest request(Map<TopicIdPartition, Uuid> assignments) {
        Map<Uuid, Map<Uuid, AssignReplicasToDirsRequest.TopicData>> byDirectory = new LinkedHashMap<>();
        assignments.forEach((replica, directory) -> byDirectory
                .computeIfAbsent(directory, id -> new LinkedHashMap<>())
                .computeIfAbsent(replica.topicId(), id -> new AssignReplicasToDirsRequest.TopicData().setTopicId(id))
                .partitions()
                .add(new AssignReplicasToDirsRequest.PartitionData().setPartitionIndex(replica.partition())));
        List<AssignReplicasToDirsRequest.DirectoryData> directories = new ArrayList<>();
        byDirectory.forEach((directory, topics) -> directories.add(new AssignReplicasToDirsRequest.DirectoryData()
                .setId(directory)
                .setTopics(new ArrayList<>(topics.values()))));
        return new AssignReplicasToDirsRequest()
                .setBrokerId(brokerId)
                .setBrokerEpoch(brokerEpoch.getAsLong())
                .setDirectories(directories);
    }

    /** A partition that is refused is gone, or is no replica of this broker any more. */
    private void onAnswer(Map<TopicIdPartition, Uuid> sent, AssignReplicasToDirsResponse response) {
        ErrorCode error = ErrorCode.forCode(response.errorCode());
        if (error != ErrorCode.NONE) {
            LOG.debug("The controller refused log directories: {}; they are sent again", error);
            again(sent);
            return;
        }
        isUnderWay = false;
        backoff.reset();
        send();
    }

    private void again(Map<TopicIdPartition, Uuid> assignments) {
        assignments.forEach(waiting::putIfAbsent);
        loop.schedule(backoff.next(), () -> {
            isUnderWay = false;
            send();
        });
    }
}
