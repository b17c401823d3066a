package io.tidemark.broker.transaction;

import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** A shard with a log in memory that commits at once, or when it is told. */
final class TransactionDriver {
    static final TransactionSettings SETTINGS = new TransactionSettings(900_000, 604_800_000, 10_000, 3_600_000, false);
    static final String ID = "payments";
    static final int TIMEOUT_MS = 60_000;
    static final TopicPartition ORDERS = new TopicPartition("orders", 0);

    final List<CoordinatorRecord> log = new ArrayList<>();
    TransactionVersion version = TransactionVersion.V2;
    TransactionCoordinator shard;
    long nowMs = 1_000_000;
    boolean isHeld;
    private long nextProducerId = 1_000;

    TransactionDriver() {
        shard = newShard();
    }

    private TransactionCoordinator newShard() {
        TransactionCoordinator fresh = new TransactionCoordinator(SETTINGS, () -> version);
        fresh.onCommitted(0);
        fresh.onLoaded(nowMs);
        return fresh;
    }

    /** Another node takes over, with what is in the log. */
    void failOver() {
        failOver(log.size());
    }

    /** The same to a node that has heard of less being committed than is. */
    void failOver(int knownCommitted) {
        shard = new TransactionCoordinator(SETTINGS, () -> version);
        for (int offset = 0; offset < log.size(); offset++) {
            shard.replay(offset, log.get(offset));
        }
        shard.onCommitted(knownCommitted);
        shard.onLoaded(nowMs);
    }

    <R> R take(CoordinatorResult<R> result) {
        for (CoordinatorRecord record : result.records()) {
            shard.replay(log.size(), record);
            log.add(record);
        }
        if (!isHeld) {
            commit();
        }
        return result.reply();
    }

    void commit() {
        shard.onCommitted(log.size());
    }

    private interface WithProducerId {
        CoordinatorResult<ProducerAnswer> decide(long newProducerId);
    }

    private ProducerAnswer decide(WithProducerId decision) {
        ProducerAnswer answer = take(decision.decide(-1));
        return answer.needsProducerId() ? take(decision.decide(nextProducerId++)) : answer;
    }

    ProducerAnswer init() {
        return init(-1, -1);
    }

    ProducerAnswer init(long expectedProducerId, int expectedEpoch) {
        return decide(
                newId -> shard.initProducerId(ID, TIMEOUT_MS, expectedProducerId, (short) expectedEpoch, newId, nowMs));
    }

    ErrorCode add(ProducerAnswer producer, TopicPartition... partitions) {
        return add(producer.producerId(), producer.producerEpoch(), partitions);
    }

    ErrorCode add(long producerId, int epoch, TopicPartition... partitions) {
        SortedSet<TopicPartition> added = new TreeSet<>(List.of(partitions));
        return take(shard.addPartitions(ID, producerId, (short) epoch, added, version, nowMs));
    }

    ProducerAnswer end(ProducerAnswer producer, boolean commit) {
        return end(producer.producerId(), producer.producerEpoch(), commit);
    }

    ProducerAnswer end(long producerId, int epoch, boolean commit) {
        TransactionVersion client = version.bumpsEpochAtEnd() ? TransactionVersion.V2 : TransactionVersion.V0;
        return decide(newId -> shard.end(new EndTxn(ID, producerId, (short) epoch, commit, client), newId, nowMs));
    }

    ProducerAnswer abortTimedOut(TransactionEffect.AbortTimedOut timedOut) {
        return decide(newId -> shard.abortTimedOut(timedOut, newId, nowMs));
    }

    /** Has the markers written that are asked for. */
    List<TransactionEffect.SendMarkers> writeMarkers() {
        List<TransactionEffect.SendMarkers> asked = markers();
        asked.forEach(markers -> take(shard.complete(markers, nowMs)));
        return asked;
    }

    List<TransactionEffect.SendMarkers> markers() {
        return shard.takeEffects().stream()
                .map(effect -> (TransactionEffect.SendMarkers) effect)
                .toList();
    }

    /** One whole transaction. */
    ProducerAnswer transaction(ProducerAnswer producer, boolean commit) {
        add(producer, ORDERS);
        ProducerAnswer ended = end(producer, commit);
        writeMarkers();
        return version.bumpsEpochAtEnd() ? ended : producer;
    }

    /** A producer whose epoch is as high as a client's can be. */
    ProducerAnswer initAtLastEpoch() {
        ProducerAnswer producer = init();
        while (producer.producerEpoch() < Short.MAX_VALUE - 1) {
            producer = init();
        }
        return producer;
    }

    String state() {
        return shard.describe(ID).transactionState();
    }

    int epoch() {
        return shard.describe(ID).producerEpoch();
    }
}
