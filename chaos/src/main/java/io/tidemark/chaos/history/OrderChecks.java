package io.tidemark.chaos.history;

import io.tidemark.chaos.history.Anomaly.Kind;
import io.tidemark.chaos.history.History.Poll;
import io.tidemark.chaos.history.History.Position;
import io.tidemark.chaos.history.History.Seen;
import io.tidemark.chaos.history.History.Send;
import io.tidemark.chaos.history.History.Told;
import io.tidemark.chaos.history.KnownLogs.Entry;
import io.tidemark.chaos.history.KnownLogs.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Whether sends got rising offsets, and whether polls went on where they were, leaving out nothing. */
final class OrderChecks {
    private final KnownLogs logs;
    private final Allowances allowances;
    private final List<Anomaly> anomalies;

    OrderChecks(KnownLogs logs, Allowances allowances, List<Anomaly> anomalies) {
        this.logs = logs;
        this.allowances = allowances;
        this.anomalies = anomalies;
    }

    void check() {
        checkSends();
        checkPolls();
    }

    private void checkSends() {
        record Stream(String process, String partition) {}
        Map<Stream, List<Send>> streams = new HashMap<>();
        for (Send send : logs.history().sends()) {
            if (send.told() == Told.OK) {
                streams.computeIfAbsent(
                                new Stream(send.process(), KnownLogs.partitionOf(send)), none -> new ArrayList<>())
                        .add(send);
            }
        }
        streams.values().stream()
                .sorted(Comparator.comparingLong(sends -> sends.get(0).step()))
                .forEach(this::checkSends);
    }

    private void checkSends(List<Send> sends) {
        Map<String, Send> highestOfLane = new HashMap<>();
        // By the step of the answer, so that what was answered before a call is found quickly.
        TreeMap<Long, Send> highestAnswered = new TreeMap<>();
        sends.forEach(send -> highestAnswered.put(send.toldStep(), send));
        Send highest = null;
        for (Map.Entry<Long, Send> answer : highestAnswered.entrySet()) {
            if (highest == null || answer.getValue().offset() > highest.offset()) {
                highest = answer.getValue();
            }
            answer.setValue(highest);
        }
        for (Send send : sends) {
            Send before = highestOfLane.get(send.lane());
            Map.Entry<Long, Send> answered = highestAnswered.lowerEntry(send.step());
            if (answered != null && (before == null || answered.getValue().offset() > before.offset())) {
                before = answered.getValue();
            }
            if (before != null && before.offset() >= send.offset()) {
                boolean isInternal =
                        send.transaction() != History.NO_TRANSACTION && send.transaction() == before.transaction();
                anomalies.add(new Anomaly(
                        isInternal ? Kind.INTERNAL_NONMONOTONIC_SEND : Kind.NONMONOTONIC_SEND,
                        KnownLogs.partitionOf(send),
                        send.process() + " sent [" + before.value() + "] (step " + before.step() + ", offset "
                                + before.offset() + ") before [" + send.value() + "] (step " + send.step()
                                + ", offset " + send.offset() + ")",
                        null));
            }
            Send inLane = highestOfLane.get(send.lane());
            if (inLane == null || inLane.offset() < send.offset()) {
                highestOfLane.put(send.lane(), send);
            }
        }
    }

    /** Where a consumer is in a partition. */
    private record Last(long offset, long step, long transaction) {}

    private void checkPolls() {
        record Reading(String lane, String partition) {}
        List<Object> moves = new ArrayList<>(logs.history().positions());
        moves.addAll(logs.history().polls());
        moves.sort(Comparator.comparingLong(OrderChecks::step));
        Map<Reading, Last> lasts = new HashMap<>();
        for (Object move : moves) {
            if (move instanceof Position position) {
                lasts.remove(new Reading(position.lane(), position.partition()));
            } else if (move instanceof Poll poll) {
                long transaction = logs.transactionAt(poll);
                for (Seen seen : poll.seen()) {
                    Reading reading = new Reading(poll.lane(), seen.partition());
                    Last last = lasts.get(reading);
                    if (last != null) {
                        checkGoesOn(poll, seen, last, transaction);
                    }
                    lasts.put(reading, new Last(seen.offset(), poll.step(), transaction));
                }
            }
        }
    }

    private static long step(Object move) {
        return move instanceof Position position ? position.step() : ((Poll) move).step();
    }

    private void checkGoesOn(Poll poll, Seen seen, Last last, long transaction) {
        boolean isInternal = last.step() == poll.step()
                || (transaction != History.NO_TRANSACTION && transaction == last.transaction());
        String went = poll.lane() + " went from offset " + last.offset() + " (step " + last.step() + ") to "
                + seen.offset() + " (step " + poll.step() + ")";
        if (seen.offset() <= last.offset()) {
            anomalies.add(new Anomaly(
                    isInternal ? Kind.INTERNAL_NONMONOTONIC_POLL : Kind.NONMONOTONIC_POLL,
                    seen.partition(),
                    went + " with no rebalance and no seek in between",
                    null));
            return;
        }
        List<String> skipped = skipped(poll, seen.partition(), last.offset(), seen.offset());
        if (!skipped.isEmpty()) {
            anomalies.add(new Anomaly(
                    isInternal ? Kind.INTERNAL_POLL_SKIP : Kind.POLL_SKIP,
                    seen.partition(),
                    went + " and passed over " + skipped,
                    null));
        }
    }

    private List<String> skipped(Poll poll, String partition, long afterOffset, long beforeOffset) {
        NavigableMap<Long, List<Entry>> log = logs.logs().get(partition);
        List<String> skipped = new ArrayList<>();
        if (log == null) {
            return skipped;
        }
        log.subMap(afterOffset, false, beforeOffset, false).forEach((offset, entries) -> {
            for (Entry entry : entries) {
                boolean isCompacted =
                        allowances.compacted().contains(partition) && logs.hasNewer(partition, offset, entry.key());
                if (!isCompacted && isFor(poll, entry)) {
                    skipped.add("[" + entry.value() + "] at " + offset);
                }
            }
        });
        return skipped;
    }

    private boolean isFor(Poll poll, Entry entry) {
        return !poll.committedOnly()
                || !logs.seenCommitted(entry.value()).isEmpty()
                || logs.sendsOf(entry.value()).stream().anyMatch(send -> logs.standing(send) == Standing.WRITTEN);
    }
}
