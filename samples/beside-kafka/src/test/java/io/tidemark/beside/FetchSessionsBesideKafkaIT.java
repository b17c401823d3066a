package io.tidemark.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.broker.fetch.FetchContext;
import io.tidemark.broker.fetch.FetchItem;
import io.tidemark.broker.fetch.FetchSessions;
import io.tidemark.broker.fetch.FetchedPartition;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.types.Uuid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchMetadata;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.server.FetchManager;
import org.apache.kafka.server.FetchSession.FetchSessionCache;
import org.apache.kafka.server.FetchSessionCacheShard;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers open, use, change and leave fetch sessions at random on ours and on Apache Kafka's cache of one shard: each
 * gets a session from both or from none, and each that is ended for another is ended in both (KIP-227). No two sessions
 * are of the same size or used at the same moment, since the choice between such two is by their ids, which are random.
 */
class FetchSessionsBesideKafkaIT {
    private static final int SLOTS = 4;
    private static final int STEPS = 4_000;
    private static final long EVICTION_MS = 120_000;
    private static final Uuid TOPIC = new Uuid(1, 1);
    private static final org.apache.kafka.common.Uuid THEIR_TOPIC = new org.apache.kafka.common.Uuid(1, 1);
    private static final short VERSION = ApiKeys.FETCH.latestVersion();

    private final ManualTime time = new ManualTime();
    private final FetchSessions ours = new FetchSessions(SLOTS, new SplittableRandom(7));
    private final FetchManager theirs = new FetchManager(
            time, new FetchSessionCache(List.of(new FetchSessionCacheShard(SLOTS, EVICTION_MS, Integer.MAX_VALUE, 0))));
    private final List<Reader> readers = new ArrayList<>();
    private SplittableRandom random = new SplittableRandom(0);

    private static final class ManualTime implements Time {
        private long nowMs = 1_000_000;

        @Override
        public long milliseconds() {
            return nowMs;
        }

        @Override
        public long nanoseconds() {
            return nowMs * 1_000_000;
        }

        @Override
        public void sleep(long ms) {
            nowMs += ms;
        }
    }

    /** One who has a session on both sides. */
    private static final class Reader {
        private final boolean isFollower;
        private final Set<Integer> partitions;
        private final int ourId;
        private final int theirId;
        private int sessionEpoch = 1;

        private Reader(boolean isFollower, Set<Integer> partitions, int ourId, int theirId) {
            this.isFollower = isFollower;
            this.partitions = partitions;
            this.ourId = ourId;
            this.theirId = theirId;
        }
    }

    /** What both sides say. */
    private record Answer(int ourId, int theirId, short ourError, short theirError) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void theSameReadersHaveASession(long seed) {
        random = new SplittableRandom(seed);
        int refused = 0;
        int ended = 0;
        for (int step = 0; step < STEPS; step++) {
            time.nowMs += random.nextInt(3) == 0 ? random.nextInt(1, 70_000) : random.nextInt(1, 5_000);
            int before = readers.size();
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> refused += open() ? 0 : 1;
                case 3 -> close();
                default -> use();
            }
            ended += dropEnded(seed, step);
            assertThat(readers.size()).isBetween(0, Math.max(before, SLOTS));
        }
        assertThat(refused).as("readers that got no session").isPositive();
        assertThat(ended).as("sessions that were ended for others").isPositive();
    }

    private Reader any() {
        return readers.get(random.nextInt(readers.size()));
    }

    /** @return whether there was room for a session */
    private boolean open() {
        boolean isFollower = random.nextInt(3) == 0;
        Set<Integer> partitions = partitions(unusedSize());
        Answer answer = ask(0, 0, FetchMetadata.INITIAL_EPOCH, isFollower, partitions, Set.of());
        assertThat(answer.ourError()).isEqualTo(answer.theirError()).isZero();
        assertThat(answer.ourId() > 0)
                .as("ours has room for a %s's session of %d, at %d ms", kind(isFollower), partitions.size(), time.nowMs)
                .isEqualTo(answer.theirId() > 0);
        if (answer.ourId() > 0) {
            readers.add(new Reader(isFollower, partitions, answer.ourId(), answer.theirId()));
        }
        return answer.ourId() > 0;
    }

    private static String kind(boolean isFollower) {
        return isFollower ? "follower" : "consumer";
    }

    private int unusedSize() {
        while (true) {
            int size = random.nextInt(1, 20);
            if (readers.stream().noneMatch(reader -> reader.partitions.size() == size)) {
                return size;
            }
        }
    }

    private static Set<Integer> partitions(int count) {
        Set<Integer> partitions = new HashSet<>();
        for (int i = 0; i < count; i++) {
            partitions.add(i);
        }
        return partitions;
    }

    private void close() {
        if (!readers.isEmpty()) {
            Reader reader = any();
            ask(reader.ourId, reader.theirId, FetchMetadata.FINAL_EPOCH, reader.isFollower, Set.of(0), Set.of());
        }
    }

    /** Goes on with a session; at times it then has other partitions. */
    private void use() {
        if (readers.isEmpty()) {
            return;
        }
        Reader reader = any();
        Set<Integer> wanted = random.nextInt(3) == 0 ? partitions(unusedSize()) : Set.copyOf(reader.partitions);
        Set<Integer> added = new HashSet<>(wanted);
        added.removeAll(reader.partitions);
        Set<Integer> forgotten = new HashSet<>(reader.partitions);
        forgotten.removeAll(wanted);
        Answer answer = ask(reader.ourId, reader.theirId, reader.sessionEpoch, reader.isFollower, added, forgotten);
        assertThat(answer.ourError()).isEqualTo(answer.theirError()).isZero();
        reader.sessionEpoch++;
        reader.partitions.clear();
        reader.partitions.addAll(wanted);
    }

    /** A request in a wrong epoch changes nothing, and is told whether there is such a session. */
    private int dropEnded(long seed, int step) {
        int before = readers.size();
        readers.removeIf(reader -> {
            Answer answer =
                    ask(reader.ourId, reader.theirId, reader.sessionEpoch + 7, reader.isFollower, Set.of(), Set.of());
            assertThat(answer.ourError())
                    .as(
                            "seed %d, step %d: whether the %s's session of %d is there",
                            seed, step, kind(reader.isFollower), reader.partitions.size())
                    .isEqualTo(answer.theirError());
            return answer.ourError() == org.apache.kafka.common.protocol.Errors.FETCH_SESSION_ID_NOT_FOUND.code();
        });
        return before - readers.size();
    }

    private Answer ask(
            int ourId, int theirId, int epoch, boolean isFollower, Set<Integer> partitions, Set<Integer> forgotten) {
        FetchResponse our = askOurs(ourId, epoch, isFollower, partitions, forgotten);
        var their = askTheirs(theirId, epoch, isFollower, partitions, forgotten);
        return new Answer(
                our.sessionId(),
                their.sessionId(),
                our.errorCode(),
                their.error().code());
    }

    private FetchResponse askOurs(
            int id, int epoch, boolean isFollower, Set<Integer> partitions, Set<Integer> forgotten) {
        FetchRequest request = new FetchRequest().setSessionId(id).setSessionEpoch(epoch);
        if (!partitions.isEmpty()) {
            FetchRequest.FetchTopic topic = new FetchRequest.FetchTopic().setTopicId(TOPIC);
            partitions.forEach(
                    partition -> topic.partitions().add(new FetchRequest.FetchPartition().setPartition(partition)));
            request.topics().add(topic);
        }
        if (!forgotten.isEmpty()) {
            request.forgottenTopicsData()
                    .add(new FetchRequest.ForgottenTopic().setTopicId(TOPIC).setPartitions(new ArrayList<>(forgotten)));
        }
        FetchContext context = ours.open(request, VERSION, isFollower, id1 -> "orders", time.nowMs);
        List<FetchedPartition> fetched = new ArrayList<>();
        for (FetchItem item : context.items()) {
            fetched.add(
                    new FetchedPartition(item, new FetchResponse.PartitionData().setPartitionIndex(item.partition())));
        }
        return context.respond(fetched, time.nowMs);
    }

    private org.apache.kafka.common.requests.FetchResponse askTheirs(
            int id, int epoch, boolean isFollower, Set<Integer> partitions, Set<Integer> forgotten) {
        Map<TopicIdPartition, org.apache.kafka.common.requests.FetchRequest.PartitionData> asked =
                new LinkedHashMap<>();
        partitions.forEach(partition -> asked.put(
                theirs(partition),
                new org.apache.kafka.common.requests.FetchRequest.PartitionData(
                        THEIR_TOPIC, 0, 0, 1_000, Optional.empty())));
        var context = theirs.newContext(
                VERSION,
                new FetchMetadata(id, epoch),
                isFollower,
                asked,
                forgotten.stream().map(FetchSessionsBesideKafkaIT::theirs).toList(),
                Map.of(THEIR_TOPIC, "orders"));
        LinkedHashMap<TopicIdPartition, FetchResponseData.PartitionData> answers = new LinkedHashMap<>();
        context.foreachPartition((partition, data) ->
                answers.put(partition, new FetchResponseData.PartitionData().setPartitionIndex(partition.partition())));
        return context.updateAndGenerateResponseData(answers, List.of());
    }

    private static TopicIdPartition theirs(int partition) {
        return new TopicIdPartition(THEIR_TOPIC, partition, "orders");
    }
}
