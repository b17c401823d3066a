package io.tidemark.broker.verification;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTopic;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnRequest.AddPartitionsToTxnTransaction;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnPartitionResult;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnResult;
import io.tidemark.broker.protocol.message.AddPartitionsToTxnResponse.AddPartitionsToTxnTopicResult;
import io.tidemark.broker.transport.Peer;
import io.tidemark.broker.types.Endpoint;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The questions for one coordinator: those that come while a request is under way go together in the next one. */
final class CoordinatorQueue {
    private final Endpoint endpoint;
    private final Peer peer;
    private final long timeoutMs;
    private final List<Asked> waiting = new ArrayList<>();
    private boolean isUnderWay;

    private record Asked(TransactionQuestion question, Consumer<Map<TopicPartition, ErrorCode>> answer) {
        void fail(ErrorCode error) {
            answer.accept(TransactionVerifier.everywhere(question, error));
        }
    }

    CoordinatorQueue(Endpoint endpoint, Peer peer, long timeoutMs) {
        this.endpoint = endpoint;
        this.peer = peer;
        this.timeoutMs = timeoutMs;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    void add(TransactionQuestion question, Consumer<Map<TopicPartition, ErrorCode>> answer) {
        waiting.add(new Asked(question, answer));
        sendNext();
    }

    void close() {
        List<Asked> dropped = new ArrayList<>(waiting);
        waiting.clear();
        peer.close();
        dropped.forEach(asked -> asked.fail(ErrorCode.NETWORK_EXCEPTION));
    }

    private void sendNext() {
        if (isUnderWay || waiting.isEmpty()) {
            return;
        }
        Map<String, Asked> sent = takeOnePerId();
        AddPartitionsToTxnRequest request = new AddPartitionsToTxnRequest();
        sent.values().forEach(asked -> request.transactions().add(transaction(asked.question)));
        isUnderWay = true;
        peer.send(request, timeoutMs, new Peer.Reply() {
            @Override
            public void onResponse(ApiMessage response) {
                onAnswer(sent, (AddPartitionsToTxnResponse) response);
            }

            @Override
            public void onFailure(IOException cause) {
                end(() -> sent.values().forEach(asked -> asked.fail(ErrorCode.NETWORK_EXCEPTION)));
            }
        });
    }

    /** The answer names transactional ids only, so each is in a request once. */
    private Map<String, Asked> takeOnePerId() {
        Map<String, Asked> taken = new TreeMap<>();
        for (Iterator<Asked> each = waiting.iterator(); each.hasNext(); ) {
            Asked asked = each.next();
            if (taken.putIfAbsent(asked.question.transactionalId(), asked) == null) {
                each.remove();
            }
        }
        return taken;
    }

    private static AddPartitionsToTxnTransaction transaction(TransactionQuestion question) {
        Map<String, AddPartitionsToTxnTopic> topics = new TreeMap<>();
        for (TopicPartition partition : question.partitions()) {
            topics.computeIfAbsent(partition.topic(), name -> new AddPartitionsToTxnTopic().setName(name))
                    .partitions()
                    .add(partition.partition());
        }
        return new AddPartitionsToTxnTransaction()
                .setTransactionalId(question.transactionalId())
                .setProducerId(question.producerId())
                .setProducerEpoch(question.producerEpoch())
                .setVerifyOnly(!question.support().addsPartitions())
                .setTopics(new ArrayList<>(topics.values()));
    }

    private void onAnswer(Map<String, Asked> sent, AddPartitionsToTxnResponse response) {
        ErrorCode whole = ErrorCode.forCode(response.errorCode());
        if (whole != ErrorCode.NONE) {
            // Not allowed to ask: as if the transaction were not known.
            ErrorCode told = whole == ErrorCode.CLUSTER_AUTHORIZATION_FAILED ? ErrorCode.INVALID_TXN_STATE : whole;
            end(() -> sent.values().forEach(asked -> asked.fail(told)));
            return;
        }
        Map<String, AddPartitionsToTxnResult> results = new TreeMap<>();
        response.resultsByTransaction().forEach(result -> results.put(result.transactionalId(), result));
        end(() -> sent.forEach((id, asked) -> asked.answer.accept(answerOf(asked.question, results.get(id)))));
    }

    /** The next request goes before those are answered who would otherwise ask in between. */
    private void end(Runnable answers) {
        isUnderWay = false;
        sendNext();
        answers.run();
    }

    private static Map<TopicPartition, ErrorCode> answerOf(
            TransactionQuestion question, @Nullable AddPartitionsToTxnResult result) {
        Map<TopicPartition, ErrorCode> answer =
                TransactionVerifier.everywhere(question, ErrorCode.UNKNOWN_SERVER_ERROR);
        if (result == null) {
            return answer;
        }
        for (AddPartitionsToTxnTopicResult topic : result.topicResults()) {
            for (AddPartitionsToTxnPartitionResult partition : topic.resultsByPartition()) {
                ErrorCode error = ErrorCode.forCode(partition.partitionErrorCode());
                answer.replace(
                        new TopicPartition(topic.name(), partition.partitionIndex()), translated(error, question));
            }
        }
        return answer;
    }

    private static ErrorCode translated(ErrorCode error, TransactionQuestion question) {
        if (error == ErrorCode.PRODUCER_FENCED) {
            // Who writes is told of an epoch that is over, which producers may recover from.
            return ErrorCode.INVALID_PRODUCER_EPOCH;
        }
        boolean isUnknown =
                error == ErrorCode.TRANSACTION_ABORTABLE && question.support() == TransactionSupport.WITHOUT_ABORTABLE;
        return isUnknown ? ErrorCode.INVALID_TXN_STATE : error;
    }
}
