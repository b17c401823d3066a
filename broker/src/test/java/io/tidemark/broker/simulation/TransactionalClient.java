package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.AddOffsetsToTxnResponse;
import io.tidemark.broker.protocol.message.EndTxnResponse;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.Sequences;
import io.tidemark.broker.simulation.TransactionalRequests.Owner;
import io.tidemark.broker.simulation.TransactionalRequests.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a transactional application: transaction after transaction, each with records for several partitions
 * and at times the offsets of a group, until it is told that another one has taken its place, or is gone in the middle.
 *
 * <p>On version 1 of transactions a request that was never answered may come late, and into the next transaction. Where
 * that may matter, the client takes another epoch first, as a producer does after a batch whose fate it does not know
 * (KIP-360).
 */
final class TransactionalClient extends IdOwner {
    private static final long PATIENCE_US = 5 * World.SECOND;

    private final Map<Integer, Batch> pending = new TreeMap<>();
    private final TreeSet<Integer> added = new TreeSet<>();
    private @Nullable Attempt attempt;
    private int wavesLeft;
    private int wavesToGo = -1;
    private boolean isAnythingAsked;
    private boolean mustAbort;
    private boolean needsEpoch;
    private boolean isEnding;
    private boolean isResting;

    TransactionalClient(
            World world,
            Oracle oracle,
            TransactionOracle judge,
            Machine machine,
            int brokers,
            TransactionalId id,
            TransactionOptions options,
            String topic) {
        super(world, oracle, judge, machine, brokers, id, options, topic);
    }

    private static final class Batch {
        final Part part;
        final long sinceUs;
        boolean isUnanswered;

        Batch(Part part, long sinceUs) {
            this.part = part;
            this.sinceUs = sinceUs;
        }
    }

    @Override
    void start() {
        loop.execute(() -> {
            refresh();
            initialize();
        });
    }

    /** The transaction under way is the last. */
    void end() {
        isEnding = true;
    }

    boolean isAtRest() {
        return isGone() || isResting;
    }

    // --- before a transaction

    private void initialize() {
        Owner before = owner;
        Question question = question(
                KeyType.TRANSACTION,
                TransactionalRequests.INIT_PRODUCER_ID,
                () -> requests.initialize(options.timeoutMs, before),
                response -> ErrorCode.forCode(((InitProducerIdResponse) response).errorCode()));
        ask(question, (error, response) -> {
            switch (error) {
                case NONE -> {
                    InitProducerIdResponse answer = (InitProducerIdResponse) response;
                    own(new Owner(answer.producerId(), answer.producerEpoch()));
                    judge.onInitialized(machine.id(), id, owner, question.sinceUs);
                    needsEpoch = false;
                    next();
                }
                case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH -> fenced();
                default -> unexpected("InitProducerId", error);
            }
        });
    }

    private void next() {
        if (isEnding) {
            isResting = true;
        } else {
            later(random.nextLong(1, options.thinkMs + 2), this::begin);
        }
    }

    private void begin() {
        if (isGone()) {
            return;
        }
        Topic known = topic(topic);
        if (isEnding || known == null || known.leaders.isEmpty()) {
            refresh();
            next();
            return;
        }
        attempt = judge.onBegin(id, owner);
        wavesLeft = random.nextInt(1, 4);
        wavesToGo = random.nextInt(100) < options.abandonedPercent ? random.nextInt(0, wavesLeft + 1) : -1;
        isAnythingAsked = false;
        mustAbort = false;
        added.clear();
        wave();
    }

    // --- in a transaction

    private void wave() {
        Attempt current = attempt;
        if (isGone() || current == null) {
            return;
        }
        if (wavesToGo == 0) {
            note("ABANDONS " + current.name());
            go();
            return;
        }
        wavesToGo--;
        if (mustAbort) {
            askEnd(current, false);
            return;
        }
        if (wavesLeft == 0) {
            offsets(current);
            return;
        }
        wavesLeft--;
        List<Integer> chosen = new ArrayList<>(topic(topic).leaders.keySet());
        while (chosen.size() > 1 && random.nextInt(3) > 0) {
            chosen.remove(random.nextInt(chosen.size()));
        }
        for (int partition : chosen) {
            int sequence = sequences.getOrDefault(partition, 0);
            pending.put(
                    partition,
                    new Batch(new Part(partition, sequence, current.newValues(random.nextInt(1, 4))), world.nowUs()));
        }
        chosen.removeAll(added);
        if (options.hasImplicitPartitions() || chosen.isEmpty()) {
            added.addAll(chosen);
            produce();
        } else {
            add(chosen);
        }
    }

    private void add(List<Integer> partitions) {
        isAnythingAsked = true;
        Owner asking = owner;
        Question question = question(
                KeyType.TRANSACTION,
                TransactionalRequests.ADD_PARTITIONS,
                () -> requests.add(asking, topic, partitions),
                TransactionalRequests::errorOfAdd);
        question.patienceUs = PATIENCE_US;
        ask(question, (error, response) -> {
            switch (error) {
                case NONE -> {
                    judge.onSuccess(machine.id(), id, asking, question.sentUs, "adds partitions " + partitions);
                    added.addAll(partitions);
                    produce();
                }
                case REQUEST_TIMED_OUT -> {
                    pending.clear();
                    mustAbort = true;
                    wave();
                }
                case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH, INVALID_PRODUCER_ID_MAPPING -> fenced();
                default -> unexpected("AddPartitionsToTxn", error);
            }
        });
    }

    /** All that waits, in one request to each leader. */
    private void produce() {
        isAnythingAsked = true;
        Map<Integer, List<Batch>> byLeader = new TreeMap<>();
        for (Batch batch : pending.values()) {
            byLeader.computeIfAbsent(topic(topic).leader(batch.part.partition()), leader -> new ArrayList<>())
                    .add(batch);
        }
        byLeader.forEach(this::send);
    }

    private void send(int leader, List<Batch> batches) {
        if (isGone()) {
            return;
        }
        if (leader < 0) {
            refresh();
            batches.forEach(this::again);
            return;
        }
        Owner writing = owner;
        long sentUs = world.nowUs();
        List<Part> parts = batches.stream().map(batch -> batch.part).toList();
        send(
                leader,
                requests.produce(
                        writing, topic, topic(topic).id, parts, machine.clock().wallTimeMs()),
                requests.produceVersion(),
                response -> {
                    if (!isGone()) {
                        ((ProduceResponse) response)
                                .responses()
                                .get(0)
                                .partitionResponses()
                                .forEach(answer -> {
                                    Batch batch = pending.get(answer.index());
                                    if (batch != null) {
                                        onWritten(batch, writing, sentUs, answer);
                                    }
                                });
                    }
                },
                () -> {
                    batches.forEach(batch -> batch.isUnanswered = true);
                    batches.forEach(this::again);
                });
    }

    private void onWritten(Batch batch, Owner writing, long sentUs, ProduceResponse.PartitionProduceResponse answer) {
        ErrorCode error = ErrorCode.forCode(answer.errorCode());
        Part part = batch.part;
        switch (error) {
            case NONE -> {
                judge.onSuccess(machine.id(), id, writing, sentUs, "writes " + part.values());
                oracle.onAcknowledged(
                        machine.id(),
                        topic(topic).id,
                        part.partition(),
                        answer.baseOffset(),
                        part.values(),
                        true,
                        true);
                judge.onWritten(attempt, part.partition(), part.values());
                sequences.put(
                        part.partition(),
                        Sequences.add(part.firstSequence(), part.values().size()));
                settle(batch);
            }
            case NOT_ENOUGH_REPLICAS,
                    NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                    CONCURRENT_TRANSACTIONS,
                    NOT_LEADER_OR_FOLLOWER,
                    UNKNOWN_TOPIC_OR_PARTITION,
                    REQUEST_TIMED_OUT,
                    KAFKA_STORAGE_ERROR,
                    LEADER_NOT_AVAILABLE -> {
                batch.isUnanswered |= error == ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND
                        || error == ErrorCode.REQUEST_TIMED_OUT
                        || error == ErrorCode.NOT_LEADER_OR_FOLLOWER;
                refresh();
                again(batch);
            }
            case INVALID_PRODUCER_EPOCH,
                    PRODUCER_FENCED,
                    INVALID_PRODUCER_ID_MAPPING,
                    INVALID_TXN_STATE,
                    TRANSACTION_ABORTABLE -> giveUp(batch);
            case OUT_OF_ORDER_SEQUENCE_NUMBER -> {
                judge.onUnexpected(
                        machine.id(),
                        "[INV-30] " + part + " of " + writing + " is out of order: " + answer.errorMessage());
                giveUp(batch);
            }
            default -> unexpected("Produce", error);
        }
    }

    private void again(Batch batch) {
        if (isGone() || pending.get(batch.part.partition()) != batch) {
            return;
        }
        if (world.nowUs() - batch.sinceUs > PATIENCE_US) {
            giveUp(batch);
            return;
        }
        later(random.nextLong(20, 120), () -> {
            if (pending.get(batch.part.partition()) == batch) {
                refresh();
                send(topic(topic).leader(batch.part.partition()), List.of(batch));
            }
        });
    }

    private void giveUp(Batch batch) {
        mustAbort = true;
        needsEpoch |= batch.isUnanswered;
        settle(batch);
    }

    private void settle(Batch batch) {
        pending.remove(batch.part.partition());
        if (pending.isEmpty()) {
            wave();
        }
    }

    private void offsets(Attempt current) {
        if (random.nextBoolean()) {
            askEnd(current, random.nextDouble() < options.commitShare);
        } else if (options.hasImplicitPartitions()) {
            commitOffset(current);
        } else {
            addOffsets(current);
        }
    }

    private void addOffsets(Attempt current) {
        Owner asking = owner;
        Question question = question(
                KeyType.TRANSACTION,
                TransactionalRequests.ADD_OFFSETS,
                () -> requests.addOffsets(asking, id.group()),
                response -> ErrorCode.forCode(((AddOffsetsToTxnResponse) response).errorCode()));
        question.patienceUs = PATIENCE_US;
        ask(question, (error, response) -> {
            switch (error) {
                case NONE -> {
                    judge.onSuccess(machine.id(), id, asking, question.sentUs, "adds offsets");
                    commitOffset(current);
                }
                case REQUEST_TIMED_OUT -> askEnd(current, false);
                case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH, INVALID_PRODUCER_ID_MAPPING -> fenced();
                default -> unexpected("AddOffsetsToTxn", error);
            }
        });
    }

    private void commitOffset(Attempt current) {
        Owner asking = owner;
        // At times for a member that the group does not have.
        boolean isStranger = random.nextInt(8) == 0;
        Question question = question(
                KeyType.GROUP,
                requests.offsetCommitVersion(),
                () -> requests.commitOffset(asking, id.group(), isStranger ? "nobody" : "", topic, current.number),
                TransactionalRequests::errorOfCommit);
        question.patienceUs = PATIENCE_US;
        ask(question, (error, response) -> {
            needsEpoch |= question.isUnanswered;
            switch (error) {
                case NONE -> {
                    judge.onSuccess(machine.id(), id, asking, question.sentUs, "commits offsets");
                    if (isStranger) {
                        judge.onUnexpected(
                                machine.id(), "[INV-51] Offsets of a member that " + id.group() + " has not are taken");
                    }
                    current.hasOffsets = true;
                    askEnd(current, random.nextDouble() < options.commitShare);
                }
                case UNKNOWN_MEMBER_ID, ILLEGAL_GENERATION, FENCED_INSTANCE_ID -> {
                    if (!isStranger) {
                        unexpected("TxnOffsetCommit", error);
                    } else {
                        askEnd(current, false);
                    }
                }
                case REQUEST_TIMED_OUT,
                        PRODUCER_FENCED,
                        INVALID_PRODUCER_EPOCH,
                        INVALID_PRODUCER_ID_MAPPING,
                        INVALID_TXN_STATE,
                        TRANSACTION_ABORTABLE -> askEnd(current, false);
                default -> unexpected("TxnOffsetCommit", error);
            }
        });
    }

    // --- the end of it

    private void askEnd(Attempt current, boolean isCommit) {
        if (!isAnythingAsked) {
            current.fate = Attempt.Fate.ABORTED;
            over();
            return;
        }
        Owner ending = owner;
        judge.onEndAsked(current, isCommit);
        Question question = question(
                KeyType.TRANSACTION,
                requests.endVersion(),
                () -> requests.end(ending, isCommit),
                response -> ErrorCode.forCode(((EndTxnResponse) response).errorCode()));
        if (random.nextInt(100) < options.abandonedPercent) {
            later(random.nextLong(1, 60), () -> {
                if (attempt == current) {
                    note("IS GONE while it ends " + current.name());
                    go();
                }
            });
        }
        ask(question, (error, response) -> {
            needsEpoch |= question.isUnanswered;
            switch (error) {
                case NONE -> {
                    EndTxnResponse answer = (EndTxnResponse) response;
                    judge.onSuccess(machine.id(), id, ending, question.sentUs, "ends " + current.name());
                    Owner next = options.hasImplicitPartitions()
                            ? new Owner(answer.producerId(), answer.producerEpoch())
                            : ending;
                    judge.onEnded(machine.id(), current, isCommit, next);
                    if (isCommit && current.hasOffsets) {
                        id.onCommitted();
                    }
                    own(next);
                    over();
                }
                case PRODUCER_FENCED, INVALID_PRODUCER_EPOCH, INVALID_PRODUCER_ID_MAPPING -> {
                    judge.onNotEnded(current, isCommit && question.mayBeDone);
                    fenced();
                }
                case INVALID_TXN_STATE -> {
                    judge.onNotEnded(current, isCommit && question.mayBeDone);
                    go();
                }
                default -> unexpected("EndTxn", error);
            }
        });
    }

    private void over() {
        attempt = null;
        if (needsEpoch && !options.hasImplicitPartitions()) {
            initialize();
        } else if (random.nextInt(12) == 0 && !isEnding) {
            writeLate();
        } else {
            next();
        }
    }

    /**
     * Writes where no transaction is open, to a partition that was not in the last one: on version 1 nobody has added it,
     * on version 2 the epoch is over. That is refused (KIP-890). In one that was, the marker may not be written yet.
     */
    private void writeLate() {
        Owner writing = options.hasImplicitPartitions()
                ? new Owner(owner.producerId(), (short) (owner.producerEpoch() - 1))
                : owner;
        List<Integer> partitions = new ArrayList<>(topic(topic).leaders.keySet());
        partitions.removeAll(added);
        probeWrite(
                writing,
                partitions,
                (part, sentUs) -> judge.onUnexpected(
                        machine.id(),
                        "[INV-50] A write outside of a transaction is taken: " + part + " of " + id + ", " + writing),
                options.hasImplicitPartitions() ? this::next : this::initialize);
    }

    @Override
    void onGoing() {
        attempt = null;
        pending.clear();
    }

    @Override
    boolean isEnding() {
        return isEnding;
    }
}
