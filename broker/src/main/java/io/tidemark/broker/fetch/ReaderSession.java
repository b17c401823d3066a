package io.tidemark.broker.fetch;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A fetch session as its reader keeps it: what the other side already knows need not be said again. Topic ids only. */
public final class ReaderSession {
    private final Map<FetchItem.Key, FetchItem> told = new LinkedHashMap<>();
    private int sessionId = FetchSession.NO_SESSION;
    private int sessionEpoch = FetchSession.OPENING_EPOCH;

    /**
     * Fills in the session and the partitions of the next request.
     *
     * @param items every partition to read
     */
    public void fill(FetchRequest request, Collection<FetchItem> items) {
        Map<FetchItem.Key, FetchItem> wanted = new LinkedHashMap<>();
        for (FetchItem item : items) {
            wanted.put(item.key(), item);
        }
        boolean isFull = sessionEpoch == FetchSession.OPENING_EPOCH;
        List<FetchItem> changed = new ArrayList<>();
        for (FetchItem item : wanted.values()) {
            if (isFull || !item.equals(told.get(item.key()))) {
                changed.add(item);
            }
        }
        request.setSessionId(sessionId).setSessionEpoch(sessionEpoch).setTopics(topics(changed));
        if (!isFull) {
            request.setForgottenTopicsData(forgotten(wanted));
        }
        told.clear();
        told.putAll(wanted);
    }

    /**
     * Takes in the session part of a response.
     *
     * @return NONE where the partitions of the response are good; else the next request starts a new session
     */
    public ErrorCode onResponse(FetchResponse response) {
        ErrorCode error = ErrorCode.forCode(response.errorCode());
        if (error != ErrorCode.NONE) {
            startAnew(error == ErrorCode.FETCH_SESSION_ID_NOT_FOUND ? FetchSession.NO_SESSION : sessionId);
            return error;
        }
        if (sessionEpoch == FetchSession.OPENING_EPOCH) {
            sessionId = response.sessionId();
        }
        sessionEpoch = sessionId == FetchSession.NO_SESSION
                ? FetchSession.OPENING_EPOCH
                : FetchSession.nextEpoch(sessionEpoch);
        return ErrorCode.NONE;
    }

    /** No response came, so what the other side knows is not known: the next request closes the session for a new one. */
    public void onFailure() {
        startAnew(sessionId);
    }

    private void startAnew(int closedSessionId) {
        sessionId = closedSessionId;
        sessionEpoch = FetchSession.OPENING_EPOCH;
        told.clear();
    }

    private static List<FetchRequest.FetchTopic> topics(List<FetchItem> items) {
        Map<Uuid, FetchRequest.FetchTopic> topics = new LinkedHashMap<>();
        for (FetchItem item : items) {
            topics.computeIfAbsent(item.topicId(), id -> new FetchRequest.FetchTopic().setTopicId(id))
                    .partitions()
                    .add(new FetchRequest.FetchPartition()
                            .setPartition(item.partition())
                            .setCurrentLeaderEpoch(item.currentLeaderEpoch())
                            .setFetchOffset(item.fetchOffset())
                            .setLastFetchedEpoch(item.lastFetchedEpoch())
                            .setLogStartOffset(item.logStartOffset())
                            .setPartitionMaxBytes(item.maxBytes())
                            .setHighWatermark(item.highWatermark()));
        }
        return new ArrayList<>(topics.values());
    }

    private List<FetchRequest.ForgottenTopic> forgotten(Map<FetchItem.Key, FetchItem> wanted) {
        Map<Uuid, FetchRequest.ForgottenTopic> topics = new LinkedHashMap<>();
        for (FetchItem item : told.values()) {
            if (!wanted.containsKey(item.key())) {
                topics.computeIfAbsent(item.topicId(), id -> new FetchRequest.ForgottenTopic().setTopicId(id))
                        .partitions()
                        .add(item.partition());
            }
        }
        return new ArrayList<>(topics.values());
    }
}
