package io.tidemark.chaos.exactlyonce;

import io.tidemark.Cluster;
import io.tidemark.PartitionHandle;
import io.tidemark.PartitionState;
import io.tidemark.ReplicaRecord;
import io.tidemark.TimelineEvent;
import io.tidemark.TransactionFate;
import io.tidemark.chaos.exactlyonce.Observation.Event;
import io.tidemark.chaos.exactlyonce.Observation.Input;
import io.tidemark.chaos.exactlyonce.Observation.InputFate;
import io.tidemark.chaos.exactlyonce.Observation.Output;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A pipeline at work, for the script of {@link ExactlyOnce#during}. Each method returns when what it says is done. Belongs to
 * the test's thread.
 *
 * <pre>{@code
 * run.send(50).awaitOutputs(20).kill(0).start(0);
 * }</pre>
 */
public final class ExactlyOnceRun implements AutoCloseable {
    private static final long LOOK_MS = 5;
    /** So long it may take from one sign of the end to the other, where the pipeline gives both. */
    private static final Duration SETTLING = Duration.ofSeconds(1);
    /** The longest transaction timeout of Kafka's default settings. */
    private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(15);

    private final ExactlyOnce settings;
    private final Cluster cluster;
    private final SeededInput input;
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final Set<Integer> running = new HashSet<>();
    private final List<Event> events = new ArrayList<>();
    private final long startMs;
    private final List<TopicReader> readers = new ArrayList<>();

    ExactlyOnceRun(ExactlyOnce settings, Pipeline.Factory factory) {
        this.settings = settings;
        this.cluster = settings.cluster;
        this.startMs = cluster.clock().now().toEpochMilli();
        this.input = new SeededInput(settings);
        for (int number = 0; number < settings.instances; number++) {
            pipelines.add(factory.create(new Pipeline.Instance(
                    number, cluster.bootstrapServers(), settings.input, settings.output, settings.group)));
        }
        if (settings.sink == null) {
            readers.add(new TopicReader(cluster, settings.output, "read_committed", settings.number));
        }
    }

    /** The cluster that it runs on. */
    public Cluster cluster() {
        return cluster;
    }

    /** Sends the next so many records of the input, or what is left of them. */
    public ExactlyOnceRun send(int count) {
        input.send(count);
        return this;
    }

    /**
     * Waits until so many records have come out.
     *
     * @throws IllegalStateException if they have not within the patience
     */
    public ExactlyOnceRun awaitOutputs(int count) {
        if (!await(settings.patience, () -> visible().size() >= count)) {
            throw new IllegalStateException("Only " + visible().size() + " records came out within "
                    + settings.patience.toMillis() + " ms of " + input.sent() + " sent; expected " + count);
        }
        return this;
    }

    /**
     * Waits until no more than so many of the records that were sent and committed so far are still to come out.
     *
     * @throws IllegalStateException if they have not within the patience
     */
    public ExactlyOnceRun awaitBacklog(int most) {
        return awaitOutputs(Math.max(0, input.committed() - most));
    }

    /** Starts an instance, for the first time or again. */
    public ExactlyOnceRun start(int instance) {
        note("instance " + instance + " starts");
        running.add(instance);
        pipelines.get(instance).start();
        return this;
    }

    /** Ends an instance in good order. */
    public ExactlyOnceRun stop(int instance) {
        note("instance " + instance + " is stopped");
        running.remove(instance);
        pipelines.get(instance).stop();
        return this;
    }

    /** Ends an instance without a word to anybody. */
    public ExactlyOnceRun kill(int instance) {
        note("instance " + instance + " is killed");
        running.remove(instance);
        pipelines.get(instance).kill();
        return this;
    }

    /** Puts a line of the test's own among the faults that findings show. */
    public ExactlyOnceRun note(String text) {
        synchronized (events) {
            events.add(new Event(cluster.clock().now().toEpochMilli(), text));
        }
        return this;
    }

    void startAll() {
        IntStream.range(0, pipelines.size()).forEach(this::start);
    }

    /** Sends the rest, waits for the end of the work, stops everything and reads. */
    Observation finish() {
        IntStream.range(0, pipelines.size())
                .filter(instance -> !running.contains(instance))
                .forEach(this::start);
        input.send(settings.records);
        input.endTransactions();
        // A transaction is committed as soon as its coordinator has decided so, and to be read when all partitions
        // know.
        if (!await(settings.patience, () -> isNothingOpen(settings.input))) {
            note("transactions of the input are still open");
        }
        Map<Long, Output> there = new TreeMap<>();
        try (TopicReader reader = new TopicReader(cluster, settings.input, "read_committed", settings.number)) {
            reader.readToEnd(settings.patience).forEach(output -> there.putIfAbsent(output.number(), output));
        }
        List<Input> inputs = input.judged(there);
        awaitWork(inputs);
        List.copyOf(running).forEach(this::stop);
        endTransactions();
        return observe(inputs);
    }

    private void awaitWork(List<Input> inputs) {
        List<Input> expected =
                inputs.stream().filter(one -> one.fate() == InputFate.THERE).toList();
        BooleanSupplier isOut = () -> {
            Set<Long> numbers = new HashSet<>();
            visible().forEach(output -> numbers.add(output.number()));
            return expected.stream().allMatch(one -> numbers.contains(one.number()));
        };
        Map<String, Long> ends = new HashMap<>();
        expected.forEach(one -> ends.merge(Objects.requireNonNull(one.partition()), one.offset() + 1, Math::max));
        BooleanSupplier isPassed = () -> {
            Map<String, Long> committed = committed();
            return ends.entrySet().stream().allMatch(end -> committed.getOrDefault(end.getKey(), 0L) >= end.getValue());
        };
        boolean hasGroup = !settings.group.isEmpty();
        if (await(settings.patience, () -> isOut.getAsBoolean() || (hasGroup && isPassed.getAsBoolean())) && hasGroup) {
            await(SETTLING, () -> isOut.getAsBoolean() && isPassed.getAsBoolean());
        }
    }

    /** What an instance left open when it was killed hides what is behind it. */
    private void endTransactions() {
        if (!await(SETTLING, this::isNothingOpen)) {
            cluster.clock().advance(LONGEST_TRANSACTION);
            note("the clock goes ahead until open transactions time out");
            if (!await(settings.patience, this::isNothingOpen)) {
                note("transactions are still open");
            }
        }
    }

    private boolean isNothingOpen() {
        return isNothingOpen(settings.output, settings.input, "__consumer_offsets");
    }

    private boolean isNothingOpen(String... topics) {
        List<String> asked = List.of(topics);
        return cluster.partitions().stream()
                .filter(partition -> asked.contains(partition.topic()))
                .allMatch(partition -> partition.highWatermark().isPresent()
                        && partition.highWatermark().equals(partition.lastStableOffset()));
    }

    private Observation observe(List<Input> inputs) {
        List<Output> visible = new ArrayList<>();
        List<Output> inLogs = new ArrayList<>();
        int uncommitted;
        if (settings.sink == null) {
            inLogs.addAll(logs());
            Map<String, Output> byPlace = new HashMap<>();
            inLogs.forEach(output -> byPlace.putIfAbsent(output.partition() + "@" + output.offset(), output));
            for (Output seen : readers.get(0).readToEnd(settings.patience)) {
                Output known = byPlace.get(seen.partition() + "@" + seen.offset());
                visible.add(
                        known == null
                                ? seen
                                : new Output(
                                        seen.number(),
                                        seen.partition(),
                                        seen.offset(),
                                        0,
                                        seen.timestampMs(),
                                        known.producerId(),
                                        known.producerEpoch(),
                                        known.fate()));
            }
            try (TopicReader all = new TopicReader(cluster, settings.output, "read_uncommitted", settings.number)) {
                uncommitted = all.readToEnd(settings.patience).size();
            }
        } else {
            visible.addAll(visible());
            uncommitted = visible.size();
        }
        return new Observation(
                settings.seed,
                inputs,
                visible,
                uncommitted,
                inLogs,
                settings.group.isEmpty()
                        ? List.of()
                        : cluster.group(settings.group).commits(),
                committed(),
                events(),
                settings.isTransactional);
    }

    /** What readers of committed records see of the output so far. */
    private List<Output> visible() {
        if (settings.sink == null) {
            return readers.get(0).poll();
        }
        List<Output> visible = new ArrayList<>();
        for (String content : settings.sinkContents()) {
            visible.add(new Output(
                    settings.number.apply(content),
                    "the sink",
                    visible.size(),
                    0,
                    -1,
                    -1,
                    (short) -1,
                    TransactionFate.PLAIN));
        }
        return visible;
    }

    /** Every record of the output in the log of every broker, the leaders' first. */
    private List<Output> logs() {
        List<Output> found = new ArrayList<>();
        for (PartitionState partition : cluster.partitions()) {
            if (!partition.topic().equals(settings.output)) {
                continue;
            }
            PartitionHandle handle = cluster.partition(partition.topic(), partition.partition());
            partition.replicaIds().stream()
                    .sorted(Comparator.comparing(broker -> partition.leader().orElse(-1) == broker ? 0 : 1))
                    .forEach(broker -> handle.recordsOn(broker)
                            .forEach(record -> found.add(output(partition.name(), broker, record))));
        }
        return found;
    }

    private Output output(String partition, int broker, ReplicaRecord record) {
        return new Output(
                settings.number.apply(String.valueOf(record.valueText())),
                partition,
                record.offset(),
                broker,
                record.timestampMs(),
                record.producerId(),
                record.producerEpoch(),
                record.fate());
    }

    private Map<String, Long> committed() {
        if (settings.group.isEmpty()) {
            return Map.of();
        }
        return cluster.group(settings.group)
                .snapshotIfPresent()
                .map(group -> Map.<String, Long>copyOf(group.committed()))
                .orElse(Map.of());
    }

    private List<Event> events() {
        List<Event> all = new ArrayList<>();
        synchronized (events) {
            all.addAll(events);
        }
        for (TimelineEvent event : cluster.timeline()) {
            if (event.timestampMs() >= startMs
                    && (event.kind() == TimelineEvent.Kind.FAULT
                            || event.kind() == TimelineEvent.Kind.STRIKE
                            || event.kind() == TimelineEvent.Kind.GROUP)) {
                all.add(new Event(event.timestampMs(), event.toString()));
            }
        }
        all.sort(Comparator.comparingLong(Event::timestampMs));
        return all;
    }

    private static boolean await(Duration patience, BooleanSupplier condition) {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while waiting for the pipeline", e);
            }
        }
        return true;
    }

    /** Kills what still runs. */
    @Override
    public void close() {
        List.copyOf(running).forEach(this::kill);
        input.close();
        readers.forEach(TopicReader::close);
    }
}
