package io.tidemark.chaos.schedule;

import io.tidemark.broker.protocol.ApiKey;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.chaos.schedule.Schedule.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Collects the steps of a schedule: first when, then what. Belongs to one thread.
 *
 * <pre>{@code
 * Schedule.script().at(Duration.ofMillis(100)).kill(1).at(Duration.ofMillis(800)).heal().build();
 * }</pre>
 */
public final class Script {
    private final List<Step> steps = new ArrayList<>();

    Script() {}

    /** At this time from the start. */
    public Moment at(Duration time) {
        return new Moment(List.of(millis(time)), "");
    }

    /** Again and again, the first time after this interval; say until when. */
    public Repeating every(Duration interval) {
        return new Repeating(millis(interval));
    }

    /** Once, when the condition of this name holds; letters, digits, - and _. */
    public Moment when(String condition) {
        if (!condition.matches("[\\w-]+")) {
            throw new IllegalArgumentException(
                    "Condition [" + condition + "] cannot be written in a line; use letters, digits, - and _");
        }
        return new Moment(List.of(-1L), condition);
    }

    public Schedule build() {
        return Schedule.of(steps);
    }

    private static long millis(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("A step cannot come at [" + time + "], before the start");
        }
        return time.toMillis();
    }

    /** An interval whose end is still to be said. */
    public final class Repeating {
        private final long intervalMs;

        private Repeating(long intervalMs) {
            if (intervalMs == 0) {
                throw new IllegalArgumentException("An interval of [0] ms never ends; use one of 1 ms or more");
            }
            this.intervalMs = intervalMs;
        }

        /** The last time is at this time from the start, or before. */
        public Moment until(Duration end) {
            List<Long> times = new ArrayList<>();
            for (long atMs = intervalMs; atMs <= millis(end); atMs += intervalMs) {
                times.add(atMs);
            }
            return new Moment(times, "");
        }
    }

    /** When something is to be done; says what. */
    public final class Moment {
        private final List<Long> timesMs;
        private final String condition;
        private final List<String> scopes = new ArrayList<>();
        private boolean isMaybe;

        private Moment(List<Long> timesMs, String condition) {
            this.timesMs = timesMs;
            this.condition = condition;
        }

        /** What is said next need not strike anything. */
        public Moment maybe() {
            isMaybe = true;
            return this;
        }

        /** Of what is said next of requests, only those of the client with this {@code client.id}. */
        public Moment fromClient(String clientId) {
            return within(Scope.CLIENT, clientId);
        }

        /** Of what is said next of requests, only those that are sent to this broker. */
        public Moment toBroker(int broker) {
            return within(Scope.BROKER, broker);
        }

        /** Of what is said next of requests, only those that name this topic. */
        public Moment topic(String topic) {
            return within(Scope.TOPIC, topic);
        }

        /** Of what is said next of requests, only those that name this group. */
        public Moment group(String groupId) {
            return within(Scope.GROUP, groupId);
        }

        /** Of what is said next of requests, only those that name this transactional id. */
        public Moment transactionalId(String transactionalId) {
            return within(Scope.TRANSACTIONAL_ID, transactionalId);
        }

        private Moment within(Scope scope, Object what) {
            scopes.add(scope.of(what));
            return this;
        }

        public Script kill(int node) {
            return doing(Deed.KILL, node);
        }

        public Script stop(int node) {
            return doing(Deed.STOP, node);
        }

        public Script restart(int node) {
            return doing(Deed.RESTART, node);
        }

        public Script pause(int node) {
            return doing(Deed.PAUSE, node);
        }

        public Script resume(int node) {
            return doing(Deed.RESUME, node);
        }

        public Script losePower(int node) {
            return doing(Deed.LOSE_POWER, node);
        }

        /** Everything that a node is sent is handled so much later. */
        public Script slow(int node, Duration by) {
            return doing(Deed.SLOW, node, ms(by));
        }

        /** A broker with this id comes, 1 to 1000, and holds nothing yet. */
        public Script addBroker(int id) {
            return doing(Deed.ADD_BROKER, id);
        }

        /** A broker's replicas are moved to others, and it goes. It does not come back by the heal. */
        public Script removeBroker(int id) {
            return doing(Deed.REMOVE_BROKER, id);
        }

        /** A controller with this id comes, from 1001 on, and has a vote. */
        public Script addController(int id) {
            return doing(Deed.ADD_CONTROLLER, id);
        }

        public Script removeController(int id) {
            return doing(Deed.REMOVE_CONTROLLER, id);
        }

        public Script isolate(int node) {
            return doing(Deed.ISOLATE, node);
        }

        public Script isolateFromControllers(int broker) {
            return doing(Deed.ISOLATE_FROM_CONTROLLERS, broker);
        }

        public Script refuseConnections(int node) {
            return doing(Deed.REFUSE_CONNECTIONS, node);
        }

        public Script stallReplication(int broker) {
            return doing(Deed.STALL_REPLICATION, broker);
        }

        /** A broker's replica of one partition gets nothing from its leader. */
        public Script stallPartition(int broker, String topic, int partition) {
            return doing(Deed.STALL_PARTITION, broker, topic, partition);
        }

        public Script cut(int node, int other) {
            return doing(Deed.CUT, node, other);
        }

        public Script cutOneWay(int from, int to) {
            return doing(Deed.CUT_ONE_WAY, from, to);
        }

        /** No node of one group hears one of another. */
        @SafeVarargs
        public final Script split(Set<Integer> some, Set<Integer> others, Set<Integer>... more) {
            List<Set<Integer>> groups = new ArrayList<>(List.of(some, others));
            groups.addAll(List.of(more));
            return doing(Deed.SPLIT, Word.ofGroups(groups));
        }

        /** The followers of a partition get nothing more, so that nothing more is committed. */
        public Script holdHighWatermark(String topic, int partition) {
            return doing(Deed.HOLD_HIGH_WATERMARK, topic, partition);
        }

        /** The next so many requests on an API are handled, and their connections closed in the place of the answer. */
        public Script loseAnswer(ApiKey api, int times) {
            return doing(Deed.LOSE_ANSWER, api.name(), times);
        }

        /** The next so many requests on an API are handled, and never answered, nor what follows on their connections. */
        public Script leaveUnanswered(ApiKey api, int times) {
            return doing(Deed.LEAVE_UNANSWERED, api.name(), times);
        }

        /** The next so many requests on an API are not handled, and answered with an error. */
        public Script answerError(ApiKey api, int times, ErrorCode error) {
            return doing(Deed.ANSWER_ERROR, api.name(), times, error.name());
        }

        /** The next so many requests on an API are handled so much later. */
        public Script delayRequest(ApiKey api, int times, Duration by) {
            return doing(Deed.DELAY_REQUEST, api.name(), times, ms(by));
        }

        /** The next so many requests on an API are not handled, and their connections closed. */
        public Script closeConnection(ApiKey api, int times) {
            return doing(Deed.CLOSE_CONNECTION, api.name(), times);
        }

        /** A broker's page cache forgets the segments of a partition. */
        public Script evict(int broker, String topic, int partition) {
            return doing(Deed.EVICT, broker, topic, partition);
        }

        public Script slowDisk(int node, Duration by) {
            return doing(Deed.SLOW_DISK, node, ms(by));
        }

        public Script failWrites(int node) {
            return doing(Deed.FAIL_WRITES, node);
        }

        public Script failReads(int node) {
            return doing(Deed.FAIL_READS, node);
        }

        public Script fillDisk(int node) {
            return doing(Deed.FILL_DISK, node);
        }

        public Script flipBit(int broker, String topic, int partition, long offset) {
            return doing(Deed.FLIP_BIT, broker, topic, partition, offset);
        }

        /** Each member of a group is told at its next heartbeat to join again. */
        public Script rebalance(String groupId) {
            return doing(Deed.REBALANCE, groupId);
        }

        /** Another broker coordinates a group. */
        public Script moveGroup(String groupId) {
            return doing(Deed.MOVE_GROUP, groupId);
        }

        public Script killGroupCoordinator(String groupId) {
            return doing(Deed.KILL_GROUP_COORDINATOR, groupId);
        }

        /** Another broker coordinates a transactional id. */
        public Script moveTransaction(String transactionalId) {
            return doing(Deed.MOVE_TRANSACTION, transactionalId);
        }

        public Script killTransactionCoordinator(String transactionalId) {
            return doing(Deed.KILL_TRANSACTION_COORDINATOR, transactionalId);
        }

        /** A broker's transaction coordinator decides, and tells no partition. */
        public Script holdMarkers(int broker) {
            return doing(Deed.HOLD_MARKERS, broker);
        }

        /** A replica in sync leads. */
        public Script elect(String topic, int partition, int broker) {
            return doing(Deed.ELECT, topic, partition, broker);
        }

        /** Another replica in sync leads every partition. */
        public Script shuffleLeaders() {
            return doing(Deed.SHUFFLE_LEADERS);
        }

        public Script electUnclean(String topic, int partition) {
            return doing(Deed.ELECT_UNCLEAN, topic, partition);
        }

        /** The time of every node goes ahead. */
        public Script advanceClock(Duration by) {
            return doing(Deed.ADVANCE_CLOCK, ms(by));
        }

        /** The wall clock of a node is wrong by so much, ahead, or behind where it is negative. */
        public Script skew(int node, Duration by) {
            return doing(Deed.SKEW, node, ms(by));
        }

        public Script healLinks() {
            return doing(Deed.HEAL_LINKS);
        }

        /** Heals everything, and waits until every replica is in sync. */
        public Script heal() {
            return doing(Deed.HEAL);
        }

        private Script doing(Deed deed, Object... words) {
            List<String> arguments = Stream.concat(Arrays.stream(words).map(String::valueOf), scopes.stream())
                    .toList();
            timesMs.forEach(atMs -> steps.add(new Step(atMs, condition, isMaybe, deed, arguments)));
            return Script.this;
        }

        private static String ms(Duration time) {
            return Word.ofMillis(time.toMillis());
        }
    }
}
