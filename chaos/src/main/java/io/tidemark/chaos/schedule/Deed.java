package io.tidemark.chaos.schedule;

import io.tidemark.HeldReplicas;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.chaos.Chaos;
import io.tidemark.requests.RequestRule;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a step of a schedule does, in the words of {@link Chaos}. In a schedule's text each is followed by what it is done to.
 *
 * <pre>{@code
 * Schedule.random(42, 1, 2, 3).with(Deed.KILL, Deed.LOSE_ANSWER).build();
 * }</pre>
 */
public enum Deed {
    KILL("kill", Harm.BROKER, false, doing -> doing.chaos().kill(doing.number(0)), Word.NODE),
    STOP("stop", Harm.BROKER, false, doing -> doing.chaos().stop(doing.number(0)), Word.NODE),
    RESTART("restart", Harm.NONE, false, doing -> doing.chaos().restart(doing.number(0)), Word.NODE),
    PAUSE("pause", Harm.BROKER, false, doing -> doing.chaos().pause(doing.number(0)), Word.NODE),
    RESUME("resume", Harm.NONE, false, doing -> doing.chaos().resume(doing.number(0)), Word.NODE),
    LOSE_POWER("losePower", Harm.BROKER, false, doing -> doing.chaos().losePower(doing.number(0)), Word.NODE),
    /** Everything that a node is sent is handled so much later. */
    SLOW("slow", Harm.BROKER, true, doing -> doing.chaos().slow(doing.number(0), doing.time(1)), Word.NODE, Word.TIME),
    /** A broker comes, and holds nothing yet. */
    ADD_BROKER("addBroker", Harm.PASSING, false, doing -> doing.cluster().addBroker(doing.number(0)), Word.BROKER),
    /** A broker's replicas are moved to others, and it goes. */
    REMOVE_BROKER(
            "removeBroker",
            Harm.PASSING,
            false,
            doing -> doing.cluster().removeBroker(doing.number(0), HeldReplicas.MOVE),
            Word.BROKER),
    /** A controller comes, and has a vote. */
    ADD_CONTROLLER(
            "addController",
            Harm.PASSING,
            false,
            doing -> doing.cluster().addController(doing.number(0)),
            Word.CONTROLLER),
    REMOVE_CONTROLLER(
            "removeController",
            Harm.PASSING,
            false,
            doing -> doing.cluster().removeController(doing.number(0)),
            Word.CONTROLLER),

    ISOLATE("isolate", Harm.BROKER, true, doing -> doing.chaos().isolate(doing.number(0)), Word.NODE),
    ISOLATE_FROM_CONTROLLERS(
            "isolateFromControllers",
            Harm.BROKER,
            true,
            doing -> doing.chaos().isolateFromControllers(doing.number(0)),
            Word.NODE),
    REFUSE_CONNECTIONS(
            "refuseConnections",
            Harm.BROKER,
            false,
            doing -> doing.chaos().refuseConnections(doing.number(0)),
            Word.NODE),
    CUT("cut", Harm.BROKER, true, doing -> doing.chaos().cut(doing.number(0), doing.number(1)), Word.NODE, Word.NODE),
    CUT_ONE_WAY(
            "cutOneWay",
            Harm.BROKER,
            true,
            doing -> doing.chaos().cutOneWay(doing.number(0), doing.number(1)),
            Word.NODE,
            Word.NODE),
    /** No node of one group hears one of another. */
    SPLIT("split", Harm.BROKER, true, doing -> doing.chaos().split(Word.groupsOf(doing.word(0))), Word.GROUPS),
    /** A broker's replicas get nothing from their leaders. */
    STALL_REPLICATION(
            "stallReplication", Harm.BROKER, true, doing -> doing.chaos().stallReplication(doing.number(0)), Word.NODE),
    /** A broker's replica of one partition gets nothing from its leader. */
    STALL_PARTITION(
            "stallPartition",
            Harm.BROKER,
            true,
            doing -> doing.chaos()
                    .replicationOf(doing.number(0))
                    .partition(doing.word(1), doing.number(2))
                    .stall(),
            Word.NODE,
            Word.TOPIC,
            Word.PARTITION),
    /** The followers of a partition get nothing more, so that nothing more is committed. */
    HOLD_HIGH_WATERMARK(
            "holdHighWatermark",
            Harm.BROKER,
            true,
            doing -> doing.chaos().holdHighWatermark(doing.word(0), doing.number(1)),
            Word.TOPIC,
            Word.PARTITION),

    /** What is asked of an API is done, and the connection closed in the place of the answer: so many times. */
    LOSE_ANSWER("loseAnswer", Harm.PASSING, true, doing -> some(doing).loseAnswer(), Word.API, Word.TIMES),
    /** What is asked of an API is done, and never answered, nor anything more on that connection. */
    LEAVE_UNANSWERED(
            "leaveUnanswered", Harm.PASSING, true, doing -> some(doing).leaveUnanswered(), Word.API, Word.TIMES),
    /** What is asked of an API is not done, and answered with an error. */
    ANSWER_ERROR(
            "answerError",
            Harm.PASSING,
            true,
            doing -> some(doing).answer(ErrorCode.valueOf(doing.word(2))),
            Word.API,
            Word.TIMES,
            Word.ERROR),
    DELAY_REQUEST(
            "delayRequest",
            Harm.PASSING,
            true,
            doing -> some(doing).delay(doing.time(2)),
            Word.API,
            Word.TIMES,
            Word.TIME),
    /** What is asked of an API is not done, and the connection closed. */
    CLOSE_CONNECTION(
            "closeConnection", Harm.PASSING, true, doing -> some(doing).closeConnection(), Word.API, Word.TIMES),

    /** A broker's page cache forgets the segments of a partition. */
    EVICT(
            "evict",
            Harm.PASSING,
            true,
            doing -> doing.chaos().disk(doing.number(0)).evict(doing.word(1), doing.number(2)),
            Word.NODE,
            Word.TOPIC,
            Word.PARTITION),
    SLOW_DISK(
            "slowDisk",
            Harm.BROKER,
            true,
            doing -> doing.chaos().disk(doing.number(0)).slow(doing.time(1)),
            Word.NODE,
            Word.TIME),
    /** The broker stops at the next write. */
    FAIL_WRITES(
            "failWrites",
            Harm.BROKER,
            true,
            doing -> doing.chaos().disk(doing.number(0)).failWrites(),
            Word.NODE),
    /** What has to be read from the disk is not served. */
    FAIL_READS(
            "failReads",
            Harm.BROKER,
            true,
            doing -> doing.chaos().disk(doing.number(0)).failReads(),
            Word.NODE),
    /** The broker stops at the next write that needs room. */
    FILL_DISK(
            "fillDisk",
            Harm.BROKER,
            true,
            doing -> doing.chaos().disk(doing.number(0)).full(),
            Word.NODE),
    /** Readers find a wrong checksum until the heal. */
    FLIP_BIT(
            "flipBit",
            Harm.BEYOND,
            false,
            doing -> doing.chaos()
                    .disk(doing.number(0))
                    .flipBit(doing.word(1), doing.number(2), Long.parseLong(doing.word(3))),
            Word.NODE,
            Word.TOPIC,
            Word.PARTITION,
            Word.OFFSET),

    /** Each member of a group is told at its next heartbeat to join again. */
    REBALANCE(
            "rebalance",
            Harm.PASSING,
            true,
            doing -> doing.chaos().group(doing.word(0)).rebalance(),
            Word.GROUP),
    /** Another broker coordinates a group. */
    MOVE_GROUP(
            "moveGroup",
            Harm.PASSING,
            true,
            doing -> doing.chaos().group(doing.word(0)).moveCoordinator(),
            Word.GROUP),
    KILL_GROUP_COORDINATOR(
            "killGroupCoordinator",
            Harm.BROKER,
            true,
            doing -> doing.chaos().group(doing.word(0)).killCoordinator(),
            Word.GROUP),

    /** Another broker coordinates a transactional id. */
    MOVE_TRANSACTION(
            "moveTransaction",
            Harm.PASSING,
            true,
            doing -> doing.chaos().transaction(doing.word(0)).moveCoordinator(),
            Word.TRANSACTIONAL_ID),
    KILL_TRANSACTION_COORDINATOR(
            "killTransactionCoordinator",
            Harm.BROKER,
            true,
            doing -> doing.chaos().transaction(doing.word(0)).killCoordinator(),
            Word.TRANSACTIONAL_ID),
    /** A broker's transaction coordinator decides, and tells no partition. */
    HOLD_MARKERS("holdMarkers", Harm.BROKER, true, doing -> doing.chaos().holdMarkers(doing.number(0)), Word.NODE),

    /** A replica in sync leads. */
    ELECT(
            "elect",
            Harm.PASSING,
            true,
            doing -> doing.chaos().leadership().elect(doing.word(0), doing.number(1), doing.number(2)),
            Word.TOPIC,
            Word.PARTITION,
            Word.NODE),
    /** Another replica in sync leads every partition. */
    SHUFFLE_LEADERS("shuffleLeaders", Harm.PASSING, true, doing -> doing.chaos()
            .leadership()
            .shuffle()),
    /** A replica out of sync leads a partition that has no leader; what it lacks is lost. */
    ELECT_UNCLEAN(
            "electUnclean",
            Harm.BEYOND,
            true,
            doing -> doing.chaos().leadership().electUnclean(doing.word(0), doing.number(1)),
            Word.TOPIC,
            Word.PARTITION),

    /** The time of every node goes ahead. */
    ADVANCE_CLOCK(
            "advanceClock",
            Harm.PASSING,
            false,
            doing -> doing.cluster().clock().advance(doing.time(0)),
            Word.TIME),
    /** The wall clock of one node is wrong. */
    SKEW("skew", Harm.PASSING, false, doing -> doing.chaos().skew(doing.number(0), doing.time(1)), Word.NODE, Word.OFF),

    HEAL_LINKS("healLinks", Harm.NONE, false, doing -> doing.chaos().healLinks()),
    /** Heals everything, and waits until every replica is in sync. */
    HEAL("heal", Harm.NONE, false, doing -> doing.chaos().heal());

    private final String verb;
    private final Harm harm;
    private final boolean mayMiss;
    private final List<Word> words;

    @SuppressWarnings("ImmutableEnumChecker") // what is done captures nothing
    private final Consumer<Doing> action;

    Deed(String verb, Harm harm, boolean mayMiss, Consumer<Doing> action, Word... words) {
        this.verb = verb;
        this.harm = harm;
        this.mayMiss = mayMiss;
        this.action = action;
        this.words = List.of(words);
    }

    private static RequestRule some(Doing doing) {
        return Scope.limit(doing.chaos().requests(), doing.words())
                .on(doing.word(0))
                .times(doing.number(1));
    }

    void act(Doing doing) {
        action.accept(doing);
    }

    /** The name in a schedule's text, for example {@code losePower}. */
    public String verb() {
        return verb;
    }

    /** What has to be survived of it. */
    public Harm harm() {
        return harm;
    }

    /** True where it may find nothing to strike, or not be possible at the moment: what has no member cannot rebalance. */
    public boolean mayMiss() {
        return mayMiss;
    }

    /** True where what it is done to may be limited by a {@link Scope}. */
    boolean isOfRequests() {
        return words.contains(Word.API);
    }

    List<Word> words() {
        return words;
    }

    void require(List<String> given) {
        boolean fits = given.size() >= words.size();
        for (int i = 0; fits && i < words.size(); i++) {
            fits = words.get(i).fits(given.get(i));
        }
        List<String> more = fits ? given.subList(words.size(), given.size()) : List.of();
        fits &= more.isEmpty() || (isOfRequests() && Scope.fit(more));
        if (!fits) {
            throw new IllegalArgumentException("[" + verb + "] is done to "
                    + (words.isEmpty()
                            ? "nothing by name"
                            : words.stream().map(Word::meaning).collect(Collectors.joining(", then ")))
                    + (isOfRequests() ? ", then any of " + Scope.shapes() : "")
                    + ", and not to " + given);
        }
    }

    static Deed ofVerb(String verb) {
        return Arrays.stream(values())
                .filter(deed -> deed.verb.equals(verb))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No deed is called [" + verb + "]; there are "
                        + Arrays.stream(values()).map(Deed::verb).collect(Collectors.joining(", "))));
    }
}
