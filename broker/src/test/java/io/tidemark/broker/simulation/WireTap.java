package io.tidemark.broker.simulation;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.RequestFrames;
import io.tidemark.broker.protocol.ResponseFrames;
import io.tidemark.broker.protocol.message.AlterPartitionRequest;
import io.tidemark.broker.protocol.message.AlterPartitionResponse;
import io.tidemark.broker.protocol.message.VoteRequest;
import io.tidemark.broker.protocol.message.VoteResponse;
import io.tidemark.broker.quorum.QuorumInsight;
import io.tidemark.broker.raft.ReplicaKey;
import io.tidemark.broker.types.Uuid;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Listens on the wires for promises that are given there: a vote, which is given once in an epoch and not before it is
 * durable (INV-67), and an accepted change of the ISR, which is a compare-and-set (INV-16). It also knows when the
 * question was asked that an answer is for.
 */
final class WireTap {
    private final Map<ApiKey, Texts> texts = new EnumMap<>(ApiKey.class);
    private final Map<String, ReplicaKey> votes = new HashMap<>();
    private final Map<String, SortedSet<Integer>> granting = new HashMap<>();
    private final Map<Integer, Question> delivered = new HashMap<>();
    private IntFunction<@Nullable QuorumInsight> voters = id -> null;

    private record Texts(String asking, String answering) {}

    /**
     * A request.
     *
     * @param copy its bytes, where they matter
     */
    record Question(
            ApiKey api,
            short version,
            long sinceUs,
            @Nullable ByteBuf copy,
            String asking,
            String answering) {}

    /** Who has told a candidate that it has its vote. */
    SortedSet<Integer> votersFor(int candidate, int leaderEpoch) {
        return new TreeSet<>(granting.getOrDefault(candidate + " in " + leaderEpoch, new TreeSet<>()));
    }

    /** @param newVoters each node's part in the quorum, where it is up */
    void watch(IntFunction<@Nullable QuorumInsight> newVoters) {
        voters = newVoters;
    }

    /** Null where the frame is no request. */
    @Nullable
    Question question(ByteBuf frame, long nowUs) {
        ApiKey api = frame.readableBytes() < 4 ? null : ApiKey.forId(frame.getShort(frame.readerIndex()));
        if (api == null) {
            return null;
        }
        Texts named = texts.computeIfAbsent(
                api, key -> new Texts(key + " to {1}, {2} bytes", key + " answered to {1}, {2} bytes"));
        boolean matters = api == ApiKey.VOTE || api == ApiKey.ALTER_PARTITION;
        return new Question(
                api,
                frame.getShort(frame.readerIndex() + 2),
                nowUs,
                matters ? Unpooled.copiedBuffer(frame) : null,
                named.asking(),
                named.answering());
    }

    void onAnswer(int from, Question question, ByteBuf frame) {
        if (question.copy() == null) {
            return;
        }
        MessageReader in = new MessageReader(question.copy());
        RequestFrames.readHeader(in);
        ApiMessage request = RequestFrames.readBody(in, question.api(), question.version());
        MessageReader answer = new MessageReader(frame.slice());
        ResponseFrames.readHeader(answer, question.api(), question.version());
        ApiMessage response = ResponseFrames.readBody(answer, question.api(), question.version());
        if (request instanceof VoteRequest vote) {
            onVote(from, vote, (VoteResponse) response);
        } else {
            onIsr((AlterPartitionRequest) request, (AlterPartitionResponse) response);
        }
    }

    private void onVote(int from, VoteRequest request, VoteResponse response) {
        if (response.topics().isEmpty()) {
            return;
        }
        VoteRequest.PartitionData asked = request.topics().get(0).partitions().get(0);
        VoteResponse.PartitionData given = response.topics().get(0).partitions().get(0);
        if (!given.voteGranted() || asked.preVote()) {
            return;
        }
        ReplicaKey candidate = new ReplicaKey(asked.replicaId(), asked.replicaDirectoryId());
        ReplicaKey before = votes.put(from + " in " + asked.replicaEpoch(), candidate);
        granting.computeIfAbsent(candidate.nodeId() + " in " + asked.replicaEpoch(), key -> new TreeSet<>())
                .add(from);
        if (before != null && before.nodeId() != candidate.nodeId()) {
            throw new Violation("[INV-67] Controller " + from + " gives its vote in epoch " + asked.replicaEpoch()
                    + " to " + candidate.nodeId() + ", and gave it to " + before.nodeId());
        }
        QuorumInsight voter = voters.apply(from);
        if (voter != null && voter.isElectionPending()) {
            throw new Violation("[INV-67] Controller " + from + " gives its vote in epoch " + asked.replicaEpoch()
                    + " to " + candidate.nodeId() + " before it is durable");
        }
    }

    private static void onIsr(AlterPartitionRequest request, AlterPartitionResponse response) {
        if (response.errorCode() != 0) {
            return;
        }
        Map<String, Integer> asked = new HashMap<>();
        request.topics().forEach(topic -> topic.partitions()
                .forEach(partition ->
                        asked.put(key(topic.topicId(), partition.partitionIndex()), partition.partitionEpoch())));
        response.topics().forEach(topic -> topic.partitions().forEach(partition -> {
            Integer before = asked.get(key(topic.topicId(), partition.partitionIndex()));
            if (partition.errorCode() == 0 && before != null && partition.partitionEpoch() > before + 1) {
                throw new Violation("[INV-16] A change of the ISR of partition " + partition.partitionIndex() + " of "
                        + topic.topicId() + " that was asked for at partition epoch " + before
                        + " is accepted, and the partition is at epoch " + partition.partitionEpoch());
            }
        }));
    }

    private static String key(Uuid topicId, int partition) {
        return topicId + "-" + partition;
    }

    void onDelivery(int to, Question answered) {
        if (answered.api() == ApiKey.FETCH) {
            delivered.put(to, answered);
        }
    }

    /** When the fetch was sent whose answer the last event of a machine was about, or the greatest number. */
    long takeFetchAskedUs(int machine) {
        Question last = delivered.remove(machine);
        return last == null ? Long.MAX_VALUE : last.sinceUs();
    }
}
