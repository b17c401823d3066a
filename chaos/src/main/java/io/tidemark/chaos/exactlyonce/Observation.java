package io.tidemark.chaos.exactlyonce;

import io.tidemark.OffsetCommit;
import io.tidemark.TransactionFate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is read when a run is over; what the verdict is made of.
 *
 * @param seed of the run
 * @param inputs every numbered input, in the order that they were sent
 * @param visible what a reader of committed records sees in the output, in each partition's order
 * @param visibleUncommitted how many a reader of uncommitted records sees
 * @param inLogs every record of the output in the log of any broker
 * @param commits every commit of the group, in the order of the log
 * @param committed where the group stands in each partition of the input
 * @param events what was done to the cluster and to the instances, in order
 * @param isTransactional true where output and offsets must be of one transaction
 */
record Observation(
        long seed,
        List<Input> inputs,
        List<Output> visible,
        int visibleUncommitted,
        List<Output> inLogs,
        List<OffsetCommit> commits,
        Map<String, Long> committed,
        List<Event> events,
        boolean isTransactional) {

    /** What became of an input. */
    enum InputFate {
        /** It is in the log, for readers of committed records. */
        THERE,
        /** Its transaction was aborted. */
        ABORTED,
        /** Its transaction was committed, and it is not in the log. */
        GONE,
        /** Nobody told, and it is not in the log. */
        UNKNOWN
    }

    /**
     * One input.
     *
     * @param partition where it is, as in {@code orders-0}; null where it is not to be seen
     * @param offset where it is; -1 where it is not to be seen
     */
    record Input(
            long number,
            String key,
            InputFate fate,
            @Nullable String partition,
            long offset) {
        @Override
        public String toString() {
            return partition == null ? "nowhere: " + fate : partition + " offset " + offset;
        }
    }

    /**
     * One record of the output.
     *
     * @param broker in whose log; 0 where a client or the test's own sink told
     */
    record Output(
            long number,
            String partition,
            long offset,
            int broker,
            long timestampMs,
            long producerId,
            short producerEpoch,
            TransactionFate fate) {
        @Override
        public String toString() {
            return partition + " offset " + offset + (broker == 0 ? "" : " in the log of broker " + broker)
                    + (producerId < 0 ? "" : ", producer " + producerId + " epoch " + producerEpoch)
                    + (fate == TransactionFate.PLAIN ? ", outside of any transaction" : ", transaction " + fate);
        }
    }

    /** Something that was done. */
    record Event(long timestampMs, String text) {}
}
