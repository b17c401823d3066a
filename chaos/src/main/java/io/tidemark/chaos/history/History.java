package io.tidemark.chaos.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What some processes did and were told. A process is one application: what its producers send and its consumers poll.
 * Partitions go by their names, as in {@code orders-0}; steps are numbered in one order over all processes. Immutable.
 *
 * <pre>{@code
 * History history = recorder.history();
 * assertThat(history.sends()).hasSize(100);
 * new HistoryChecker().check(history).assertHolds();
 * }</pre>
 *
 * @param sends every send, in the order of the calls
 * @param polls every poll that brought something, in the order of the returns
 * @param positions where consumers were put, by an assignment, a rebalance or a seek
 * @param transactions every transaction, in the order of their beginnings
 * @param logEnds how far a partition was read by {@link HistoryRecorder#readToEnd}
 */
public record History(
        List<Send> sends,
        List<Poll> polls,
        List<Position> positions,
        List<Transaction> transactions,
        List<LogEnd> logEnds) {
    /** For {@link Send#transaction()}: outside of any. */
    public static final long NO_TRANSACTION = -1;

    /** For an offset or a step that nobody knows. */
    public static final long UNKNOWN = -1;

    public History {
        sends = List.copyOf(sends);
        polls = List.copyOf(polls);
        positions = List.copyOf(positions);
        transactions = List.copyOf(transactions);
        logEnds = List.copyOf(logEnds);
    }

    /** What a producer was told of a send. */
    public enum Told {
        /** It is written, at an offset. */
        OK,
        /** It is not written and never will be. */
        FAILED,
        /** Nobody told, or only that the client gave up: it may be there, or come later. */
        INDETERMINATE
    }

    /** How a transaction ended, as far as its producer was told. */
    public enum TransactionEnd {
        /** It was never asked to be committed. */
        OPEN,
        COMMITTED,
        ABORTED,
        /** It was asked to be committed, and nobody told. */
        INDETERMINATE
    }

    /**
     * One record that was sent.
     *
     * @param step of the call
     * @param toldStep of the answer; {@link #UNKNOWN} where there was none
     * @param process who sent it
     * @param lane the producer and the thread: what one lane sends is in order
     * @param transaction its number, or {@link #NO_TRANSACTION}
     * @param partition where to; null where the client never came to choose
     * @param offset where it was told to be, or {@link #UNKNOWN}
     * @param key the key as text, or null
     * @param value what tells it from all others
     * @param told the outcome
     * @param why the error; empty for none
     */
    public record Send(
            long step,
            long toldStep,
            String process,
            String lane,
            long transaction,
            @Nullable String partition,
            long offset,
            @Nullable String key,
            String value,
            Told told,
            String why) {}

    /**
     * The records of one poll.
     *
     * @param step of the return
     * @param process who polled
     * @param lane the consumer: what one lane polls goes on where it was
     * @param committedOnly true for isolation.level=read_committed
     * @param seen in the order that they came
     */
    public record Poll(long step, String process, String lane, boolean committedOnly, List<Seen> seen) {
        public Poll {
            seen = List.copyOf(seen);
        }
    }

    /** One record that came. */
    public record Seen(
            String partition, long offset, @Nullable String key, String value) {}

    /** A consumer goes on elsewhere, at an offset or at one that is {@link #UNKNOWN} to the recorder. */
    public record Position(long step, String lane, String partition, long offset) {}

    /**
     * One transaction.
     *
     * @param number tells it from all others
     * @param process whose
     * @param beginStep when it began
     * @param commitStep when it was asked to be committed, or {@link #UNKNOWN}
     * @param endStep when it had ended or failed to, or {@link #UNKNOWN}
     * @param end how
     */
    public record Transaction(
            long number, String process, long beginStep, long commitStep, long endStep, TransactionEnd end) {}

    /** A process read a partition, from its first offset that was left up to this end. */
    public record LogEnd(String process, String partition, long startOffset, long endOffset) {}
}
