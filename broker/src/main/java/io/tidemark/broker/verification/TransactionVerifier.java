package io.tidemark.broker.verification;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.types.TopicPartition;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Asks the coordinator of a transaction about partitions. */
@FunctionalInterface
public interface TransactionVerifier {
    /**
     * @param answer called once, perhaps at once: NONE, or the coordinator's error, for each partition of the question.
     *     COORDINATOR_NOT_AVAILABLE where none is known, NETWORK_EXCEPTION where it did not answer
     */
    void ask(TransactionQuestion question, Consumer<Map<TopicPartition, ErrorCode>> answer);

    /** The same answer for every partition. */
    static Map<TopicPartition, ErrorCode> everywhere(TransactionQuestion question, ErrorCode error) {
        Map<TopicPartition, ErrorCode> answer = new TreeMap<>();
        question.partitions().forEach(partition -> answer.put(partition, error));
        return answer;
    }
}
