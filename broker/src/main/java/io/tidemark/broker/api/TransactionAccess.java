package io.tidemark.broker.api;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.runtime.CoordinatorRuntime;
import io.tidemark.broker.coordinator.runtime.ProducerIds;
import io.tidemark.broker.coordinator.runtime.ShardObserver;
import io.tidemark.broker.journal.NodeLog;
import io.tidemark.broker.metadata.MetadataImage;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.transaction.ProducerAnswer;
import io.tidemark.broker.transaction.TransactionCoordinator;
import io.tidemark.broker.transaction.TransactionEffect;
import io.tidemark.broker.transaction.TransactionSettings;
import io.tidemark.broker.transaction.markers.MarkerSender;
import io.tidemark.broker.types.TopicPartition;
import java.util.Collections;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of transaction requests share: which partition a transactional id is on, the shards of this node, and
 * the way round for a shard that needs a producer id before it can decide.
 */
public final class TransactionAccess {
    /** The topic that keeps transactional ids. */
    public static final String TRANSACTIONS_TOPIC = "__transaction_state";

    private static final NodeLog LOG = NodeLog.of(TransactionAccess.class);
    private static final long NO_PRODUCER_ID = -1;

    private final CoordinatorRuntime<TransactionCoordinator> runtime;
    private final TransactionSettings settings;
    private final ProducerIds producerIds;
    private final Supplier<MetadataImage> image;
    private final int configuredPartitions;
    private final long commitTimeoutMs;
    private @Nullable MarkerSender markerSender;

    /**
     * @param image the metadata as this node knows it now
     * @param configuredPartitions {@code transaction.state.log.num.partitions}, which counts until the topic is there
     * @param commitTimeoutMs {@code request.timeout.ms}
     */
    public TransactionAccess(
            CoordinatorRuntime<TransactionCoordinator> runtime,
            TransactionSettings settings,
            ProducerIds producerIds,
            Supplier<MetadataImage> image,
            int configuredPartitions,
            long commitTimeoutMs) {
        this.runtime = runtime;
        this.settings = settings;
        this.producerIds = producerIds;
        this.image = image;
        this.configuredPartitions = configuredPartitions;
        this.commitTimeoutMs = commitTimeoutMs;
    }

    /** This node leads the partition in that epoch, and has not read yet which transactional ids it coordinates by it. */
    public boolean isLoading(TopicPartition partition, int leaderEpoch) {
        return runtime.isLoading(partition, leaderEpoch);
    }

    CoordinatorRuntime<TransactionCoordinator> runtime() {
        return runtime;
    }

    TransactionSettings settings() {
        return settings;
    }

    ProducerIds producerIds() {
        return producerIds;
    }

    MetadataImage image() {
        return image.get();
    }

    long commitTimeoutMs() {
        return commitTimeoutMs;
    }

    /** The partition that the transactional id is on. */
    public int partitionOf(String transactionalId) {
        return partitionOf(transactionalId, image(), configuredPartitions);
    }

    /** The same by a given image; whom a leader of data asks about a transaction is the leader of that partition. */
    static int partitionOf(String transactionalId, MetadataImage image, int configuredPartitions) {
        TopicImage topic = image.topics().topic(TRANSACTIONS_TOPIC);
        return CoordinatorPartition.of(
                transactionalId,
                topic == null ? configuredPartitions : topic.partitions().size());
    }

    /** A decision of a shard that may need a producer id. */
    @FunctionalInterface
    interface ProducerDecision {
        CoordinatorResult<ProducerAnswer> decide(TransactionCoordinator shard, long newProducerId, long nowMs);
    }

    /** Lets the shard of an id decide, with a new producer id where it needs one. Answers once, perhaps later. */
    void decide(String transactionalId, ProducerDecision decision, Consumer<ProducerAnswer> answer) {
        decide(partitionOf(transactionalId), NO_PRODUCER_ID, decision, answer);
    }

    private void decide(int partition, long newProducerId, ProducerDecision decision, Consumer<ProducerAnswer> answer) {
        Consumer<ErrorCode> failed = error -> answer.accept(ProducerAnswer.failed(error));
        runtime.writeInSync(
                partition,
                commitTimeoutMs,
                (shard, nowMs) -> decision.decide(shard, newProducerId, nowMs),
                new Respond<ProducerAnswer>(
                        decided -> {
                            if (decided.needsProducerId()) {
                                producerIds.next(
                                        new Respond<Long>(id -> decide(partition, id, decision, answer), failed));
                            } else {
                                answer.accept(decided);
                            }
                        },
                        failed));
    }

    /** The partitions in which the end of an id's transaction is written, while others are missing. */
    Set<TopicPartition> ended(String transactionalId) {
        return markerSender == null ? Collections.emptySet() : markerSender.written(transactionalId);
    }

    /** Follows the leaderships of the topic; the shards' effects go to the sender of markers. */
    public void start(MarkerSender markers) {
        markerSender = markers;
        runtime.start(new ShardObserver<>() {
            @Override
            public void onTurn(int partition, int leaderEpoch, TransactionCoordinator shard) {
                for (TransactionEffect effect : shard.takeEffects()) {
                    if (effect instanceof TransactionEffect.SendMarkers ended) {
                        markers.add(partition, leaderEpoch, ended);
                    } else if (effect instanceof TransactionEffect.AbortTimedOut timedOut) {
                        abort(timedOut);
                    }
                }
            }

            @Override
            public void onGone(int partition) {
                markers.drop(partition);
            }
        });
    }

    private void abort(TransactionEffect.AbortTimedOut timedOut) {
        decide(
                timedOut.transactionalId(),
                (shard, newProducerId, nowMs) -> shard.abortTimedOut(timedOut, newProducerId, nowMs),
                answer -> {
                    // Where it failed, the next scan finds it again.
                    if (answer.error() == ErrorCode.NONE) {
                        LOG.info(
                                "Transaction of transactional id {} took too long and is aborted",
                                timedOut.transactionalId());
                    }
                });
    }

    /** All markers of a transaction are written; it is complete once that is in the log. */
    public void complete(int partition, TransactionEffect.SendMarkers written) {
        runtime.write(
                partition,
                commitTimeoutMs,
                (shard, nowMs) -> shard.complete(written, nowMs),
                new Respond<Boolean>(isNew -> {}, error -> onNotCompleted(written, error)));
    }

    private static void onNotCompleted(TransactionEffect.SendMarkers written, ErrorCode error) {
        // A new coordinator writes the markers again, which does no harm, and completes it.
        LOG.debug("Transactional id {} is not known to be complete: {}", written.transactionalId(), error);
    }
}
