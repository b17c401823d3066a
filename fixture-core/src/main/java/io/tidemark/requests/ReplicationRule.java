package io.tidemark.requests;

import io.netty.buffer.ByteBuf;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.BufferRecords;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Says which partitions a follower gets no more records of, and from which offset on. It fetches on, is answered, and stays
 * in its session with the controller; its other partitions are replicated. Immutable, and safe from any thread.
 *
 * <pre>{@code
 * RequestFault stalled = cluster.requests().replicationOf(3).partition("orders", 0).stallAt(100);
 * // broker 3 has the offsets up to 99; the high watermark waits for it until it falls out of the ISR
 * stalled.heal();
 * }</pre>
 */
public final class ReplicationRule {
    private static final int EVERY_PARTITION = -1;

    private final RequestRule fetches;
    private final RequestFaultBoard board;
    private final String followers;
    private final String topic;
    private final int partition;

    ReplicationRule(RequestRule fetches, RequestFaultBoard board, int... followerIds) {
        this(
                fetches.on(ApiKey.FETCH).fromNodes(named(followerIds)),
                board,
                Arrays.toString(followerIds),
                "",
                EVERY_PARTITION);
    }

    private static int[] named(int... followerIds) {
        if (followerIds.length == 0) {
            throw new IllegalArgumentException("A stall needs a follower; name at least one broker");
        }
        return followerIds;
    }

    private ReplicationRule(
            RequestRule fetches, RequestFaultBoard board, String followers, String topic, int partition) {
        this.fetches = fetches;
        this.board = board;
        this.followers = followers;
        this.topic = topic;
        this.partition = partition;
    }

    /** Only this topic, all of its partitions. */
    public ReplicationRule topic(String onlyTopic) {
        return new ReplicationRule(fetches, board, followers, onlyTopic, EVERY_PARTITION);
    }

    /** Only this partition. */
    public ReplicationRule partition(String onlyTopic, int onlyPartition) {
        return new ReplicationRule(fetches, board, followers, onlyTopic, onlyPartition);
    }

    /**
     * From now on the follower gets no records.
     *
     * @throws IllegalStateException if no topic was named
     */
    public RequestFault stall() {
        return stallAt(0);
    }

    /**
     * The follower gets no batch that has this offset or a later one. What it has already it keeps.
     *
     * @throws IllegalStateException if no topic was named
     */
    public RequestFault stallAt(long offset) {
        if (topic.isEmpty()) {
            throw new IllegalStateException("A stall of broker " + followers
                    + " needs a topic or a partition; chaos.stallReplication(id) stalls all of them");
        }
        RequestRule rule = partition == EVERY_PARTITION ? fetches.topic(topic) : fetches.partition(topic, partition);
        board.learnTopics();
        String what = "stall replication" + (offset == 0 ? "" : " at offset " + offset);
        return rule.declare(what, new RequestActions.Rewrite(answer -> without(answer, offset)));
    }

    /** Null where there is nothing to take out. */
    private @Nullable ApiMessage without(ApiMessage answer, long offset) {
        FetchResponse response = (FetchResponse) answer;
        boolean isChanged = false;
        for (FetchResponse.FetchableTopicResponse fetched : response.responses()) {
            String name = fetched.topic().isEmpty() ? board.topicNames().nameOf(fetched.topicId()) : fetched.topic();
            if (name.equals(topic)) {
                for (FetchResponse.PartitionData data : fetched.partitions()) {
                    if (partition == EVERY_PARTITION || data.partitionIndex() == partition) {
                        isChanged |= cut(data, offset);
                    }
                }
            }
        }
        return isChanged ? response : null;
    }

    private static boolean cut(FetchResponse.PartitionData data, long offset) {
        Records records = data.records();
        if (records == null || records.sizeInBytes() == 0) {
            return false;
        }
        ByteBuf bytes;
        try {
            bytes = records.toByteBuf();
        } catch (IOException e) {
            throw new UncheckedIOException("Fetched records are gone", e);
        }
        int kept = 0;
        for (RecordBatch batch : RecordBatches.of(bytes)) {
            if (batch.lastOffset() >= offset) {
                data.setRecords(new BufferRecords(bytes.slice(bytes.readerIndex(), kept)));
                return true;
            }
            kept += batch.sizeInBytes();
        }
        return false;
    }
}
