package io.tidemark.chaos.exactlyonce;

import io.tidemark.chaos.exactlyonce.Observation.Input;
import io.tidemark.chaos.exactlyonce.Observation.InputFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Numbered records, written in transactions of which some are aborted, all as a seed has it. */
final class SeededInput implements AutoCloseable {
    private static final int MOST_IN_TRANSACTION = 8;
    private static final int ONE_IN_ABORTED = 6;

    /** What was told of a record. */
    enum Told {
        COMMITTED,
        ABORTED,
        NOTHING
    }

    private record Sent(long number, String key, Told told) {}

    private final ExactlyOnce settings;
    private final SplittableRandom random;
    private final List<Sent> sent = new ArrayList<>();
    private final String transactionalId = "exactly-once-input-" + UUID.randomUUID();

    private @Nullable Producer<String, String> producer;

    SeededInput(ExactlyOnce settings) {
        this.settings = settings;
        this.random = new SplittableRandom(settings.seed);
    }

    /** How many were sent so far. */
    int sent() {
        return sent.size();
    }

    /** How many of them the cluster has said to be committed. */
    int committed() {
        return (int) sent.stream().filter(one -> one.told() == Told.COMMITTED).count();
    }

    /** Sends the next so many, or what is left. */
    void send(int count) {
        int end = Math.min(settings.records, sent.size() + count);
        while (sent.size() < end) {
            sendTransaction(Math.min(end - sent.size(), 1 + random.nextInt(MOST_IN_TRANSACTION)));
        }
    }

    private void sendTransaction(int size) {
        boolean isAborted = random.nextInt(ONE_IN_ABORTED) == 0 && settings.hasAbortedInput;
        List<Sent> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            numbers.add(new Sent(sent.size() + i, "key-" + random.nextInt(settings.keys), Told.NOTHING));
        }
        Told told = Told.NOTHING;
        try {
            Producer<String, String> sender = sender();
            sender.beginTransaction();
            numbers.forEach(next ->
                    sender.send(new ProducerRecord<>(settings.input, next.key(), Long.toString(next.number()))));
            if (isAborted) {
                sender.flush();
                sender.abortTransaction();
                told = Told.ABORTED;
            } else {
                sender.commitTransaction();
                told = Told.COMMITTED;
            }
        } catch (KafkaException e) {
            // Nobody knows then; the input itself will tell. A new producer fences the old one's transaction.
            close();
        }
        for (Sent next : numbers) {
            sent.add(new Sent(next.number(), next.key(), told));
        }
    }

    /** Has the cluster end a transaction that nobody was told the end of, as the next one would: it hides what is behind it. */
    void endTransactions() {
        if (producer == null && !sent.isEmpty()) {
            try {
                sender();
            } catch (KafkaException e) {
                close();
            }
        }
    }

    private Producer<String, String> sender() {
        Producer<String, String> sender = producer;
        if (sender == null) {
            sender = settings.cluster
                    .clients()
                    .producer(
                            String.class,
                            String.class,
                            // A broker that stands still is given up soon, so that the input goes on elsewhere.
                            Map.of(
                                    "transactional.id",
                                    transactionalId,
                                    "linger.ms",
                                    "0",
                                    "max.block.ms",
                                    "30000",
                                    "request.timeout.ms",
                                    "2000",
                                    "delivery.timeout.ms",
                                    "30000"));
            sender.initTransactions();
            producer = sender;
        }
        return sender;
    }

    /** What became of each, where the input has these, by their numbers. */
    List<Input> judged(Map<Long, Observation.Output> there) {
        List<Input> inputs = new ArrayList<>();
        for (Sent next : sent) {
            Observation.Output at = there.get(next.number());
            InputFate fate = at != null && next.told() != Told.ABORTED
                    ? InputFate.THERE
                    : switch (next.told()) {
                        case COMMITTED -> InputFate.GONE;
                        case ABORTED -> InputFate.ABORTED;
                        case NOTHING -> InputFate.UNKNOWN;
                    };
            inputs.add(new Input(
                    next.number(),
                    next.key(),
                    fate,
                    at == null ? null : at.partition(),
                    at == null ? -1 : at.offset()));
        }
        return inputs;
    }

    @Override
    public void close() {
        Producer<String, String> closing = producer;
        producer = null;
        if (closing != null) {
            closing.close(Duration.ZERO);
        }
    }
}
