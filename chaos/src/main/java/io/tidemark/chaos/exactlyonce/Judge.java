package io.tidemark.chaos.exactlyonce;

import io.tidemark.OffsetCommit;
import io.tidemark.TransactionFate;
import io.tidemark.chaos.exactlyonce.Finding.Kind;
import io.tidemark.chaos.exactlyonce.Observation.Event;
import io.tidemark.chaos.exactlyonce.Observation.Input;
import io.tidemark.chaos.exactlyonce.Observation.InputFate;
import io.tidemark.chaos.exactlyonce.Observation.Output;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the verdict out of an observation: a pure function. */
final class Judge {
    private static final long AROUND_MS = 3_000;
    private static final int MOST_EVENTS = 6;
    private static final int MOST_PLACES = 6;

    private final Observation observation;
    private final Map<Long, Input> inputs = new TreeMap<>();
    private final Map<Long, List<Output>> visible = new HashMap<>();
    private final Map<String, List<OffsetCommit>> commits = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> unknown = new ArrayList<>();

    private Judge(Observation observation) {
        this.observation = observation;
        observation.inputs().forEach(input -> inputs.put(input.number(), input));
        observation.visible().forEach(output -> visible.computeIfAbsent(output.number(), none -> new ArrayList<>())
                .add(output));
        observation.commits().stream().filter(OffsetCommit::isEffective).forEach(commit -> commits.computeIfAbsent(
                        commit.partition(), none -> new ArrayList<>())
                .add(commit));
    }

    static ExactlyOnceVerdict judge(Observation observation) {
        return new Judge(observation).verdict();
    }

    private ExactlyOnceVerdict verdict() {
        inputs.values().forEach(this::judge);
        judgeOrder();
        findings.sort(Comparator.comparing(Finding::kind).thenComparing(Finding::number));
        long there = inputs.values().stream()
                .filter(input -> input.fate() == InputFate.THERE)
                .count();
        return new ExactlyOnceVerdict(
                "seed " + observation.seed() + ", " + there + " records to process and "
                        + inputs.values().stream()
                                .filter(input -> input.fate() == InputFate.ABORTED)
                                .count()
                        + " aborted ones, " + observation.visible().size() + " records came out and "
                        + (observation.visibleUncommitted()
                                - observation.visible().size()) + " were aborted on the way, "
                        + observation.events().size() + " faults and other events",
                findings,
                unknown);
    }

    private void judge(Input input) {
        List<Output> outputs = visible.getOrDefault(input.number(), List.of());
        if (outputs.size() > 1) {
            add(Kind.DUPLICATED, input, outputs, "came out " + outputs.size() + " times:");
        }
        outputs.stream()
                .filter(output -> output.fate() == TransactionFate.ABORTED)
                .findFirst()
                .ifPresent(output -> add(
                        Kind.ABORTED_VISIBLE,
                        input,
                        List.of(output),
                        "came out although the transaction that wrote it was aborted:"));
        switch (input.fate()) {
            case ABORTED -> {
                if (!outputs.isEmpty()) {
                    add(
                            Kind.ABORTED_VISIBLE,
                            input,
                            outputs,
                            "was aborted in the input and came out all the same; is it read with"
                                    + " isolation.level=read_committed?");
                }
            }
            case UNKNOWN ->
                unknown.add("nobody told of input [" + input.number() + "], and it is not there"
                        + (outputs.isEmpty() ? "" : "; it came out at " + outputs.get(0)));
            case GONE ->
                add(Kind.LOST, input, outputs, "was acknowledged by the cluster as input, and is not in the input");
            case THERE -> judgePresent(input, outputs);
        }
    }

    private void judgePresent(Input input, List<Output> outputs) {
        OffsetCommit passing = commitPassing(input);
        if (outputs.isEmpty()) {
            boolean isPassed = observation.committed().getOrDefault(input.partition(), 0L) > input.offset();
            List<Output> elsewhere = observation.inLogs().stream()
                    .filter(output -> output.number() == input.number())
                    .toList();
            add(
                    isPassed ? Kind.LOST : Kind.UNPROCESSED,
                    input,
                    elsewhere,
                    (isPassed ? "did not come out, and the group went past it; " : "did not come out in time; ")
                            + (elsewhere.isEmpty() ? "it is in no broker's log" : "it is only here:"));
            return;
        }
        if (!observation.isTransactional()) {
            return;
        }
        Output output = outputs.get(0);
        if (passing == null) {
            if (observation.committed().getOrDefault(input.partition(), 0L) <= input.offset()) {
                add(Kind.OFFSETS_APART, input, outputs, "came out, and the group never went past it:");
            }
        } else if (outputs.stream().noneMatch(any -> isTogether(any, passing))) {
            add(
                    Kind.OFFSETS_APART,
                    input,
                    List.of(output),
                    "came out in another transaction than the offset that says so, or in none:");
        }
    }

    private static boolean isTogether(Output output, OffsetCommit commit) {
        return output.fate() == TransactionFate.COMMITTED
                && commit.fate() == TransactionFate.COMMITTED
                && output.producerId() == commit.producerId()
                && output.producerEpoch() == commit.producerEpoch();
    }

    /** The first commit that counts and lies beyond an input. */
    private @Nullable OffsetCommit commitPassing(Input input) {
        return commits.getOrDefault(String.valueOf(input.partition()), List.of()).stream()
                .filter(commit -> commit.offset() > input.offset())
                .findFirst()
                .orElse(null);
    }

    private void judgeOrder() {
        record Stream(String key, String partition) {}
        Map<Stream, Output> highest = new HashMap<>();
        Set<Long> seen = new HashSet<>();
        for (Output output : observation.visible()) {
            Input input = inputs.get(output.number());
            // What comes again is out of order for being doubled, and that is said already.
            if (input == null || !seen.add(output.number())) {
                continue;
            }
            Stream stream = new Stream(input.key(), output.partition());
            Output before = highest.get(stream);
            if (before != null && before.number() > output.number()) {
                add(
                        Kind.REORDERED,
                        input,
                        List.of(before, output),
                        "was sent before [" + before.number() + "] and came out after it:");
            } else {
                highest.put(stream, output);
            }
        }
    }

    private void add(Kind kind, Input input, List<Output> outputs, String what) {
        List<String> evidence = new ArrayList<>();
        evidence.add(what);
        outputs.stream().limit(MOST_PLACES).forEach(output -> evidence.add("  " + output));
        evidence.add("input: " + input);
        OffsetCommit passing = commitPassing(input);
        if (passing != null) {
            evidence.add("the group's first commit past it: " + passing);
        }
        long aroundMs = outputs.isEmpty()
                ? (passing == null ? -1 : passing.timestampMs())
                : outputs.get(outputs.size() - 1).timestampMs();
        if (aroundMs >= 0) {
            List<Event> around = observation.events().stream()
                    .filter(event -> Math.abs(event.timestampMs() - aroundMs) <= AROUND_MS)
                    .toList();
            around.stream()
                    .sorted(Comparator.comparingLong(event -> Math.abs(event.timestampMs() - aroundMs)))
                    .limit(MOST_EVENTS)
                    .sorted(Comparator.comparingLong(Event::timestampMs))
                    .forEach(event ->
                            evidence.add("%+d ms: %s".formatted(event.timestampMs() - aroundMs, event.text())));
        }
        findings.add(new Finding(kind, input.number(), input.key(), evidence));
    }
}
