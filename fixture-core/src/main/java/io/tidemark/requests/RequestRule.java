package io.tidemark.requests;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Says which requests a fault strikes, when, and what it does to them. Where nothing is said it is every request of every
 * client to every node, each time. Requests of nodes to each other are struck only where {@link #fromNodes} says so.
 * Immutable, and safe from any thread.
 *
 * <pre>{@code
 * // The first batch is appended, and its producer does not hear of it.
 * RequestFault lost = cluster.requests()
 *         .on(ApiKey.PRODUCE).fromClient("orders-app").toBroker(1).topic("orders").once()
 *         .loseAnswer();
 * }</pre>
 *
 * <p>The methods that give a {@link RequestFault} declare it: it strikes from then on, until it is healed. A request that
 * several faults cover is struck by all of them, in the order in which they were declared, as far as it gets. Delays pass
 * by the cluster's clock.
 */
public final class RequestRule {
    private final RequestFaultBoard board;
    private final RequestScope scope;
    private final Trigger trigger;
    private final IntConsumer nodeCheck;
    private final FaultWitness witness;
    private final Consumer<RequestFault> onDeclared;

    /**
     * @param nodeCheck throws for the id of a node that is not there
     * @param witness hears of what happens
     * @param seed of what is left to chance
     */
    public RequestRule(RequestFaultBoard board, IntConsumer nodeCheck, FaultWitness witness, long seed) {
        this(board, RequestScope.CLIENTS, Trigger.always(seed), nodeCheck, witness, fault -> {});
    }

    private RequestRule(
            RequestFaultBoard board,
            RequestScope scope,
            Trigger trigger,
            IntConsumer nodeCheck,
            FaultWitness witness,
            Consumer<RequestFault> onDeclared) {
        this.board = board;
        this.scope = scope;
        this.trigger = trigger;
        this.nodeCheck = nodeCheck;
        this.witness = witness;
        this.onDeclared = onDeclared;
    }

    private RequestRule with(RequestScope newScope) {
        return new RequestRule(board, newScope, trigger, nodeCheck, witness, onDeclared);
    }

    private RequestRule with(Trigger newTrigger) {
        return new RequestRule(board, scope, newTrigger, nodeCheck, witness, onDeclared);
    }

    /** Has somebody hear of each fault that is declared by this rule or one made of it. */
    public RequestRule whenDeclared(Consumer<RequestFault> listener) {
        return new RequestRule(board, scope, trigger, nodeCheck, witness, onDeclared.andThen(listener));
    }

    /** Only these APIs. */
    public RequestRule on(ApiKey... apis) {
        return with(scope.on(new LinkedHashSet<>(Arrays.asList(apis))));
    }

    /**
     * Only these APIs, by Kafka's names, as {@code PRODUCE}.
     *
     * @throws IllegalArgumentException if there is no such API
     */
    public RequestRule on(String... apis) {
        return on(Arrays.stream(apis).map(RequestRule::apiNamed).toArray(ApiKey[]::new));
    }

    private static ApiKey apiNamed(String name) {
        try {
            return ApiKey.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "Kafka has no API [" + name + "]; expected one of " + Arrays.toString(ApiKey.values()), e);
        }
    }

    /** Only requests of clients with one of these {@code client.id}s. */
    public RequestRule fromClient(String... clientIds) {
        return with(scope.fromClients(new LinkedHashSet<>(Arrays.asList(clientIds))));
    }

    /** Only what these nodes send to others, controllers included; of any node where none is named. */
    public RequestRule fromNodes(int... nodeIds) {
        return with(scope.fromNodes(known(nodeIds)));
    }

    /** What clients and nodes send alike. */
    public RequestRule fromAnyone() {
        return with(scope.fromAnyone());
    }

    /** Only what two nodes send each other, both ways. */
    public RequestRule between(int nodeId, int otherId) {
        return fromNodes(nodeId, otherId).toBroker(nodeId, otherId);
    }

    /**
     * What a broker, or each of several, gets as a follower, with a rule of its own: the rest of this one does not count.
     *
     * @throws IllegalArgumentException if none is named
     */
    public ReplicationRule replicationOf(int... brokerIds) {
        RequestRule any = new RequestRule(
                board, RequestScope.CLIENTS, Trigger.always(trigger.seed()), nodeCheck, witness, onDeclared);
        return new ReplicationRule(any, board, brokerIds);
    }

    /** Only what is sent to these brokers, or controllers. */
    public RequestRule toBroker(int... nodeIds) {
        return with(scope.to(known(nodeIds)));
    }

    private Set<Integer> known(int... nodeIds) {
        for (int nodeId : nodeIds) {
            nodeCheck.accept(nodeId);
        }
        return IntStream.of(nodeIds).boxed().collect(Collectors.toSet());
    }

    /** Only requests that name this topic, or that are in a fetch session with it. */
    public RequestRule topic(String topic) {
        return with(scope.topic(topic));
    }

    /** Only requests that name this partition, or its whole topic. */
    public RequestRule partition(String topic, int partition) {
        return with(scope.topic(topic, partition));
    }

    /** Only requests that name this consumer group. */
    public RequestRule group(String groupId) {
        return with(scope.group(groupId));
    }

    /** Only requests that name this transactional id. */
    public RequestRule transactionalId(String transactionalId) {
        return with(scope.transactionalId(transactionalId));
    }

    /** The first one only. */
    public RequestRule once() {
        return times(1);
    }

    /** The first so many only. */
    public RequestRule times(int most) {
        return with(trigger.most(positive(most, "times")));
    }

    /** The n-th one only, counted from 1. */
    public RequestRule onNumber(int n) {
        return with(trigger.skip(positive(n, "number") - 1L).most(1));
    }

    /** Not the first so many. */
    public RequestRule after(int passed) {
        return with(trigger.skip(positive(passed, "count to let pass")));
    }

    private static int positive(int value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException("A fault cannot have [" + value + "] as its " + what + ": 1 or more");
        }
        return value;
    }

    /** Each with a probability from 0 to 1, as the cluster's seed decides. */
    public RequestRule withProbability(double probability) {
        return withProbability(probability, trigger.seed());
    }

    /** Each with a probability from 0 to 1, as a seed decides. */
    public RequestRule withProbability(double probability, long seed) {
        if (!(probability > 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    "A fault cannot strike with the probability [" + probability + "]: above 0, up to 1");
        }
        return with(trigger.probability(probability, seed));
    }

    /** Only while a condition holds. It is asked on a node's thread and has to answer at once. */
    public RequestRule when(BooleanSupplier condition) {
        return with(trigger.condition(condition));
    }

    /**
     * Answers an error for all that was asked for, and the node never hears of it. Does not strike where the answer has no
     * place for an error: a produce with acks=0, and Metadata of all topics before version 13.
     */
    public RequestFault answer(ErrorCode error) {
        return declare("answer " + error, new RequestActions.Answer(error, false));
    }

    /** Answers an error for all that was asked for, after it was done: it is there, and the client believes that not. */
    public RequestFault answerAfterwards(ErrorCode error) {
        return declare("do it and answer " + error, new RequestActions.Answer(error, true));
    }

    /** Closes the connection in the place of the answer: what was asked for is done, and the client does not know. */
    public RequestFault loseAnswer() {
        return declare("lose the answer", new RequestActions.LoseAnswer());
    }

    /**
     * Handles the request and never answers it, nor anything more on that connection, which stays open: the client runs
     * into its {@code request.timeout.ms}. The heal resets the connection.
     */
    public RequestFault leaveUnanswered() {
        return declare("leave unanswered", new RequestActions.Mute(true));
    }

    /**
     * The connection is half open: the client sends, and there is nobody at the other end any more, who would say so. The
     * request is not handled. The heal resets the connection.
     */
    public RequestFault halfOpen() {
        return declare("half-open connection", new RequestActions.Mute(false));
    }

    /** The request is lost on its way, and the connection with it after a time, in which TCP tries in vain. */
    public RequestFault drop(Duration giveUpAfter) {
        return declare("drop", new RequestActions.Drop(giveUpAfter.toMillis()));
    }

    /** Closes the connection in good order in the place of handling the request. */
    public RequestFault closeConnection() {
        return declare("close the connection", new RequestActions.Close(false));
    }

    /** Resets the connection in the place of handling the request. */
    public RequestFault resetConnection() {
        return declare("reset the connection", new RequestActions.Close(true));
    }

    /** Each is handled so much later, and what its connection sends after it too. */
    public RequestFault delay(Duration by) {
        return declare("delay by " + by, new RequestActions.Delay(by::toMillis, false));
    }

    /** Each is handled later: by so much, and up to so much more, as the seed decides. */
    public RequestFault delay(Duration by, Duration jitter) {
        return declare("delay by " + by + " to " + by.plus(jitter), new RequestActions.Delay(drawn(by, jitter), false));
    }

    private LongSupplier drawn(Duration by, Duration jitter) {
        SplittableRandom random = new SplittableRandom(trigger.seed());
        return () -> {
            synchronized (random) {
                return by.toMillis() + random.nextLong(jitter.toMillis() + 1);
            }
        };
    }

    /** Each is handled, and its answer sent so much later. */
    public RequestFault delayAnswer(Duration by) {
        return declare("delay the answer by " + by, new RequestActions.Delay(by::toMillis, true));
    }

    /** Requests and answers pass at so many bytes a second on each connection. */
    public RequestFault limitBandwidth(long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("No request ever passes at [" + bytesPerSecond + "] bytes a second");
        }
        return declare("limit to " + bytesPerSecond + " bytes/s", new RequestActions.Bandwidth(bytesPerSecond));
    }

    /** A barrier: each waits, unhandled, until the fault {@linkplain RequestFault#release lets it go} or is healed. */
    public RequestFault hold() {
        return declare("hold", new RequestActions.Hold(true, false));
    }

    /** A barrier: each is handled, and its answer waits until the fault lets it go or is healed. */
    public RequestFault holdAnswer() {
        return declare("hold the answer", new RequestActions.Hold(false, true));
    }

    /**
     * Cuts these connections: nothing arrives in either direction, answers under way included, and nobody is told. After
     * the heal what neither side has given up goes on its way, as with TCP.
     */
    public RequestFault cutOff() {
        return declare("cut off", new RequestActions.Hold(true, true));
    }

    /** The node handles each twice and answers once, with its second answer, as if the client had sent it again. */
    public RequestFault duplicate() {
        return declare("duplicate", new RequestActions.Duplicate());
    }

    RequestFault declare(String what, RequestAction action) {
        String name = what + ": " + scope + trigger;
        RequestFault fault = new RequestFault(board, name, scope, trigger, action, witness);
        board.add(fault);
        witness.did("requests", name);
        onDeclared.accept(fault);
        return fault;
    }

    /** For example {@code PRODUCE from [orders-app] once}. */
    @Override
    public String toString() {
        return scope + trigger.toString();
    }
}
