package io.tidemark.chaos.exactlyonce;

import io.tidemark.Cluster;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds a pipeline to its word. It writes numbered records into the input, the number being the value and a seed drawing the
 * keys, in transactions of which some are aborted; runs the application's instances, and whatever the test does to them and
 * to the cluster meanwhile; then waits until the work is done, stops the instances, and judges what came out.
 *
 * <p>The application puts the number, alone or before the first character that is no digit, into the value of what it writes;
 * {@link #numbered} takes another way. Belongs to one thread.
 *
 * <pre>{@code
 * ExactlyOnce.on(cluster)
 *         .from("orders")
 *         .to("bills")
 *         .group("billing")
 *         .pipeline(2, instance -> new Billing(instance))
 *         .during(run -> {
 *             run.send(100).awaitOutputs(20);
 *             chaos.kill(cluster.partition("bills", 0).leader());
 *             run.kill(0).start(0);
 *         })
 *         .verdict()
 *         .assertHolds();
 * }</pre>
 */
public final class ExactlyOnce {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    final Cluster cluster;
    String input = "";
    String output = "";
    String group = "";
    int records = 200;
    int keys = 7;
    long seed;
    boolean hasAbortedInput = true;
    boolean isTransactional = true;
    int instances = 1;
    Duration patience = PATIENCE;
    Function<String, Long> number = ExactlyOnce::leadingNumber;

    @Nullable
    Supplier<? extends Collection<String>> sink;

    Pipeline.@Nullable Factory factory;
    private Script script = run -> {};

    private ExactlyOnce(Cluster cluster) {
        this.cluster = cluster;
        this.seed = cluster.seed();
    }

    /** What a test does while the pipeline runs. */
    @FunctionalInterface
    public interface Script {
        void play(ExactlyOnceRun run) throws Exception;
    }

    /** Runs on this cluster, with its seed. */
    public static ExactlyOnce on(Cluster cluster) {
        return new ExactlyOnce(cluster);
    }

    /** The input; a topic that is there and that nobody else writes. */
    public ExactlyOnce from(String topic) {
        input = topic;
        return this;
    }

    /** The output; a topic that is there and that nobody else writes. */
    public ExactlyOnce to(String topic) {
        output = topic;
        return this;
    }

    /**
     * Where the output is no topic: what the sink holds at the moment, each record with its number, in the order that they
     * came. Offsets cannot be of one transaction with it then, and are not asked to be.
     */
    public ExactlyOnce toSink(Supplier<? extends Collection<String>> contents) {
        sink = contents;
        isTransactional = false;
        return this;
    }

    /** The consumer group of all instances; without one, offsets are not looked at. */
    public ExactlyOnce group(String groupId) {
        group = groupId;
        return this;
    }

    /** How many numbered records, those to be aborted included; 200 where nothing is said. */
    public ExactlyOnce records(int count) {
        records = count;
        return this;
    }

    /** How many keys; 7 where nothing is said. */
    public ExactlyOnce keys(int count) {
        keys = count;
        return this;
    }

    /** Makes the input repeatable: the keys, the sizes of its transactions, and which of them are aborted. */
    public ExactlyOnce seed(long seed) {
        this.seed = seed;
        return this;
    }

    /** No part of the input is written in transactions that are aborted. */
    public ExactlyOnce withoutAbortedInput() {
        hasAbortedInput = false;
        return this;
    }

    /** The pipeline keeps output and offsets in step by other means than a transaction of the two. */
    public ExactlyOnce withoutTransactions() {
        isTransactional = false;
        return this;
    }

    /** How to find the number of an input in the value of what came of it. */
    public ExactlyOnce numbered(Function<String, Long> numberOfValue) {
        number = numberOfValue;
        return this;
    }

    /** How long to wait for each thing; 30 seconds where nothing is said. */
    public ExactlyOnce patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    /** The application: so many instances, all started before the script. */
    public ExactlyOnce pipeline(int instances, Pipeline.Factory factory) {
        this.instances = instances;
        this.factory = factory;
        return this;
    }

    /** What to do meanwhile. What of the input it does not send is sent after it; instances that it ended are started again. */
    public ExactlyOnce during(Script script) {
        this.script = script;
        return this;
    }

    /**
     * Runs it all. On return the instances are stopped; what the script did to the cluster must be healed by the script, or
     * else the pipeline has to do without.
     *
     * @throws IllegalStateException if something is not said, or the cluster does not give what is to be read
     * @throws Exception what the script throws
     */
    public ExactlyOnceVerdict verdict() throws Exception {
        Pipeline.Factory made = factory;
        if (made == null || input.isEmpty() || (output.isEmpty() && sink == null)) {
            throw new IllegalStateException(
                    "Say from(topic), to(topic) or toSink(contents), and pipeline(instances, factory) first; input ["
                            + input + "], output [" + output + "], " + (made == null ? "no pipeline" : "a pipeline"));
        }
        try (ExactlyOnceRun run = new ExactlyOnceRun(this, made)) {
            run.startAll();
            script.play(run);
            return Judge.judge(run.finish());
        }
    }

    static Long leadingNumber(String value) {
        int end = 0;
        while (end < value.length() && Character.isDigit(value.charAt(end))) {
            end++;
        }
        return end == 0 ? -1L : Long.parseLong(value.substring(0, end));
    }

    List<String> sinkContents() {
        Supplier<? extends Collection<String>> contents = sink;
        return contents == null ? List.of() : List.copyOf(contents.get());
    }
}
