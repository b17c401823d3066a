package io.tidemark.broker.replication;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.fetch.FetchItem;
import io.tidemark.broker.fetch.ReaderSession;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.record.CorruptBatchException;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.TopicIdPartition;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.types.Uuid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fetches from one leader broker, all partitions that follow it, one request after the other in one fetch session.
 *
 * <p>A request may wait at the leader for records. A partition that is new must not wait for that, since nobody's
 * watermark moves before its first fetch: the link is closed, and opened again for a full request.
 */
final class ReplicaFetcher {
    private static final NodeLog LOG = NodeLog.of(ReplicaFetcher.class);

    private final int brokerId;
    private final int leaderId;
    private final LongSupplier brokerEpoch;
    private final ReplicationSettings settings;
    private final ReplicationThrottle throttle;
    private final Clock clock;
    private final Loop loop;
    private final Peer peer;
    private final Map<Slot, FollowedPartition> followed = new LinkedHashMap<>();
    private final Backoff linkBackoff;
    private final ReaderSession session = new ReaderSession();
    private @Nullable Exchange underWay;
    private Loop.@Nullable Timer timer;
    private boolean isScheduled;
    private boolean isClosed;

    ReplicaFetcher(
            int brokerId,
            int leaderId,
            LongSupplier brokerEpoch,
            ReplicationSettings settings,
            ReplicationThrottle throttle,
            Clock clock,
            Loop loop,
            Peer peer) {
        this.brokerId = brokerId;
        this.leaderId = leaderId;
        this.brokerEpoch = brokerEpoch;
        this.settings = settings;
        this.throttle = throttle;
        this.clock = clock;
        this.loop = loop;
        this.peer = peer;
        this.linkBackoff = new Backoff(settings.fetchBackoffMs());
    }

    /** Takes a partition on; its first fetch leaves in this turn of the loop. */
    void follow(HostedPartition partition, int leaderEpoch) {
        followed.put(Slot.of(partition.id()), new FollowedPartition(partition, leaderEpoch, settings.fetchBackoffMs()));
        if (underWay != null) {
            // Without what is under way: its reply will be ignored.
            underWay = null;
            session.onFailure();
            peer.close();
        }
        schedule();
    }

    void unfollow(TopicIdPartition partition) {
        followed.remove(Slot.of(partition));
    }

    /** The leader has come back, or its metadata has changed: a pause after an error has had its time. */
    void hurry() {
        linkBackoff.reset();
        followed.values().forEach(FollowedPartition::hurry);
        schedule();
    }

    boolean isIdle() {
        return followed.isEmpty();
    }

    void close() {
        isClosed = true;
        underWay = null;
        followed.clear();
        cancelTimer();
        peer.close();
    }

    /** Sends after the rest of this turn: more partitions may come with the same metadata. */
    private void schedule() {
        if (!isScheduled) {
            isScheduled = true;
            loop.execute(() -> {
                isScheduled = false;
                send();
            });
        }
    }

    private void send() {
        if (isClosed || underWay != null || followed.isEmpty()) {
            return;
        }
        cancelTimer();
        long nowMs = clock.monotonicMs();
        long earliestMs = Long.MAX_VALUE;
        Map<Slot, FetchItem> asked = new LinkedHashMap<>();
        for (FollowedPartition partition : followed.values()) {
            if (!partition.isReady(nowMs)) {
                earliestMs = Math.min(earliestMs, partition.notBeforeMs());
            } else if (partition.isOutOfRange()) {
                askBounds(partition);
                return;
            } else if (partition.isBehind()
                    && throttle.holdsBack(partition.partition().topicPartition(), nowMs)) {
                earliestMs = Math.min(earliestMs, nowMs + throttle.waitMs(nowMs));
            } else {
                asked.put(Slot.of(partition.partition().id()), partition.item(settings.fetchMaxBytes()));
            }
        }
        if (asked.isEmpty()) {
            sendLater(earliestMs - nowMs);
            return;
        }
        // Whoever pauses is not to pause longer because the others wait at the leader.
        int waitMs = (int) Math.min(settings.fetchWaitMaxMs(), earliestMs - nowMs);
        FetchRequest request = new FetchRequest()
                .setReplicaState(
                        new FetchRequest.ReplicaState().setReplicaId(brokerId).setReplicaEpoch(brokerEpoch.getAsLong()))
                .setMaxWaitMs(waitMs)
                .setMinBytes(settings.fetchMinBytes())
                .setMaxBytes(settings.fetchResponseMaxBytes());
        session.fill(request, asked.values());
        exchange(request, response -> onFetched(asked, (FetchResponse) response));
    }

    private void sendLater(long delayMs) {
        cancelTimer();
        timer = loop.schedule(Math.max(1, delayMs), () -> {
            timer = null;
            send();
        });
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void exchange(ApiMessage request, Exchange.Taker taker) {
        Exchange exchange = new Exchange(this, taker);
        underWay = exchange;
        peer.send(request, settings.socketTimeoutMs(), exchange);
    }

    private void onReply(Exchange exchange, ApiMessage response) {
        if (underWay != exchange) {
            return;
        }
        underWay = null;
        linkBackoff.reset();
        exchange.taker.take(response);
        send();
    }

    private void onFailure(Exchange exchange, IOException cause) {
        if (underWay != exchange) {
            return;
        }
        underWay = null;
        session.onFailure();
        long waitMs = linkBackoff.next();
        LOG.debug("Fetch from broker {} failed; again in {} ms", leaderId, waitMs, cause);
        sendLater(waitMs);
    }

    private void onFetched(Map<Slot, FetchItem> asked, FetchResponse response) {
        ErrorCode error = session.onResponse(response);
        if (error != ErrorCode.NONE) {
            LOG.debug("Broker {} ended the fetch session: {}", leaderId, error);
            pauseIfUnknown(error);
            return;
        }
        for (FetchResponse.FetchableTopicResponse topic : response.responses()) {
            for (FetchResponse.PartitionData data : topic.partitions()) {
                FollowedPartition partition = find(asked, topic, data);
                if (partition != null) {
                    onPartition(partition, data);
                }
            }
        }
    }

    /** Errors of the session are cured by the full request that follows at once; any other one may last. */
    private void pauseIfUnknown(ErrorCode error) {
        boolean isSessionError = error == ErrorCode.FETCH_SESSION_ID_NOT_FOUND
                || error == ErrorCode.INVALID_FETCH_SESSION_EPOCH
                || error == ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR;
        if (!isSessionError) {
            long nowMs = clock.monotonicMs();
            followed.values().forEach(partition -> partition.onError(nowMs));
        }
    }

    /** The partition that the answer is about, if it still is as it was when the question was asked. */
    private @Nullable FollowedPartition find(
            Map<Slot, FetchItem> asked, FetchResponse.FetchableTopicResponse topic, FetchResponse.PartitionData data) {
        Slot slot = new Slot(topic.topicId(), data.partitionIndex());
        FetchItem item = asked.get(slot);
        FollowedPartition partition = followed.get(slot);
        if (item == null || partition == null) {
            return null;
        }
        boolean isAsAsked = partition.leaderEpoch() == item.currentLeaderEpoch()
                && partition.partition().logEndOffset() == item.fetchOffset();
        return isAsAsked ? partition : null;
    }

    private void onPartition(FollowedPartition followedPartition, FetchResponse.PartitionData data) {
        HostedPartition partition = followedPartition.partition();
        ErrorCode error = ErrorCode.forCode(data.errorCode());
        if (error == ErrorCode.OFFSET_OUT_OF_RANGE) {
            followedPartition.onOutOfRange();
            return;
        }
        boolean isGood = error == ErrorCode.NONE && take(partition, data);
        if (isGood) {
            followedPartition.onSuccess();
            followedPartition.isBehind(partition.logEndOffset() < data.highWatermark());
            if (data.records() != null) {
                throttle.record(partition.topicPartition(), data.records().sizeInBytes(), clock.monotonicMs());
            }
        } else {
            LOG.debug("Fetch of {} from broker {} failed: {}", partition.topicPartition(), leaderId, error);
            followedPartition.onError(clock.monotonicMs());
        }
    }

    private boolean take(HostedPartition partition, FetchResponse.PartitionData data) {
        FollowerLog log = partition.followerLog();
        if (log == null) {
            return false;
        }
        LeaderEpochEnd diverging = new LeaderEpochEnd(
                data.divergingEpoch().epoch(), data.divergingEpoch().endOffset());
        if (diverging.leaderEpoch() >= 0 || diverging.endOffset() >= 0) {
            return log.cutAt(diverging);
        }
        try {
            return log.append(bytes(data.records()), data.highWatermark(), data.logStartOffset());
        } catch (CorruptBatchException | IOException e) {
            LOG.warn(
                    "Broker {} sent damaged records of {} at offset {}, which are fetched again: {}",
                    leaderId,
                    partition.topicPartition(),
                    partition.logEndOffset(),
                    e.getMessage());
            return false;
        }
    }

    private static ByteBuf bytes(@Nullable Records records) throws IOException {
        return records == null ? Unpooled.EMPTY_BUFFER : records.toByteBuf();
    }

    private void askBounds(FollowedPartition partition) {
        BoundsQuestion question = new BoundsQuestion(brokerId, partition);
        exchange(question.ofStart(), start -> {
            Long startOffset = answered(partition, question, start);
            if (startOffset != null) {
                exchange(question.ofEnd(), end -> {
                    Long endOffset = answered(partition, question, end);
                    FollowerLog log = partition.partition().followerLog();
                    if (endOffset != null && log != null && log.fitInto(startOffset, endOffset)) {
                        partition.onSuccess();
                    }
                });
            }
        });
    }

    private @Nullable Long answered(FollowedPartition partition, BoundsQuestion question, ApiMessage response) {
        TopicPartition asked = partition.partition().topicPartition();
        Long offset = question.answer((ListOffsetsResponse) response);
        if (offset == null) {
            LOG.debug("Broker {} did not tell the bounds of {}", leaderId, asked);
            partition.onError(clock.monotonicMs());
        }
        return offset;
    }

    /** The partitions taken on, for tests and reports. */
    Collection<FollowedPartition> followed() {
        return List.copyOf(new ArrayList<>(followed.values()));
    }

    /** A partition as a response names it. */
    private record Slot(Uuid topicId, int partition) {
        private static Slot of(TopicIdPartition id) {
            return new Slot(id.topicId(), id.partition());
        }
    }

    /** A request under way. */
    private static final class Exchange implements Peer.Reply {
        private final ReplicaFetcher fetcher;
        private final Taker taker;

        private Exchange(ReplicaFetcher fetcher, Taker taker) {
            this.fetcher = fetcher;
            this.taker = taker;
        }

        @Override
        public void onResponse(ApiMessage response) {
            fetcher.onReply(this, response);
        }

        @Override
        public void onFailure(IOException cause) {
            fetcher.onFailure(this, cause);
        }

        @FunctionalInterface
        interface Taker {
            void take(ApiMessage response);
        }
    }
}
