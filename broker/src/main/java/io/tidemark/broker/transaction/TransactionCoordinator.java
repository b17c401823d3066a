package io.tidemark.broker.transaction;

import io.tidemark.broker.coordinator.Answer;
import io.tidemark.broker.coordinator.CoordinatorRecord;
import io.tidemark.broker.coordinator.CoordinatorResult;
import io.tidemark.broker.coordinator.CoordinatorShard;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.DescribeTransactionsResponse;
import io.tidemark.broker.protocol.message.ListTransactionsRequest;
import io.tidemark.broker.protocol.message.ListTransactionsResponse;
import io.tidemark.broker.protocol.transaction.TransactionLogKey;
import io.tidemark.broker.protocol.transaction.TransactionLogValue;
import io.tidemark.broker.types.TopicPartition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The shard of one partition of {@code __transaction_state}: the transactional ids that fall on it.
 *
 * <p>It writes no markers. As the end of a transaction is committed it asks for them with an effect, and who writes them
 * comes back with {@link #complete}.
 */
public final class TransactionCoordinator implements CoordinatorShard {
    /** The timeout of transactions that take as long as they take (two-phase commit). */
    public static final int NO_TIMEOUT = TransactionMetadata.NO_TIMEOUT;

    /** So that many ids expire in one turn at most; the next ones do in the next. */
    private static final int EXPIRIES_A_TURN = 1_000;

    private final TransactionSettings settings;
    private final Supplier<TransactionVersion> version;
    private final Transactions transactions = new Transactions();
    private final List<TransactionEffect> effects = new ArrayList<>();
    private boolean isLoaded;
    private long nextAbortScanMs = NEVER;
    private long nextExpiryScanMs = NEVER;

    /** @param version what the cluster has finalized of {@code transaction.version} as of now */
    public TransactionCoordinator(TransactionSettings settings, Supplier<TransactionVersion> version) {
        this.settings = settings;
        this.version = version;
    }

    // ---- requests of producers

    /**
     * InitProducerId.
     *
     * @param expectedProducerId the producer id that the producer had, -1 for none
     * @param expectedProducerEpoch the epoch that it had, -1 for none
     * @param newProducerId a producer id that nobody has yet, or -1 where there is none at hand
     */
    public CoordinatorResult<ProducerAnswer> initProducerId(
            String transactionalId,
            int timeoutMs,
            long expectedProducerId,
            short expectedProducerEpoch,
            long newProducerId,
            long nowMs) {
        if (transactions.isBusy(transactionalId)) {
            return CoordinatorResult.of(ProducerAnswer.failed(ErrorCode.CONCURRENT_TRANSACTIONS));
        }
        InitProducerIdRules.Expected expected = expectedProducerId == TransactionMetadata.NO_PRODUCER_ID
                ? null
                : new InitProducerIdRules.Expected(expectedProducerId, expectedProducerEpoch);
        Decision decision = InitProducerIdRules.decide(
                transactionalId,
                transactions.find(transactionalId),
                expected,
                timeoutMs,
                version.get(),
                newProducerId,
                nowMs);
        // An open transaction is aborted first; whoever asked comes again once that is done.
        return result(
                decision,
                next -> next.state() == TransactionState.EMPTY
                        ? ProducerAnswer.of(next)
                        : ProducerAnswer.failed(ErrorCode.CONCURRENT_TRANSACTIONS));
    }

    /** What is wrong with the terms of an InitProducerId with a transactional id, or NONE. */
    public static ErrorCode checkTerms(
            TransactionSettings settings,
            String transactionalId,
            int timeoutMs,
            boolean isTwoPhaseCommit,
            boolean keepsPrepared) {
        if (transactionalId.isEmpty()) {
            return ErrorCode.INVALID_REQUEST;
        }
        if (isTwoPhaseCommit && !settings.isTwoPhaseCommitEnabled()) {
            return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        }
        if (keepsPrepared) {
            return ErrorCode.UNSUPPORTED_VERSION;
        }
        boolean isTimeoutValid = isTwoPhaseCommit || (timeoutMs > 0 && timeoutMs <= settings.maxTimeoutMs());
        return isTimeoutValid ? ErrorCode.NONE : ErrorCode.INVALID_TRANSACTION_TIMEOUT;
    }

    /** Adds partitions to the transaction; the first ones begin it. */
    public CoordinatorResult<ErrorCode> addPartitions(
            String transactionalId,
            long producerId,
            short producerEpoch,
            SortedSet<TopicPartition> partitions,
            TransactionVersion clientVersion,
            long nowMs) {
        ErrorCode fault = transactionalId.isEmpty()
                ? ErrorCode.INVALID_REQUEST
                : transactions.isBusy(transactionalId)
                        ? ErrorCode.CONCURRENT_TRANSACTIONS
                        : producerFault(transactionalId, producerId, producerEpoch);
        TransactionMetadata current = transactions.find(transactionalId);
        if (fault != ErrorCode.NONE || current == null) {
            return CoordinatorResult.of(fault);
        }
        if (current.state() == TransactionState.ONGOING && current.partitions().containsAll(partitions)) {
            return CoordinatorResult.of(ErrorCode.NONE);
        }
        return change(current.withPartitions(partitions, clientVersion, nowMs), ErrorCode.NONE);
    }

    /** Whether partitions are in the transaction (KIP-890), asked by their leaders before they take the first batch. */
    public SortedMap<TopicPartition, ErrorCode> verifyPartitions(
            String transactionalId, long producerId, short producerEpoch, SortedSet<TopicPartition> partitions) {
        ErrorCode fault = transactionalId.isEmpty()
                ? ErrorCode.INVALID_REQUEST
                : producerFault(transactionalId, producerId, producerEpoch);
        TransactionMetadata current = transactions.find(transactionalId);
        if (fault == ErrorCode.NONE && current != null && current.state().isPrepared()) {
            fault = ErrorCode.CONCURRENT_TRANSACTIONS;
        }
        SortedMap<TopicPartition, ErrorCode> outcomes = new TreeMap<>();
        for (TopicPartition partition : partitions) {
            boolean isIn = current != null && current.partitions().contains(partition);
            outcomes.put(
                    partition,
                    fault != ErrorCode.NONE ? fault : isIn ? ErrorCode.NONE : ErrorCode.TRANSACTION_ABORTABLE);
        }
        return outcomes;
    }

    private ErrorCode producerFault(String transactionalId, long producerId, short producerEpoch) {
        TransactionMetadata current = transactions.find(transactionalId);
        if (current == null || current.producerId() != producerId) {
            return ErrorCode.INVALID_PRODUCER_ID_MAPPING;
        }
        return current.producerEpoch() == producerEpoch ? ErrorCode.NONE : ErrorCode.PRODUCER_FENCED;
    }

    /**
     * EndTxn. A success tells that the end is certain; the markers come after it.
     *
     * @param newProducerId a producer id that nobody has yet, or -1 where there is none at hand
     */
    public CoordinatorResult<ProducerAnswer> end(EndTxn request, long newProducerId, long nowMs) {
        TransactionMetadata current = transactions.find(request.transactionalId());
        boolean isBusy = transactions.isBusy(request.transactionalId());
        if (request.transactionalId().isEmpty() || current == null) {
            return CoordinatorResult.of(ProducerAnswer.failed(
                    request.transactionalId().isEmpty()
                            ? ErrorCode.INVALID_REQUEST
                            : isBusy ? ErrorCode.CONCURRENT_TRANSACTIONS : ErrorCode.INVALID_PRODUCER_ID_MAPPING));
        }
        Decision decision = EndTxnRules.decide(current, isBusy, request, newProducerId, nowMs);
        // The producer goes on with what it will be once the transaction is complete.
        return result(decision, next -> ProducerAnswer.of(next.completed(nowMs)));
    }

    /** Aborts what a producer left open for too long, if it still is where it was. */
    public CoordinatorResult<ProducerAnswer> abortTimedOut(
            TransactionEffect.AbortTimedOut timedOut, long newProducerId, long nowMs) {
        TransactionMetadata current = transactions.find(timedOut.transactionalId());
        if (current == null
                || transactions.isBusy(timedOut.transactionalId())
                || current.producerId() != timedOut.producerId()
                || current.producerEpoch() != timedOut.producerEpoch()
                || !current.isTimedOut(nowMs)) {
            return CoordinatorResult.of(ProducerAnswer.failed(ErrorCode.CONCURRENT_TRANSACTIONS));
        }
        Decision decision = EndTxnRules.fence(current, version.get(), newProducerId, nowMs);
        return result(decision, next -> ProducerAnswer.of(next.completed(nowMs)));
    }

    private CoordinatorResult<ProducerAnswer> result(
            Decision decision, Function<TransactionMetadata, ProducerAnswer> answer) {
        if (decision instanceof Decision.Change change) {
            return change(change.next(), answer.apply(change.next()));
        }
        if (decision instanceof Decision.Repeated repeated) {
            return CoordinatorResult.of(ProducerAnswer.of(repeated.as()));
        }
        return CoordinatorResult.of(
                decision instanceof Decision.Refused refused
                        ? ProducerAnswer.failed(refused.error())
                        : ProducerAnswer.NEEDS_PRODUCER_ID);
    }

    private <R> CoordinatorResult<R> change(TransactionMetadata next, R reply) {
        transactions.propose(next);
        return new CoordinatorResult<>(List.of(TransactionRecords.of(next, version.get())), reply);
    }

    // ---- markers

    /**
     * Every marker of a transaction is written.
     *
     * @return true if the transaction is complete now, false if it was before or is another one by now
     */
    public CoordinatorResult<Boolean> complete(TransactionEffect.SendMarkers written, long nowMs) {
        TransactionMetadata current = transactions.find(written.transactionalId());
        if (current == null
                || transactions.isInTransition(written.transactionalId())
                || !current.state().isPrepared()
                || current.producerId() != written.producerId()
                || current.producerEpoch() != written.producerEpoch()) {
            return CoordinatorResult.of(false);
        }
        return change(current.completed(nowMs), true);
    }

    /** What is to be done since this was last asked, in order. */
    public List<TransactionEffect> takeEffects() {
        List<TransactionEffect> taken = List.copyOf(effects);
        effects.clear();
        return taken;
    }

    // ---- views

    public DescribeTransactionsResponse.TransactionState describe(String transactionalId) {
        return describe(transactionalId, Collections.emptySet());
    }

    /** @param ended the partitions in which the end of the id's transaction is written */
    public DescribeTransactionsResponse.TransactionState describe(String transactionalId, Set<TopicPartition> ended) {
        return TransactionViews.describe(transactionalId, transactions.find(transactionalId), ended);
    }

    /** @param idPattern what a whole id has to match, or null */
    public List<ListTransactionsResponse.TransactionState> list(
            ListTransactionsRequest request, @Nullable Pattern idPattern, long nowMs) {
        return TransactionViews.list(transactions.all(), request, idPattern, nowMs);
    }

    // ---- the shard

    @Override
    public void replay(long offset, CoordinatorRecord record) {
        if (record.key() instanceof TransactionLogKey key) {
            String transactionalId = key.transactionalId();
            TransactionMetadata metadata = record.value() instanceof TransactionLogValue value
                    ? TransactionRecords.read(transactionalId, value)
                    : null;
            transactions.replay(offset, transactionalId, metadata);
        }
    }

    @Override
    public void onCommitted(long endOffset) {
        transactions.onCommitted(endOffset, committed -> {
            if (isLoaded && committed.state().isPrepared()) {
                effects.add(markersOf(committed));
            }
        });
    }

    @Override
    public void onLoaded(long nowMs) {
        isLoaded = true;
        for (TransactionMetadata metadata : transactions.all()) {
            // A later record of the id can only say that all markers are written.
            if (metadata.state().isPrepared() && !transactions.isInTransition(metadata.transactionalId())) {
                effects.add(markersOf(metadata));
            }
        }
        nextAbortScanMs = nowMs + settings.abortIntervalMs();
        nextExpiryScanMs = nowMs + settings.expiryIntervalMs();
    }

    private static TransactionEffect markersOf(TransactionMetadata prepared) {
        return new TransactionEffect.SendMarkers(
                prepared.transactionalId(),
                prepared.producerId(),
                prepared.producerEpoch(),
                prepared.state() == TransactionState.PREPARE_COMMIT,
                prepared.partitions(),
                prepared.clientVersion());
    }

    @Override
    public long nextDeadlineMs() {
        return Math.min(nextAbortScanMs, nextExpiryScanMs);
    }

    @Override
    public CoordinatorResult<List<Answer<?>>> onDeadline(long nowMs) {
        if (nextAbortScanMs <= nowMs) {
            nextAbortScanMs = nowMs + settings.abortIntervalMs();
            for (TransactionMetadata metadata : transactions.all()) {
                if (metadata.isTimedOut(nowMs) && !transactions.isBusy(metadata.transactionalId())) {
                    effects.add(new TransactionEffect.AbortTimedOut(
                            metadata.transactionalId(), metadata.producerId(), metadata.producerEpoch()));
                }
            }
        }
        List<CoordinatorRecord> tombstones = nextExpiryScanMs <= nowMs ? expire(nowMs) : List.of();
        return new CoordinatorResult<>(tombstones, List.of());
    }

    private List<CoordinatorRecord> expire(long nowMs) {
        List<CoordinatorRecord> tombstones = new ArrayList<>();
        nextExpiryScanMs = nowMs + settings.expiryIntervalMs();
        for (TransactionMetadata metadata : transactions.all()) {
            boolean isExpired = metadata.state().isIdle()
                    && !transactions.isBusy(metadata.transactionalId())
                    && metadata.lastUpdateTimestampMs() <= nowMs - settings.idExpirationMs();
            if (isExpired && tombstones.size() == EXPIRIES_A_TURN) {
                nextExpiryScanMs = nowMs;
                break;
            }
            if (isExpired) {
                tombstones.add(TransactionRecords.tombstone(metadata.transactionalId()));
            }
        }
        return tombstones;
    }
}
