package io.tidemark;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddRaftVoterRequest;
import io.tidemark.broker.protocol.message.AddRaftVoterResponse;
import io.tidemark.broker.protocol.message.RemoveRaftVoterRequest;
import io.tidemark.broker.protocol.message.RemoveRaftVoterResponse;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest;
import io.tidemark.broker.protocol.message.UpdateFeaturesRequest.FeatureUpdateKey;
import io.tidemark.broker.protocol.message.UpdateFeaturesResponse;
import io.tidemark.broker.types.Uuid;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Changes who votes in the metadata quorum, as {@code kafka-metadata-quorum} does (KIP-853). */
final class ClusterQuorum {
    private static final byte UPGRADE = 1;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** It is not so far yet: a change is not committed, an observer has not caught up, a controller is elected. */
    private static final Set<ErrorCode> NOT_YET = EnumSet.of(
            ErrorCode.REQUEST_TIMED_OUT,
            ErrorCode.NOT_CONTROLLER,
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            ErrorCode.INVALID_UPDATE_VERSION);

    private final Cluster cluster;

    ClusterQuorum(Cluster cluster) {
        this.cluster = cluster;
    }

    private record Answer(short error, @Nullable String message) {}

    @FunctionalInterface
    private interface Question {
        Answer ask();
    }

    /** Puts the voters into the log, where they are not in it: {@code kraft.version} 1. It cannot be taken back. */
    void makeChangeable() {
        UpdateFeaturesRequest request = new UpdateFeaturesRequest().setTimeoutMs(timeoutMs());
        request.featureUpdates()
                .add(new FeatureUpdateKey()
                        .setFeature("kraft.version")
                        .setMaxVersionLevel((short) 1)
                        .setUpgradeType(UPGRADE));
        String task = "raise kraft.version to 1, so that controllers can come and go";
        untilDone(task, ErrorCode.NONE, () -> {
            UpdateFeaturesResponse response = ask(request, UpdateFeaturesResponse.class, task);
            return new Answer(response.errorCode(), response.errorMessage());
        });
    }

    /**
     * Gives a controller that runs a vote, as soon as it has the metadata.
     *
     * @param port where the other controllers reach it
     */
    void add(ClusterNode controller, int port) {
        AddRaftVoterRequest request = new AddRaftVoterRequest()
                .setClusterId(cluster.clusterId())
                .setTimeoutMs(timeoutMs())
                .setVoterId(controller.id())
                .setVoterDirectoryId(directoryOf(controller))
                .setAckWhenCommitted(true);
        request.listeners()
                .add(new AddRaftVoterRequest.Listener()
                        .setName(ClusterListeners.CONTROLLER)
                        .setHost(ClusterListeners.HOST)
                        .setPort(port));
        String task = "give controller " + controller.id() + " a vote";
        untilDone(task, ErrorCode.DUPLICATE_VOTER, () -> {
            AddRaftVoterResponse response = ask(request, AddRaftVoterResponse.class, task);
            return new Answer(response.errorCode(), response.errorMessage());
        });
    }

    /** Takes a controller its vote, whether it runs or not; another is the active one on return. */
    void remove(ClusterNode controller) {
        RemoveRaftVoterRequest request = new RemoveRaftVoterRequest()
                .setClusterId(cluster.clusterId())
                .setVoterId(controller.id())
                .setVoterDirectoryId(directoryOf(controller));
        String task = "take the vote of controller " + controller.id();
        untilDone(task, ErrorCode.VOTER_NOT_FOUND, () -> {
            RemoveRaftVoterResponse response = ask(request, RemoveRaftVoterResponse.class, task);
            return new Answer(response.errorCode(), response.errorMessage());
        });
        Readiness.awaitNothing(
                () -> {
                    int active = cluster.view().activeController().orElse(-1);
                    return active >= 0 && active != controller.id() ? List.of() : List.of("another active controller");
                },
                "Nobody took over from controller " + controller.id(),
                timeoutMs());
    }

    private static Uuid directoryOf(ClusterNode node) {
        return Uuid.fromString(ClusterFolder.meta(node.logDirectory()).getProperty("directory.id"));
    }

    private <R extends ApiMessage> R ask(ApiMessage request, Class<R> type, String task) {
        return cluster.askController(request, type, task);
    }

    /** @param done what a repeated question is refused with, where the one before was lost after it was done */
    private void untilDone(String task, ErrorCode done, Question question) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs());
        boolean isFirst = true;
        while (true) {
            Answer answer = question.ask();
            ErrorCode error = ErrorCode.forCode(answer.error());
            if (error == ErrorCode.NONE || (!isFirst && error == done)) {
                return;
            }
            if (!NOT_YET.contains(error) || System.nanoTime() > deadline) {
                throw new ClusterException(
                        "Could not " + task + ": " + error + (answer.message() == null ? "" : ": " + answer.message()));
            }
            isFirst = false;
            LockSupport.parkNanos(AGAIN_NANOS);
        }
    }

    private int timeoutMs() {
        return (int) Math.min(cluster.startTimeout().toMillis(), Integer.MAX_VALUE);
    }
}
