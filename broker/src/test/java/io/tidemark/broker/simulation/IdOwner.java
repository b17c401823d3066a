package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ApiMessage;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.EndTxnResponse;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.simulation.TransactionalRequests.Owner;
import io.tidemark.broker.simulation.TransactionalRequests.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * A client under a transactional id: the producer id and epoch that it has there, and what it tries when another client
 * has taken the id over.
 */
abstract class IdOwner extends CoordinatorClient {
    private static final long PROBE_PATIENCE_US = World.SECOND;

    final TransactionOracle judge;
    final TransactionalId id;
    final TransactionOptions options;
    final String topic;
    final TransactionalRequests requests;

    /** The next sequence in each partition. */
    final Map<Integer, Integer> sequences = new TreeMap<>();

    Owner owner = Owner.NOBODY;

    IdOwner(
            World world,
            Oracle oracle,
            TransactionOracle judge,
            Machine machine,
            int brokers,
            TransactionalId id,
            TransactionOptions options,
            String topic) {
        super(world, oracle, machine, brokers);
        this.judge = judge;
        this.id = id;
        this.options = options;
        this.topic = topic;
        this.requests = new TransactionalRequests(id.name(), options.hasImplicitPartitions());
    }

    /** Its transaction is nothing that it will end. */
    abstract void onGoing();

    /** It is to come to rest. */
    abstract boolean isEnding();

    final Question question(
            KeyType keyType, int version, Supplier<ApiMessage> request, Function<ApiMessage, ErrorCode> errorOf) {
        String key = keyType == KeyType.GROUP ? id.group() : id.name();
        return new Question(keyType, key, version, request, errorOf, world.nowUs());
    }

    /** Each epoch has sequences of its own. */
    final void own(Owner now) {
        if (!now.equals(owner)) {
            sequences.clear();
        }
        owner = now;
    }

    final void unexpected(String what, ErrorCode error) {
        judge.onUnexpected(machine.id(), what + " of " + id + ", " + owner + ", is answered " + error);
        go();
    }

    // --- after it was fenced

    final void fenced() {
        note("IS FENCED");
        onGoing();
        if (owner.equals(Owner.NOBODY)) {
            go();
        } else {
            probe(random.nextInt(0, 4));
        }
    }

    /** It does not believe it yet: all that it tries is refused. */
    private void probe(int more) {
        if (more == 0 || isGone() || isEnding()) {
            go();
            return;
        }
        Runnable then = () -> later(random.nextLong(1, 300), () -> probe(more - 1));
        switch (random.nextInt(5)) {
            case 0 ->
                probeWrite(
                        owner,
                        new ArrayList<>(topic(topic).leaders.keySet()),
                        (part, sentUs) -> judge.onSuccess(machine.id(), id, owner, sentUs, "writes " + part.values()),
                        then);
            case 1 ->
                probeAsk(
                        question(
                                KeyType.TRANSACTION,
                                requests.endVersion(),
                                () -> requests.end(owner, true),
                                response -> ErrorCode.forCode(((EndTxnResponse) response).errorCode())),
                        sentUs -> taken("[INV-47] A commit"),
                        then);
            case 2 ->
                probeAsk(
                        question(
                                KeyType.TRANSACTION,
                                TransactionalRequests.ADD_PARTITIONS,
                                () -> requests.add(owner, topic, List.of(0)),
                                TransactionalRequests::errorOfAdd),
                        sentUs -> taken("[INV-48] A partition"),
                        then);
            case 3 ->
                probeAsk(
                        question(
                                KeyType.TRANSACTION,
                                TransactionalRequests.INIT_PRODUCER_ID,
                                () -> requests.initialize(options.timeoutMs, owner),
                                response -> ErrorCode.forCode(((InitProducerIdResponse) response).errorCode())),
                        sentUs -> taken("[INV-48] The old epoch"),
                        then);
            default ->
                probeAsk(
                        question(
                                KeyType.GROUP,
                                requests.offsetCommitVersion(),
                                () -> requests.commitOffset(owner, id.group(), "", topic, 1_000_000),
                                TransactionalRequests::errorOfCommit),
                        // As a write, it may come before the marker that fences it there.
                        sentUs -> judge.onSuccess(machine.id(), id, owner, sentUs, "commits offsets"),
                        then);
        }
    }

    private void taken(String what) {
        judge.onUnexpected(machine.id(), what + " of " + id + ", " + owner + ", is taken after it was fenced");
    }

    private void probeAsk(Question question, LongConsumer onTaken, Runnable then) {
        question.patienceUs = PROBE_PATIENCE_US;
        ask(question, (error, response) -> {
            if (error == ErrorCode.NONE) {
                onTaken.accept(question.sentUs);
            }
            then.run();
        });
    }

    final void probeWrite(Owner writing, List<Integer> partitions, ObjLongConsumer<Part> onTaken, Runnable then) {
        Topic known = topic(topic);
        int partition = partitions.isEmpty() ? -1 : partitions.get(random.nextInt(partitions.size()));
        int leader = known.leader(partition);
        if (leader < 0 || writing.producerEpoch() < 0) {
            then.run();
            return;
        }
        int sequence = writing.equals(owner) ? sequences.getOrDefault(partition, 0) : 0;
        Part part = new Part(partition, sequence, judge.onBegin(id, writing).newValues(1));
        long sentUs = world.nowUs();
        ApiMessage request = requests.produce(
                writing, topic, known.id, List.of(part), machine.clock().wallTimeMs());
        send(
                leader,
                request,
                requests.produceVersion(),
                response -> {
                    ProduceResponse answer = (ProduceResponse) response;
                    if (answer.responses().get(0).partitionResponses().get(0).errorCode() == 0) {
                        onTaken.accept(part, sentUs);
                    }
                    then.run();
                },
                then);
    }

    /** It is no more, without a word. */
    final void go() {
        onGoing();
        leave();
        id.onGone();
    }

    final void note(String what) {
        world.trace().note(world.nowUs(), machine.id(), what + ", " + id + ", " + owner, 0, 0);
    }
}
