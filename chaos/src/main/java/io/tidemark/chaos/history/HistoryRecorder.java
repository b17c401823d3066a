package io.tidemark.chaos.history;

import io.tidemark.chaos.history.History.LogEnd;
import io.tidemark.chaos.history.History.Poll;
import io.tidemark.chaos.history.History.Position;
import io.tidemark.chaos.history.History.Seen;
import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.History.Told;
import io.tidemark.chaos.history.History.Transaction;
import io.tidemark.chaos.history.History.TransactionEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Notes what goes through producers and consumers, for {@link HistoryChecker}. Wrap the clients of an application under one
 * name of a process; they behave as before. Values must differ from each other as text. Safe from any thread.
 *
 * <pre>{@code
 * HistoryRecorder recorder = new HistoryRecorder();
 * Producer<String, String> orders = recorder.producer("shop", producer);
 * orders.send(new ProducerRecord<>("orders", "order-1"));
 * recorder.readToEnd("auditor", consumer, IsolationLevel.READ_COMMITTED, "orders", Duration.ofSeconds(20));
 * new HistoryChecker().check(recorder.history()).assertHolds();
 * }</pre>
 */
public final class HistoryRecorder {
    private static final Duration POLL = Duration.ofMillis(50);

    private final List<OpenSend> sends = new ArrayList<>();
    private final List<Poll> polls = new ArrayList<>();
    private final List<Position> positions = new ArrayList<>();
    private final List<OpenTransaction> transactions = new ArrayList<>();
    private final List<LogEnd> logEnds = new ArrayList<>();
    private long steps;
    private long clients;

    /** A producer that does what the given one does, with each send and each transaction noted. */
    public <K, V> Producer<K, V> producer(String process, Producer<K, V> producer) {
        long number;
        synchronized (this) {
            number = clients++;
        }
        return RecordedProducer.of(this, process, process + "/" + number, producer);
    }

    /**
     * A consumer that does what the given one does, with each poll, rebalance and seek noted.
     *
     * @param isolation the consumer's {@code isolation.level}; Kafka's default is READ_UNCOMMITTED
     */
    public <K, V> Consumer<K, V> consumer(String process, Consumer<K, V> consumer, IsolationLevel isolation) {
        long number;
        synchronized (this) {
            number = clients++;
        }
        return RecordedConsumer.of(
                this, process, process + "/" + number, isolation == IsolationLevel.READ_COMMITTED, consumer);
    }

    /**
     * Reads every partition of a topic from its first record to its end, so that of each record can be said whether it is
     * there. The consumer is used from this thread, left unsubscribed, and not closed.
     *
     * @throws IllegalStateException if the end is not reached in time; the message says how far it came
     */
    public <K, V> void readToEnd(
            String process, Consumer<K, V> consumer, IsolationLevel isolation, String topic, Duration timeout) {
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(partition -> new TopicPartition(topic, partition.partition()))
                .toList();
        Consumer<K, V> recorded = consumer(process, consumer, isolation);
        recorded.assign(partitions);
        Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
        starts.forEach(recorded::seek);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (!ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
            recorded.poll(POLL);
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("Reading [" + topic + "] to its end took longer than "
                        + TimeUnit.NANOSECONDS.toMillis(timeout.toNanos()) + " ms; expected to come to " + ends
                        + "; an open transaction or a partition without a leader may be in the way");
            }
        }
        ends.forEach(
                (partition, end) -> logEnd(process, partition.toString(), starts.getOrDefault(partition, 0L), end));
        recorded.unsubscribe();
    }

    /** All that was noted so far. */
    public synchronized History history() {
        return new History(
                sends.stream().map(OpenSend::done).toList(),
                polls,
                positions,
                transactions.stream().map(OpenTransaction::done).toList(),
                logEnds);
    }

    /**
     * Notes by hand that a process sends a record now; until {@link OpenSend} is told otherwise, nobody knows its outcome.
     *
     * @param transaction the one that it is part of, or null
     * @param partition as in {@code orders-0}; null where that is not known yet
     */
    public synchronized OpenSend send(
            String process,
            @Nullable OpenTransaction transaction,
            @Nullable String partition,
            @Nullable String key,
            String value) {
        return send(process, process, transaction, partition, key, value);
    }

    synchronized OpenSend send(
            String process,
            String lane,
            @Nullable OpenTransaction transaction,
            @Nullable String partition,
            @Nullable String key,
            String value) {
        long number = transaction == null ? History.NO_TRANSACTION : transaction.number;
        OpenSend send = new OpenSend(new Send(
                steps++,
                History.UNKNOWN,
                process,
                lane,
                number,
                partition,
                History.UNKNOWN,
                key,
                value,
                Told.INDETERMINATE,
                ""));
        sends.add(send);
        return send;
    }

    /** Notes by hand that a transaction begins. */
    public synchronized OpenTransaction begin(String process) {
        OpenTransaction transaction = new OpenTransaction(transactions.size(), process, steps++);
        transactions.add(transaction);
        return transaction;
    }

    /** Notes by hand what a poll of a process has brought. */
    public void polled(String process, boolean committedOnly, List<Seen> seen) {
        polled(process, process, committedOnly, seen);
    }

    synchronized void polled(String process, String lane, boolean committedOnly, List<Seen> seen) {
        polls.add(new Poll(steps++, process, lane, committedOnly, seen));
    }

    /** Notes by hand that a consumer of a process goes on elsewhere; {@link History#UNKNOWN} where that is not known. */
    public synchronized void positioned(String process, String partition, long offset) {
        positions.add(new Position(steps++, process, partition, offset));
    }

    /** Notes by hand that a process has read all that a partition holds, from one offset up to the end. */
    public synchronized void logEnd(String process, String partition, long startOffset, long endOffset) {
        logEnds.add(new LogEnd(process, partition, startOffset, endOffset));
    }

    void positioned(String lane, Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> positioned(lane, partition.toString(), History.UNKNOWN));
    }

    void polled(String process, String lane, boolean committedOnly, Iterable<? extends ConsumerRecord<?, ?>> records) {
        List<Seen> seen = new ArrayList<>();
        for (ConsumerRecord<?, ?> record : records) {
            seen.add(new Seen(
                    record.topic() + "-" + record.partition(),
                    record.offset(),
                    text(record.key()),
                    String.valueOf(record.value())));
        }
        if (!seen.isEmpty()) {
            polled(process, lane, committedOnly, seen);
        }
    }

    static @Nullable String text(@Nullable Object key) {
        return key == null ? null : key.toString();
    }

    /** A send whose outcome is still to be told. What was told first counts. */
    public final class OpenSend {
        private Send send;

        private OpenSend(Send send) {
            this.send = send;
        }

        /** It is written, at this offset of this partition; an offset of -1, as with acks=0, means that nobody knows. */
        public void ok(String partition, long offset) {
            tell(partition, offset, offset < 0 ? Told.INDETERMINATE : Told.OK, "");
        }

        /** It is not written, and never will be. */
        public void failed(String why) {
            tell(send.partition(), History.UNKNOWN, Told.FAILED, why);
        }

        /** The client gave up. */
        public void indeterminate(String why) {
            tell(send.partition(), History.UNKNOWN, Told.INDETERMINATE, why);
        }

        private void tell(@Nullable String partition, long offset, Told told, String why) {
            synchronized (HistoryRecorder.this) {
                if (send.toldStep() == History.UNKNOWN) {
                    send = new Send(
                            send.step(),
                            steps++,
                            send.process(),
                            send.lane(),
                            send.transaction(),
                            partition,
                            offset,
                            send.key(),
                            send.value(),
                            told,
                            why);
                }
            }
        }

        private Send done() {
            return send;
        }
    }

    /** A transaction whose end is still to be told. */
    public final class OpenTransaction {
        private final long number;
        private final String process;
        private final long beginStep;
        private long commitStep = History.UNKNOWN;
        private long endStep = History.UNKNOWN;
        private TransactionEnd end = TransactionEnd.OPEN;

        private OpenTransaction(long number, String process, long beginStep) {
            this.number = number;
            this.process = process;
            this.beginStep = beginStep;
        }

        /** It is asked to be committed; until {@link #committed()} or {@link #aborted()}, nobody knows. */
        public void committing() {
            synchronized (HistoryRecorder.this) {
                if (commitStep == History.UNKNOWN) {
                    commitStep = steps++;
                }
                end = TransactionEnd.INDETERMINATE;
            }
        }

        public void committed() {
            end(TransactionEnd.COMMITTED);
        }

        public void aborted() {
            end(TransactionEnd.ABORTED);
        }

        /** Its producer failed to end it, and will not try again. */
        public void indeterminate() {
            end(commitStep == History.UNKNOWN ? TransactionEnd.OPEN : TransactionEnd.INDETERMINATE);
        }

        private void end(TransactionEnd how) {
            synchronized (HistoryRecorder.this) {
                endStep = steps++;
                end = how;
            }
        }

        private Transaction done() {
            return new Transaction(number, process, beginStep, commitStep, endStep, end);
        }
    }
}
