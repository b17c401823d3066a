package io.tidemark.broker.simulation;

import io.tidemark.broker.coordinator.CoordinatorPartition;
import io.tidemark.broker.metadata.PartitionRegistration;
import io.tidemark.broker.metadata.TopicImage;
import io.tidemark.broker.record.EndTransactionMarker;
import io.tidemark.broker.replication.HostedPartition;
import io.tidemark.broker.replication.HostedPartitions;
import io.tidemark.broker.simulation.TransactionalRequests.Owner;
import io.tidemark.broker.types.TopicPartition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows what must hold of transactions, from three sides: what clients were told, what is committed in the topic of
 * transactions' state ({@link CoordinatorLogModel}), and what is committed in the partitions that are written to
 * ({@link TransactionLog}). It reads the logs as their leaders' high watermarks rise, after every event.
 *
 * <ul>
 *   <li>INV-40, INV-41: what readers of committed transactions are shown, and the latest offset that they are told, is
 *       below the last stable offset as the committed log has it; what they keep of it is of no transaction that nobody
 *       committed, and in the end they have kept exactly the committed records, in order ({@link #onRead},
 *       {@link #checkEnd}).
 *   <li>INV-42: a replica's last stable offset is that of the committed log ({@code checkStable}).
 *   <li>INV-43: the markers of a transaction agree over its partitions, each acknowledged record of a committed one is
 *       there once, offsets with them; an end that nobody asked for is no commit.
 *   <li>INV-44: a marker, and an answer to EndTxn, come after the end is durable; "complete" comes after all markers;
 *       and once all is healed nothing stays open ({@link #missing}).
 *   <li>INV-45: the coordinator epochs of a producer's markers do not fall (TransactionLog), and a marker of the
 *       coordinator before is refused (LateCoordinator).
 *   <li>INV-46: nor do its producer epochs; on version 2 each end has one of its own.
 *   <li>INV-47: the steps of an id are legal ones (CoordinatorLogModel), and what EndTxn answers is the epoch that
 *       follows.
 *   <li>INV-48: an epoch that InitProducerId gives is durable, given once, above all that were given before, and from
 *       then on nothing succeeds that was sent with an older one. The end of the range of epochs is not reached.
 *   <li>INV-49: on version 1 an abort that no producer asked for raises the epoch; and what is abandoned ends in time.
 *   <li>INV-50: no transaction begins in a partition of which the coordinator was not told.
 *   <li>INV-51: offsets of a member that the group does not have are refused (TransactionalClient).
 *   <li>INV-52: offsets that are shown are of a committed transaction, and stable ones are not older than what was
 *       committed before they were asked for ({@link #onOffset}).
 * </ul>
 *
 * <p>Where committed records of these topics were lost, as may be, none of it is promised, and nothing is checked.
 */
final class TransactionOracle {
    private final World world;
    private final Oracle oracle;
    private final String topic;
    private final boolean isVersionTwo;
    private final CoordinatorLogModel states;
    private final Map<TopicPartition, TransactionLog> logs = new TreeMap<>();
    private final Map<String, Attempt> attempts = new HashMap<>();
    private final Map<String, List<Given>> given = new HashMap<>();
    private final Set<String> askedEnds = new HashSet<>();
    private final Map<String, Long> acknowledgedOffsets = new HashMap<>();
    private boolean isVoid;
    private long beganCount;
    private long committedCount;

    private record Given(Owner owner, long atUs) {}

    TransactionOracle(World world, Oracle oracle, String topic, boolean isVersionTwo) {
        this.world = world;
        this.oracle = oracle;
        this.topic = topic;
        this.isVersionTwo = isVersionTwo;
        this.states = new CoordinatorLogModel(isVersionTwo, new Steps());
    }

    // --- what clients tell

    Attempt onBegin(TransactionalId id, Owner owner) {
        Attempt attempt = new Attempt(id, id.nextAttempt(), owner.producerId(), owner.producerEpoch());
        attempts.put(attempt.name(), attempt);
        beganCount++;
        return attempt;
    }

    void onInitialized(int client, TransactionalId id, Owner owner, long askedUs) {
        note(client, "initialized " + id + ", " + owner);
        List<Given> before = given.computeIfAbsent(id.name(), name -> new ArrayList<>());
        for (Given one : before) {
            boolean isSameId = one.owner.producerId() == owner.producerId();
            if (isSameId
                    && (one.owner.equals(owner)
                            || (one.atUs < askedUs && one.owner.producerEpoch() > owner.producerEpoch()))) {
                fail("[INV-48] " + id + " is given " + owner + " after " + one.owner);
            }
        }
        before.add(new Given(owner, world.nowUs()));
        if (!states.isInitialized(id.name(), owner.producerId(), owner.producerEpoch())) {
            fail("[INV-48] " + id + " is given " + owner + ", which is not durable");
        }
    }

    /** A request with a producer's epoch has succeeded. */
    void onSuccess(int client, TransactionalId id, Owner owner, long sentUs, String what) {
        for (Given one : given.getOrDefault(id.name(), List.of())) {
            boolean isNewer =
                    one.owner.producerId() != owner.producerId() || one.owner.producerEpoch() > owner.producerEpoch();
            if (isNewer && one.atUs < sentUs) {
                fail("[INV-48] Client " + client + " " + what + " as " + owner + " of " + id + ", and " + one.owner
                        + " was given before it was sent");
            }
        }
    }

    void onWritten(@Nullable Attempt attempt, int partition, List<String> values) {
        if (attempt != null) {
            attempt.acknowledged
                    .computeIfAbsent(partition, number -> new ArrayList<>())
                    .addAll(values);
        }
    }

    void onEndAsked(Attempt attempt, boolean isCommit) {
        if (isCommit) {
            attempt.fate = Attempt.Fate.COMMIT_ASKED;
        }
        askedEnds.add(end(attempt.id.name(), attempt.producerId, attempt.producerEpoch, isCommit));
    }

    private static String end(String id, long producerId, short producerEpoch, boolean isCommit) {
        return id + "/" + producerId + "/" + producerEpoch + "/" + isCommit;
    }

    void onEnded(int client, Attempt attempt, boolean isCommit, Owner next) {
        note(client, (isCommit ? "committed " : "aborted ") + attempt);
        attempt.fate = isCommit ? Attempt.Fate.COMMITTED : Attempt.Fate.ABORTED;
        committedCount += isCommit ? 1 : 0;
        int expectedEpoch = attempt.producerEpoch + (isVersionTwo ? 1 : 0);
        if (next.producerId() != attempt.producerId || next.producerEpoch() != expectedEpoch) {
            fail("[INV-47] The producer of " + attempt + " is told to go on as " + next);
        }
        if (!states.isPrepared(next.producerId(), next.producerEpoch(), isCommit)) {
            fail("[INV-44] The end of " + attempt + " is answered and not durable");
        }
        if (attempt.isCommittedByMarker != null && attempt.isCommittedByMarker != isCommit) {
            fail("[INV-43] The end of " + attempt + " is answered otherwise than it is");
        }
        if (isCommit && attempt.hasOffsets) {
            acknowledgedOffsets.merge(attempt.id.group(), (long) attempt.number, Math::max);
        }
    }

    /** @param mayBe whether it may be committed for all that is known */
    void onNotEnded(Attempt attempt, boolean mayBe) {
        if (!mayBe) {
            attempt.fate = Attempt.Fate.ABORTED;
            if (Boolean.TRUE.equals(attempt.isCommittedByMarker)) {
                fail("[INV-43] The end of " + attempt + " is refused, and it is committed");
            }
        }
    }

    /** A reader of committed transactions keeps a record. */
    void onRead(int client, TopicPartition partition, long offset, String value) {
        Attempt attempt = attempt(value);
        TransactionLog log = logs.get(partition);
        if (attempt == null || log == null) {
            return;
        }
        if (offset >= log.lastStableOffset(log.end())) {
            fail("[INV-40] Client " + client + " is shown " + value + " at offset " + offset + " of " + partition
                    + ", and it is stable up to " + log.lastStableOffset(log.end()));
        }
        if (!log.committed().containsKey(offset)) {
            fail("[INV-40] Client " + client + " is shown " + value + " at offset " + offset + " of " + partition
                    + " as committed, of " + attempt);
        }
    }

    /** A reader of committed transactions is told the latest offset. */
    void onLatest(int client, TopicPartition partition, long offset) {
        TransactionLog log = logs.get(partition);
        if (log != null && offset > log.lastStableOffset(log.end())) {
            fail("[INV-41] Client " + client + " is told that " + partition + " ends at " + offset
                    + ", and it is stable up to " + log.lastStableOffset(log.end()));
        }
    }

    /** The last marker of a partition that is committed, or null. */
    LateCoordinator.@Nullable Marker lastMarker(TopicPartition partition) {
        TransactionLog log = logs.get(partition);
        return log == null ? null : log.lastMarker();
    }

    /** Whether a broker leads the partition that a group's offsets are on. */
    boolean isCoordinator(int broker, String group) {
        TopicImage offsets = oracle.decided().topics().topic(TransactionOptions.OFFSETS_TOPIC);
        PartitionRegistration partition = offsets == null
                ? null
                : offsets.partition(
                        CoordinatorPartition.of(group, offsets.partitions().size()));
        return partition != null && partition.leader() == broker;
    }

    /** What has to be seen by who asks now. */
    long acknowledgedOffset(String group) {
        return acknowledgedOffsets.getOrDefault(group, -1L);
    }

    /**
     * The offset of a group, which is the number of a transaction.
     *
     * @param least what was acknowledged as it was asked for
     */
    void onOffset(int client, TransactionalId id, long offset, boolean isStable, long least) {
        Attempt attempt = attempts.get("t" + id.number() + "." + offset);
        boolean isKnown = attempt != null && attempt.hasOffsets;
        if (offset >= 0 && (!isKnown || !isCommittedInLog(attempt))) {
            fail("[INV-52] Client " + client + " is shown offset " + offset + " of " + id.group() + ", of " + attempt);
        }
        if (isStable && offset < least) {
            fail("[INV-52] Client " + client + " is shown offset " + offset + " of " + id.group() + " as stable, and "
                    + least + " was committed before");
        }
    }

    /** On version 1 its epoch does not tell it from others, but that its client asked does. */
    private boolean isCommittedInLog(Attempt attempt) {
        short markerEpoch = (short) (attempt.producerEpoch + (isVersionTwo ? 1 : 0));
        boolean mayBe = attempt.fate == Attempt.Fate.COMMIT_ASKED || attempt.fate == Attempt.Fate.COMMITTED;
        return mayBe && states.isPrepared(attempt.producerId, markerEpoch, true);
    }

    void onUnexpected(int client, String what) {
        fail("Client " + client + ": " + what);
    }

    private void fail(String what) {
        if (!isVoid()) {
            throw new Violation(what);
        }
    }

    private void note(int client, String what) {
        world.trace().note(world.nowUs(), client, what, 0, 0);
    }

    private @Nullable Attempt attempt(String value) {
        String name = Attempt.nameOf(value);
        return name == null ? null : attempts.get(name);
    }

    /** Whether something was lost, as may be. */
    private boolean isVoid() {
        if (!isVoid) {
            for (PartitionModel model : oracle.living()) {
                isVoid |= isWatched(model.name.topic()) && model.hasLost();
            }
        }
        return isVoid;
    }

    private boolean isWatched(String name) {
        return isData(name) || name.equals(TransactionOptions.STATE_TOPIC);
    }

    private boolean isData(String name) {
        return name.equals(topic) || name.equals(TransactionOptions.OFFSETS_TOPIC);
    }

    // --- what is looked at

    /** What was written first, and then what is said of it. */
    void look(SimulatedNode node, HostedPartitions hosted) throws IOException {
        if (isVoid) {
            return;
        }
        for (HostedPartition replica : hosted.partitions()) {
            if (isData(replica.topicPartition().topic())) {
                lookAtData(node, replica);
            }
        }
        for (HostedPartition replica : hosted.partitions()) {
            if (replica.isLeader() && replica.topicPartition().topic().equals(TransactionOptions.STATE_TOPIC)) {
                guarded(() -> states.read(replica));
            }
        }
    }

    private void lookAtData(SimulatedNode node, HostedPartition replica) throws IOException {
        TransactionLog log =
                logs.computeIfAbsent(replica.topicPartition(), name -> new TransactionLog(name, new Spans()));
        long highWatermark = replica.highWatermark();
        if (replica.isLeader() && highWatermark > log.end()) {
            guarded(() -> log.read(replica, highWatermark));
        }
        if (!replica.isLeader() && node.machine().trouble().hasFailed()) {
            // It may have led, and committed what it has, for a moment that nobody saw.
            return;
        }
        // A replica may not know yet how far all have come, and then not which marker is committed.
        boolean isAllKnown = highWatermark == log.end();
        long expected = log.lastStableOffset(log.end());
        long told = replica.lastStableOffset();
        if (isAllKnown ? told != expected : told > expected) {
            fail("[INV-42] The last stable offset of " + log + " on broker " + node.id() + " is " + told
                    + ", and by what is committed up to " + log.end() + " it is " + expected);
        }
    }

    /** Reads a log. */
    private interface Reading {
        void read() throws IOException;
    }

    /** What is found in a log counts only where nothing was lost. */
    private void guarded(Reading reading) throws IOException {
        try {
            reading.read();
        } catch (Violation e) {
            if (!isVoid()) {
                throw e;
            }
        }
    }

    private final class Spans implements TransactionLog.Listener {
        @Override
        public void onBegin(TransactionLog log, TransactionLog.Span span) {
            if (!states.isAdded(log.name(), span.producerId, span.producerEpoch)) {
                throw new Violation(
                        "[INV-50] In " + log + " begins " + span + ", and its coordinator was never told of that");
            }
        }

        @Override
        public void onMarker(
                TransactionLog log,
                long offset,
                long producerId,
                short producerEpoch,
                EndTransactionMarker marker,
                TransactionLog.@Nullable Span span) {
            if (!states.isPrepared(producerId, producerEpoch, marker.commit())) {
                throw new Violation("[INV-44] The marker of producer id " + producerId + ", epoch " + producerEpoch
                        + ", at offset " + offset + " of " + log + " says " + (marker.commit() ? "commit" : "abort")
                        + ", which is not decided");
            }
            if (span == null) {
                return;
            }
            if (isVersionTwo && producerEpoch <= span.producerEpoch) {
                throw new Violation("[INV-46] The marker at offset " + offset + " of " + log + " has epoch "
                        + producerEpoch + ", as has " + span);
            }
            span.values.values().forEach(value -> onEnd(log, value, marker.commit()));
        }

        private void onEnd(TransactionLog log, String value, boolean isCommit) {
            Attempt attempt = attempt(value);
            if (attempt == null) {
                return;
            }
            boolean isAgainst = isCommit
                    ? attempt.fate == Attempt.Fate.OPEN || attempt.fate == Attempt.Fate.ABORTED
                    : attempt.fate == Attempt.Fate.COMMITTED;
            if (isAgainst || (attempt.isCommittedByMarker != null && attempt.isCommittedByMarker != isCommit)) {
                throw new Violation("[INV-43] " + value + " in " + log + " is " + (isCommit ? "committed" : "aborted")
                        + ", of " + attempt);
            }
            attempt.isCommittedByMarker = isCommit;
        }
    }

    private final class Steps implements CoordinatorLogModel.Listener {
        @Override
        public boolean isEndAsked(String transactionalId, long producerId, short producerEpoch, boolean isCommit) {
            return askedEnds.contains(end(transactionalId, producerId, producerEpoch, isCommit));
        }

        @Override
        public void onComplete(CoordinatorLogModel.Step prepared, boolean isCommit) {
            if (!isVersionTwo) {
                // The next transaction has the same epoch.
                askedEnds.remove(end(prepared.id(), prepared.producerId(), prepared.producerEpoch(), isCommit));
            }
            for (TopicPartition partition : prepared.partitions()) {
                TransactionLog log = logs.get(partition);
                TransactionLog.Span open = log == null ? null : log.open(prepared.producerId());
                if (open != null
                        || log == null
                        || !log.hasMarker(prepared.producerId(), prepared.producerEpoch(), isCommit)) {
                    throw new Violation("[INV-44] " + prepared + ", is said to be complete, and " + partition
                            + " has no marker of it" + (open == null ? "" : ": there is " + open));
                }
            }
        }
    }

    // --- the end

    /** What has yet to come right, or nothing. */
    String missing() {
        if (isVoid()) {
            return "";
        }
        CoordinatorLogModel.Step busy = states.firstBusy();
        if (busy != null) {
            return "a transaction is not over: " + busy;
        }
        for (TransactionLog log : logs.values()) {
            if (log.firstOpen() != null) {
                return "in " + log + " is open " + log.firstOpen();
            }
        }
        return "";
    }

    /** Nothing was lost that was committed. */
    boolean isSound() {
        return !isVoid();
    }

    /** How far a reader has to come. */
    boolean isWhole(TopicPartition partition, long offset) {
        TransactionLog log = logs.get(partition);
        return isVoid() || log == null || offset >= log.end();
    }

    /** The last transaction whose offsets count, -1 for none. */
    long lastOffset(TransactionalId id) {
        long last = -1;
        for (Attempt attempt : attempts.values()) {
            if (attempt.id == id && attempt.hasOffsets && attempt.isCommitted()) {
                last = Math.max(last, attempt.number);
            }
        }
        return last;
    }

    void checkEnd() {
        if (isVoid()) {
            return;
        }
        Map<Integer, Map<String, Integer>> counts = new HashMap<>();
        logs.forEach((partition, log) -> {
            if (partition.topic().equals(topic)) {
                log.committed().values().forEach(value -> counts.computeIfAbsent(
                                partition.partition(), number -> new HashMap<>())
                        .merge(value, 1, Integer::sum));
            }
        });
        for (Attempt attempt : attempts.values()) {
            attempt.acknowledged.forEach((partition, values) -> {
                for (String value : values) {
                    int count = counts.getOrDefault(partition, Map.of()).getOrDefault(value, 0);
                    if (count != (attempt.isCommitted() ? 1 : 0)) {
                        throw new Violation("[INV-43] " + value + " in partition " + partition + " is committed "
                                + count + " times, of " + attempt);
                    }
                }
            });
        }
    }

    /** What a reader has kept is what was committed. */
    void checkRead(int client, TopicPartition partition, List<String> kept) {
        TransactionLog log = logs.get(partition);
        if (log != null && !isVoid() && !kept.equals(List.copyOf(log.committed().values()))) {
            List<String> expected = List.copyOf(log.committed().values());
            int same = 0;
            while (same < Math.min(kept.size(), expected.size())
                    && kept.get(same).equals(expected.get(same))) {
                same++;
            }
            throw new Violation("[INV-40] Client " + client + " has read " + kept.size() + " committed records of "
                    + partition + ", and there are " + expected.size() + "; they part after " + same + ": "
                    + (same < kept.size() ? kept.get(same) : "nothing") + " in place of "
                    + (same < expected.size() ? expected.get(same) : "nothing"));
        }
    }

    String summary() {
        return beganCount + " transactions, " + committedCount + " acknowledged commits" + (isVoid ? ", void" : "");
    }
}
