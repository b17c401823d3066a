package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.Records;
import io.tidemark.broker.protocol.message.FetchRequest;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ListOffsetsRequest;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.record.LogRecord;
import io.tidemark.broker.record.RecordBatch;
import io.tidemark.broker.record.RecordBatches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads a topic from its start, with the epoch checks of KIP-320, and asks for the latest offset now and then. */
final class Consumer extends Client {
    private static final long LATEST = -1;

    private final int number;
    private final String topic;
    private final int maxWaitMs;
    private final @Nullable CommittedView view;
    private final Map<Integer, Position> positions = new TreeMap<>();
    private @Nullable Topic known;
    private int turn;

    /** @param view where it reads what is committed in transactions only; null for one that reads all there is */
    Consumer(
            World world,
            Oracle oracle,
            Machine machine,
            int brokers,
            int number,
            String topic,
            @Nullable CommittedView view) {
        super(world, oracle, machine, brokers);
        this.view = view;
        this.number = number;
        this.topic = topic;
        this.maxWaitMs = random.nextInt(50, 500);
    }

    /** Where it is in one partition. */
    private static final class Position {
        long offset;
        int lastEpoch = -1;
        long latestSeen;
    }

    @Override
    void start() {
        loop.execute(() -> {
            refresh();
            later(50, this::poll);
        });
    }

    private void poll() {
        Topic current = topic(topic);
        if (current == null) {
            refresh();
            later(100, this::poll);
            return;
        }
        if (current != known) {
            known = current;
            positions.clear();
        }
        if (view != null && current.leaders.containsValue(-1)) {
            // It is waited for until it has read every partition.
            refresh();
        }
        List<Integer> led = new ArrayList<>();
        int leader = nextLeader(led);
        if (leader < 0) {
            refresh();
            later(100, this::poll);
        } else if (random.nextInt(4) == 0) {
            askLatest(leader, led);
        } else {
            fetch(leader, led);
        }
    }

    /** The leaders take turns. */
    private int nextLeader(List<Integer> led) {
        List<Integer> leaders = known.leaders.values().stream()
                .filter(leader -> leader >= 0)
                .distinct()
                .toList();
        if (leaders.isEmpty()) {
            return -1;
        }
        int leader = leaders.get(turn++ % leaders.size());
        known.leaders.forEach((partition, leads) -> {
            if (leads == leader) {
                led.add(partition);
            }
        });
        return leader;
    }

    private Position position(int partition) {
        return positions.computeIfAbsent(partition, number -> new Position());
    }

    private void fetch(int leader, List<Integer> led) {
        Topic asked = known;
        FetchRequest.FetchTopic part = new FetchRequest.FetchTopic().setTopicId(asked.id);
        for (int partition : led) {
            part.partitions()
                    .add(new FetchRequest.FetchPartition()
                            .setPartition(partition)
                            .setFetchOffset(position(partition).offset)
                            .setCurrentLeaderEpoch(asked.epoch(partition))
                            .setLastFetchedEpoch(position(partition).lastEpoch)
                            .setPartitionMaxBytes(4_096));
        }
        FetchRequest request = new FetchRequest()
                .setIsolationLevel(isolationLevel())
                .setMaxWaitMs(maxWaitMs)
                .setMinBytes(1)
                .setMaxBytes(1 << 20)
                .setSessionId(0)
                .setSessionEpoch(-1)
                .setTopics(new ArrayList<>(List.of(part)));
        send(
                leader,
                request,
                -1,
                response -> {
                    if (asked == known) {
                        take((FetchResponse) response);
                    }
                    later(random.nextLong(1, 100), this::poll);
                },
                this::afterFailure);
    }

    private byte isolationLevel() {
        return (byte) (view == null ? 0 : 1);
    }

    private void afterFailure() {
        refresh();
        later(50, this::poll);
    }

    private void take(FetchResponse response) {
        for (FetchResponse.FetchableTopicResponse answered : response.responses()) {
            for (FetchResponse.PartitionData data : answered.partitions()) {
                take(data);
            }
        }
    }

    private void take(FetchResponse.PartitionData data) {
        Position at = position(data.partitionIndex());
        ErrorCode error = ErrorCode.forCode(data.errorCode());
        switch (error) {
            case NONE -> {
                if (data.divergingEpoch().endOffset() >= 0) {
                    oracle.onTakenBack(
                            machine.id(),
                            known.id,
                            data.partitionIndex(),
                            at.offset,
                            "diverges at " + data.divergingEpoch().endOffset());
                    at.offset = Math.min(at.offset, data.divergingEpoch().endOffset());
                    at.lastEpoch = -1;
                    at.latestSeen = 0;
                } else {
                    read(data, at);
                }
            }
            case OFFSET_OUT_OF_RANGE -> {
                oracle.onTakenBack(machine.id(), known.id, data.partitionIndex(), at.offset, "is out of range");
                at.offset = 0;
                at.lastEpoch = -1;
                at.latestSeen = 0;
            }
            case NOT_LEADER_OR_FOLLOWER,
                    UNKNOWN_TOPIC_OR_PARTITION,
                    UNKNOWN_TOPIC_ID,
                    KAFKA_STORAGE_ERROR,
                    OFFSET_NOT_AVAILABLE,
                    FENCED_LEADER_EPOCH,
                    UNKNOWN_LEADER_EPOCH,
                    LEADER_NOT_AVAILABLE -> refresh();
            default -> oracle.onUnexpected(machine.id(), "a fetch is answered " + error);
        }
    }

    private void read(FetchResponse.PartitionData data, Position at) {
        Records records = data.records();
        if (records == null) {
            return;
        }
        try {
            if (view != null) {
                view.read(data, RecordBatches.of(records.toByteBuf()), at.offset);
            }
            for (RecordBatch batch : RecordBatches.of(records.toByteBuf())) {
                for (LogRecord record : batch.records()) {
                    if (record.offset() >= at.offset) {
                        oracle.onShown(
                                machine.id(),
                                known.id,
                                data.partitionIndex(),
                                record.offset(),
                                PartitionModel.text(record),
                                at.offset);
                        at.offset = record.offset() + 1;
                    }
                }
                at.lastEpoch = batch.partitionLeaderEpoch();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void askLatest(int leader, List<Integer> led) {
        Topic asked = known;
        ListOffsetsRequest.ListOffsetsTopic part = new ListOffsetsRequest.ListOffsetsTopic().setName(topic);
        for (int partition : led) {
            part.partitions()
                    .add(new ListOffsetsRequest.ListOffsetsPartition()
                            .setPartitionIndex(partition)
                            .setCurrentLeaderEpoch(asked.epoch(partition))
                            .setTimestamp(LATEST));
        }
        ListOffsetsRequest request = new ListOffsetsRequest()
                .setReplicaId(-1)
                .setIsolationLevel(isolationLevel())
                .setTopics(new ArrayList<>(List.of(part)));
        send(
                leader,
                request,
                -1,
                response -> {
                    if (asked == known && !oracle.isDeleted(asked.id)) {
                        takeLatest((ListOffsetsResponse) response);
                    }
                    later(random.nextLong(1, 100), this::poll);
                },
                this::afterFailure);
    }

    private void takeLatest(ListOffsetsResponse response) {
        for (ListOffsetsResponse.ListOffsetsTopicResponse answered : response.topics()) {
            for (ListOffsetsResponse.ListOffsetsPartitionResponse data : answered.partitions()) {
                if (data.errorCode() == 0) {
                    Position at = position(data.partitionIndex());
                    long before = Math.max(at.latestSeen, at.offset);
                    if (data.offset() < before) {
                        oracle.onTakenBack(
                                machine.id(),
                                known.id,
                                data.partitionIndex(),
                                before,
                                "is above the latest offset " + data.offset());
                    }
                    at.latestSeen = data.offset();
                    if (view != null) {
                        view.onLatest(data.partitionIndex(), data.offset());
                    }
                } else {
                    refresh();
                }
            }
        }
    }

    /** It has read all that is committed in transactions. */
    boolean isWhole() {
        Topic current = known;
        return view == null
                || current == null
                || current.leaders.keySet().stream()
                        .allMatch(partition -> view.isWhole(partition, position(partition).offset));
    }

    void checkRead() {
        if (view != null) {
            view.check();
        }
    }

    @Override
    public String toString() {
        return "consumer " + number + " of " + topic;
    }
}
