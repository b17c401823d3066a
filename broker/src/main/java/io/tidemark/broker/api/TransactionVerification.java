package io.tidemark.broker.api;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.record.RecordsRejectedException;
import io.tidemark.broker.record.VerificationGuard;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.time.Clock;
import io.tidemark.broker.time.Loop;
import io.tidemark.broker.types.TopicPartition;
import io.tidemark.broker.verification.TransactionQuestion;
import io.tidemark.broker.verification.TransactionSupport;
import io.tidemark.broker.verification.TransactionVerifier;
import io.tidemark.broker.verification.VerificationSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Sees to it that a transaction's coordinator knows of a partition before the transaction's first records are in it
 * (KIP-890). Otherwise a late request would open a transaction that nobody ends.
 */
public final class TransactionVerification {
    private final TransactionVerifier verifier;
    private final VerificationSettings settings;
    private final Loop loop;
    private final Clock clock;

    public TransactionVerification(
            TransactionVerifier verifier, VerificationSettings settings, Loop loop, Clock clock) {
        this.verifier = verifier;
        this.settings = settings;
        this.loop = loop;
        this.clock = clock;
    }

    /** What a producer is about to write to one partition that this broker leads. */
    record Part(HostedPartition partition, long producerId, short producerEpoch, int baseSequence) {}

    /**
     * @param parts of a request, each of another partition
     * @param then called once, perhaps at once, with a leave for each of them
     */
    void verify(
            String transactionalId,
            TransactionSupport support,
            List<Part> parts,
            Consumer<Map<TopicPartition, WriteLeave>> then) {
        if (parts.isEmpty() || !settings.asks(support)) {
            then.accept(Map.of());
            return;
        }
        Asking asking = new Asking(transactionalId, support, parts, clock.monotonicMs() + settings.retryMaxMs(), then);
        asking.start();
    }

    /** One request's questions, asked again while the producer's last transaction is still being completed. */
    private final class Asking {
        private final String transactionalId;
        private final TransactionSupport support;
        private final List<Part> parts;
        private final long giveUpAtMs;
        private final Consumer<Map<TopicPartition, WriteLeave>> then;

        private Asking(
                String transactionalId,
                TransactionSupport support,
                List<Part> parts,
                long giveUpAtMs,
                Consumer<Map<TopicPartition, WriteLeave>> then) {
            this.transactionalId = transactionalId;
            this.support = support;
            this.parts = parts;
            this.giveUpAtMs = giveUpAtMs;
            this.then = then;
        }

        private void start() {
            Map<TopicPartition, WriteLeave> leaves = new TreeMap<>();
            Map<TopicPartition, VerificationGuard> asked = new TreeMap<>();
            Part first = parts.get(0);
            for (Part part : parts) {
                TopicPartition name = part.partition.topicPartition();
                if (part.producerId != first.producerId) {
                    leaves.put(
                            name,
                            WriteLeave.refused(
                                    ErrorCode.INVALID_PRODUCER_ID_MAPPING,
                                    "The request has transactional records of more than one producer id"));
                    continue;
                }
                try {
                    VerificationGuard guard = startVerification(part);
                    if (guard.equals(VerificationGuard.NONE)) {
                        leaves.put(name, WriteLeave.granted(guard));
                    } else {
                        asked.put(name, guard);
                    }
                } catch (RecordsRejectedException e) {
                    leaves.put(name, WriteLeave.refused(e.errorCode(), e.getMessage()));
                }
            }
            if (asked.isEmpty()) {
                then.accept(leaves);
                return;
            }
            TransactionQuestion question = new TransactionQuestion(
                    transactionalId, first.producerId, first.producerEpoch, new ArrayList<>(asked.keySet()), support);
            verifier.ask(question, answer -> onAnswer(asked, answer, leaves));
        }

        private VerificationGuard startVerification(Part part) {
            return part.partition
                    .log()
                    .startVerification(
                            part.producerId,
                            part.producerEpoch,
                            part.baseSequence,
                            support.addsPartitions(),
                            clock.wallTimeMs());
        }

        private void onAnswer(
                Map<TopicPartition, VerificationGuard> asked,
                Map<TopicPartition, ErrorCode> answer,
                Map<TopicPartition, WriteLeave> leaves) {
            boolean isBusy = answer.containsValue(ErrorCode.CONCURRENT_TRANSACTIONS);
            if (isBusy && clock.monotonicMs() < giveUpAtMs) {
                loop.schedule(settings.retryBackoffMs(), this::start);
                return;
            }
            asked.forEach((name, guard) -> {
                ErrorCode error = answer.getOrDefault(name, ErrorCode.UNKNOWN_SERVER_ERROR);
                leaves.put(name, error == ErrorCode.NONE ? WriteLeave.granted(guard) : WriteLeave.refused(error, null));
            });
            then.accept(leaves);
        }
    }
}
