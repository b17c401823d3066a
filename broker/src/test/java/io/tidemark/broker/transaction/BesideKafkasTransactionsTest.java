package io.tidemark.broker.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.CoordinatorRecordSerde;
import io.tidemark.broker.protocol.MessageReader;
import io.tidemark.broker.protocol.transaction.TransactionLogValue;
import io.tidemark.broker.types.TopicPartition;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.coordinator.transaction.TransactionLog;
import org.apache.kafka.coordinator.transaction.TxnTransitMetadata;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The same steps on Apache Kafka's own metadata of a transaction and on ours, and the records of both. */
class BesideKafkasTransactionsTest {
    private static final String ID = "payments";
    private static final int TIMEOUT_MS = 60_000;
    private static final int STEPS = 3_000;

    private org.apache.kafka.coordinator.transaction.TransactionMetadata theirs;
    private TransactionMetadata ours;
    private org.apache.kafka.server.common.TransactionVersion theirVersion;
    private TransactionVersion ourVersion;
    private long nowMs = 1_000_000;
    private long nextProducerId = 50;

    @BeforeEach
    void begin() {
        begin(TransactionVersion.V0, (short) -1);
    }

    @ParameterizedTest
    @EnumSource(TransactionVersion.class)
    void everyStepLeadsToTheSameMetadataAndRecord(TransactionVersion version) {
        begin(version, (short) -1);
        Random random = new Random(17 + version.ordinal());
        for (int step = 0; step < STEPS; step++) {
            nowMs += random.nextInt(1_000);
            step(random);
        }
        // The same at the end of a producer id's epochs.
        for (int epoch = Short.MAX_VALUE - 4; epoch < Short.MAX_VALUE; epoch++) {
            begin(version, (short) epoch);
            for (int step = 0; step < 40; step++) {
                nowMs += random.nextInt(1_000);
                step(random);
            }
        }
    }

    private void begin(TransactionVersion version, short epoch) {
        ourVersion = version;
        theirVersion = org.apache.kafka.server.common.TransactionVersion.fromFeatureLevel(version.level());
        long producerId = nextProducerId++;
        theirs = new org.apache.kafka.coordinator.transaction.TransactionMetadata(
                ID,
                producerId,
                -1,
                -1,
                epoch,
                (short) -1,
                TIMEOUT_MS,
                org.apache.kafka.coordinator.transaction.TransactionState.EMPTY,
                Set.of(),
                -1,
                nowMs,
                org.apache.kafka.server.common.TransactionVersion.TV_0);
        TransactionMetadata unused = TransactionMetadata.unused(ID, producerId, TIMEOUT_MS, nowMs);
        ours = new TransactionMetadata(
                ID,
                producerId,
                unused.previousProducerId(),
                unused.nextProducerId(),
                epoch,
                unused.lastProducerEpoch(),
                TIMEOUT_MS,
                unused.state(),
                unused.partitions(),
                unused.startTimestampMs(),
                nowMs,
                unused.clientVersion());
    }

    private void step(Random random) {
        switch (ours.state()) {
            case PREPARE_COMMIT, PREPARE_ABORT -> take(theirs.prepareComplete(nowMs), ours.completed(nowMs));
            case ONGOING -> {
                switch (random.nextInt(4)) {
                    case 0 -> addPartition(random);
                    case 1 -> end(random.nextBoolean(), false);
                    case 2 -> end(false, false);
                    default -> fence();
                }
            }
            default -> {
                boolean isInitialized = ours.producerEpoch() >= 0;
                switch (isInitialized ? random.nextInt(4) : 0) {
                    case 0 -> initialize(random);
                    case 1 -> {
                        if (ourVersion.bumpsEpochAtEnd()) {
                            end(false, true);
                        }
                    }
                    default -> addPartition(random);
                }
            }
        }
    }

    private TransactionVersion atEnd() {
        return ourVersion.bumpsEpochAtEnd() ? TransactionVersion.V2 : TransactionVersion.V0;
    }

    private org.apache.kafka.server.common.TransactionVersion theirsAtEnd() {
        return org.apache.kafka.server.common.TransactionVersion.fromFeatureLevel(atEnd().level());
    }

    private void initialize(Random random) {
        short expected =
                switch (random.nextInt(4)) {
                    case 0 -> ours.producerEpoch();
                    case 1 -> ours.lastProducerEpoch();
                    case 2 -> (short) random.nextInt(5);
                    default -> (short) -1;
                };
        boolean names = expected >= 0;
        long newProducerId = nextProducerId++;
        Decision decision = InitProducerIdRules.decide(
                ID,
                ours,
                names ? new InitProducerIdRules.Expected(ours.producerId(), expected) : null,
                TIMEOUT_MS,
                ourVersion,
                newProducerId,
                nowMs);
        try {
            boolean rotates = theirs.isProducerEpochExhausted() && (!names || expected == theirs.producerEpoch());
            TxnTransitMetadata transit = rotates
                    ? theirs.prepareProducerIdRotation(newProducerId, TIMEOUT_MS, nowMs, names)
                    : theirs.prepareIncrementProducerEpoch(
                            TIMEOUT_MS, names ? Optional.of(expected) : Optional.empty(), nowMs);
            take(transit, ((Decision.Change) decision).next());
        } catch (ProducerFencedException | IllegalStateException refused) {
            assertThat(decision).isInstanceOf(Decision.Refused.class);
        }
    }

    private void addPartition(Random random) {
        TopicPartition partition = new TopicPartition(random.nextBoolean() ? "orders" : "returns", random.nextInt(3));
        TransactionVersion client = ourVersion.bumpsEpochAtEnd() ? TransactionVersion.V2 : TransactionVersion.V0;
        take(
                theirs.prepareAddPartitions(
                        Set.of(new org.apache.kafka.common.TopicPartition(partition.topic(), partition.partition())),
                        nowMs,
                        theirsAtEnd()),
                ours.withPartitions(new TreeSet<>(Collections.singleton(partition)), client, nowMs));
    }

    private void end(boolean commit, boolean isIdle) {
        long next = ourVersion.bumpsEpochAtEnd() && ours.isEpochExhausted() ? nextProducerId++ : -1;
        if (ourVersion.bumpsEpochAtEnd() && commit && ours.producerEpoch() == Short.MAX_VALUE) {
            return;
        }
        take(
                theirs.prepareAbortOrCommit(
                        commit
                                ? org.apache.kafka.coordinator.transaction.TransactionState.PREPARE_COMMIT
                                : org.apache.kafka.coordinator.transaction.TransactionState.PREPARE_ABORT,
                        theirsAtEnd(),
                        next,
                        nowMs,
                        isIdle),
                ours.prepared(commit, atEnd(), next, nowMs));
    }

    private void fence() {
        TxnTransitMetadata fence = theirs.prepareFenceProducerEpoch();
        theirs.pendingState(Optional.empty());
        if (!ourVersion.bumpsEpochAtEnd()) {
            theirs.setProducerEpoch(fence.producerEpoch());
            theirs.setLastProducerEpoch((short) -1);
        }
        long next = ourVersion.bumpsEpochAtEnd() && ours.isEpochExhausted() ? nextProducerId++ : -1;
        take(
                theirs.prepareAbortOrCommit(
                        org.apache.kafka.coordinator.transaction.TransactionState.PREPARE_ABORT,
                        theirsAtEnd(),
                        next,
                        nowMs,
                        false),
                ours.fenced(atEnd(), next, nowMs));
    }

    private void take(TxnTransitMetadata transit, TransactionMetadata next) {
        theirs.completeTransitionTo(transit);
        ours = next;
        assertThat(List.<Object>of(
                        next.producerId(),
                        next.previousProducerId(),
                        next.nextProducerId(),
                        next.producerEpoch(),
                        next.lastProducerEpoch(),
                        next.timeoutMs(),
                        next.state().name(),
                        named(next),
                        next.startTimestampMs(),
                        next.lastUpdateTimestampMs(),
                        next.clientVersion().level()))
                .isEqualTo(List.<Object>of(
                        theirs.producerId(),
                        theirs.prevProducerId(),
                        transit.nextProducerId(),
                        theirs.producerEpoch(),
                        theirs.lastProducerEpoch(),
                        theirs.txnTimeoutMs(),
                        theirs.state().name(),
                        theirs.topicPartitions(),
                        theirs.txnStartTimestamp(),
                        theirs.txnLastUpdateTimestamp(),
                        theirs.clientTransactionVersion().featureLevel()));
        compareRecords(transit, next);
    }

    private static Set<org.apache.kafka.common.TopicPartition> named(TransactionMetadata metadata) {
        Set<org.apache.kafka.common.TopicPartition> names = new HashSet<>();
        metadata.partitions()
                .forEach(partition -> names.add(
                        new org.apache.kafka.common.TopicPartition(partition.topic(), partition.partition())));
        return names;
    }

    private void compareRecords(TxnTransitMetadata transit, TransactionMetadata next) {
        CoordinatorRecord record = TransactionRecords.of(next, ourVersion);
        ApiMessage value = Objects.requireNonNull(record.value());
        byte[] bytes = CoordinatorRecordSerde.writeValue(value, record.valueVersion());
        byte[] theirBytes = TransactionLog.valueToBytes(transit, theirVersion);
        if (next.partitions().size() <= 1) {
            assertThat(bytes).isEqualTo(theirBytes);
        } else {
            // Kafka's order of partitions is that of a hash.
            assertThat(bytes).hasSameSizeAs(theirBytes);
        }
        MessageReader reader = new MessageReader(Unpooled.wrappedBuffer(theirBytes));
        short version = reader.readShort("version");
        TransactionLogValue read = new TransactionLogValue();
        read.read(reader, version);
        assertThat(TransactionRecords.read(ID, read).partitions()).isEqualTo(next.partitions());
    }

    @Test
    void keyIsKafkas() {
        assertThat(CoordinatorRecordSerde.writeKey(
                        TransactionRecords.tombstone(ID).key()))
                .isEqualTo(TransactionLog.keyToBytes(ID));
        assertThat(TransactionLog.read(ByteBuffer.wrap(TransactionLog.keyToBytes(ID)), null))
                .isInstanceOf(TransactionLog.TxnTombstone.class);
    }
}
