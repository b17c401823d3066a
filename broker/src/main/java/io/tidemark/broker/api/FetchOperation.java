package io.tidemark.broker.api;

import io.tidemark.broker.fetch.FetchContext;
import io.tidemark.broker.fetch.FetchItem;
import io.tidemark.broker.fetch.FetchedPartition;
import io.tidemark.broker.partition.LeaderEpochEnd;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.purgatory.DelayedOperation;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.replication.PartitionLookup;
import io.tidemark.broker.replication.PartitionRead;
import io.tidemark.broker.replication.ReadReplicas;
import io.tidemark.broker.replication.Reader;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One fetch request on its way to its answer: reads, waits for enough, reads again. */
final class FetchOperation implements DelayedOperation {
    private static final short FIRST_VERSION_WITH_LEADER_HINTS = 16;

    private final HostedPartitions partitions;
    private final Clock clock;
    private final RequestContext context;
    private final FetchContext fetch;
    private final Reader reader;
    private final ReadReplicas readReplicas;
    private final String rack;
    private final int maxBytes;
    private final int minBytes;
    private final Map<FetchItem, ErrorCode> refused = new HashMap<>();

    FetchOperation(
            HostedPartitions partitions,
            Clock clock,
            RequestContext context,
            FetchContext fetch,
            Reader reader,
            ReadReplicas readReplicas,
            String rack,
            int maxBytes,
            int minBytes) {
        this.partitions = partitions;
        this.clock = clock;
        this.context = context;
        this.fetch = fetch;
        this.reader = reader;
        this.readReplicas = readReplicas;
        this.rack = rack;
        this.maxBytes = maxBytes;
        this.minBytes = minBytes;
    }

    void start(long maxWaitMs) {
        List<TopicPartition> keys = new ArrayList<>();
        for (FetchItem item : fetch.items()) {
            Found found = find(item);
            if (found.partition() != null) {
                keys.add(found.partition().topicPartition());
                if (reader instanceof Reader.Follower follower) {
                    ErrorCode error = found.partition().onFollowerFetch(follower, item);
                    if (error != ErrorCode.NONE) {
                        refused.put(item, error);
                    }
                }
            }
        }
        boolean hasNothingToWaitFor = fetch.items().isEmpty();
        partitions.waiting().completeOrWatch(this, keys, hasNothingToWaitFor ? 0 : maxWaitMs);
    }

    @Override
    public boolean isReady() {
        if (!context.isConnectionOpen() || !refused.isEmpty()) {
            return true;
        }
        if (minBytes <= 0) {
            return true;
        }
        boolean hasRecords = false;
        for (FetchItem item : fetch.items()) {
            Found found = find(item);
            HostedPartition partition = found.partition();
            if (partition == null) {
                return true;
            }
            if (preferredReplica(partition, item) != ReadReplicas.HERE || partition.hasNews(reader, item)) {
                return true;
            }
            hasRecords =
                    hasRecords || (!partitions.holdsBack(partition, reader) && partition.hasRecordsFor(reader, item));
        }
        return hasRecords && (minBytes == 1 || hasEnough());
    }

    private boolean hasEnough() {
        long bytes = 0;
        for (FetchItem item : fetch.items()) {
            HostedPartition partition = find(item).partition();
            if (partition != null && !partitions.holdsBack(partition, reader)) {
                bytes += partition.read(reader, item, item.maxBytes(), true).sizeInBytes();
            }
            if (bytes >= minBytes) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onComplete(boolean isExpired) {
        LeaderHints hints = new LeaderHints(partitions::image, context.listenerName());
        List<FetchedPartition> fetched = new ArrayList<>();
        int bytesLeft = context.isConnectionOpen() ? maxBytes : 0;
        // The first batch found goes out whole, whatever its size, so that every reader makes progress (KIP-74).
        boolean minOneBatch = true;
        for (FetchItem item : fetch.items()) {
            Found found = find(item);
            HostedPartition partition = found.partition();
            int preferred = partition == null ? ReadReplicas.HERE : preferredReplica(partition, item);
            PartitionRead read = null;
            if (partition != null && preferred != ReadReplicas.HERE) {
                read = partition.readNothing();
            } else if (partition != null) {
                boolean isHeldBack = partitions.holdsBack(partition, reader);
                int most = isHeldBack ? 0 : Math.min(item.maxBytes(), bytesLeft);
                read = partition.read(reader, item, most, minOneBatch && !isHeldBack);
                partitions.onSent(partition, reader, read.sizeInBytes());
            }
            ErrorCode error = read == null ? found.error() : refused.getOrDefault(item, read.error());
            FetchResponse.PartitionData data = read == null || error != ErrorCode.NONE
                    ? failed(item.partition(), error)
                    : data(item.partition(), read).setPreferredReadReplica(preferred);
            addHint(hints, item, error, data);
            fetched.add(new FetchedPartition(item, data));
            if (error == ErrorCode.NONE && read != null && read.sizeInBytes() > 0) {
                bytesLeft = Math.max(0, bytesLeft - read.sizeInBytes());
                minOneBatch = false;
            }
        }
        FetchResponse response = fetch.respond(fetched, clock.monotonicMs());
        for (LeaderHints.Node node : hints.nodes()) {
            response.nodeEndpoints()
                    .add(new FetchResponse.NodeEndpoint()
                            .setNodeId(node.nodeId())
                            .setHost(node.host())
                            .setPort(node.port())
                            .setRack(node.rack()));
        }
        context.respond(response);
    }

    /** The broker that a consumer had better read from, or {@link ReadReplicas#HERE}. */
    private int preferredReplica(HostedPartition partition, FetchItem item) {
        return reader instanceof Reader.Consumer consumer && consumer.mayReadFollower()
                ? readReplicas.preferred(partition, item, rack, context.listenerName())
                : ReadReplicas.HERE;
    }

    private void addHint(LeaderHints hints, FetchItem item, ErrorCode error, FetchResponse.PartitionData data) {
        boolean isHelped = error == ErrorCode.NOT_LEADER_OR_FOLLOWER || error == ErrorCode.FENCED_LEADER_EPOCH;
        TopicPartition name = item.topicPartition();
        if (!isHelped || name == null || context.apiVersion() < FIRST_VERSION_WITH_LEADER_HINTS) {
            return;
        }
        LeaderHints.Leader leader = hints.leader(name);
        if (leader != null) {
            data.setCurrentLeader(new FetchResponse.LeaderIdAndEpoch()
                    .setLeaderId(leader.leaderId())
                    .setLeaderEpoch(leader.leaderEpoch()));
        }
    }

    static FetchResponse.PartitionData failed(int partition, ErrorCode error) {
        return new FetchResponse.PartitionData()
                .setPartitionIndex(partition)
                .setErrorCode(error.code())
                .setHighWatermark(-1)
                .setRecords(BufferRecords.EMPTY);
    }

    private FetchResponse.PartitionData data(int partition, PartitionRead read) {
        FetchResponse.PartitionData data = new FetchResponse.PartitionData()
                .setPartitionIndex(partition)
                .setHighWatermark(read.highWatermark())
                .setLastStableOffset(read.lastStableOffset())
                .setLogStartOffset(read.logStartOffset())
                .setRecords(read.records() == null ? BufferRecords.EMPTY : read.records());
        boolean isReadCommitted = reader instanceof Reader.Consumer consumer && consumer.isReadCommitted();
        data.setAbortedTransactions(isReadCommitted ? aborted(read) : null);
        LeaderEpochEnd diverging = read.divergingEpoch();
        if (diverging != null) {
            data.setDivergingEpoch(new FetchResponse.EpochEndOffset()
                    .setEpoch(diverging.leaderEpoch())
                    .setEndOffset(diverging.endOffset()));
        }
        return data;
    }

    private static List<FetchResponse.AbortedTransaction> aborted(PartitionRead read) {
        List<FetchResponse.AbortedTransaction> aborted = new ArrayList<>();
        read.abortedTransactions()
                .forEach(transaction -> aborted.add(new FetchResponse.AbortedTransaction()
                        .setProducerId(transaction.producerId())
                        .setFirstOffset(transaction.firstOffset())));
        return aborted;
    }

    /** The replica that an item means, or the error that it gets. */
    private Found find(FetchItem item) {
        TopicPartition name = item.topicPartition();
        if (name == null) {
            return new Found(null, ErrorCode.UNKNOWN_TOPIC_ID);
        }
        PartitionLookup lookup = partitions.find(name);
        HostedPartition partition = lookup.partition();
        boolean isOfOtherTopic = partition != null
                && !item.topicId().isZero()
                && !partition.id().topicId().equals(item.topicId());
        return isOfOtherTopic ? new Found(null, ErrorCode.INCONSISTENT_TOPIC_ID) : new Found(partition, lookup.error());
    }

    private record Found(@Nullable HostedPartition partition, ErrorCode error) {}
}
