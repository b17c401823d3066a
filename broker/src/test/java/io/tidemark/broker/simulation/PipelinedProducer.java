package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.Sequences;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Writes idempotently with up to five batches under way on each partition, and retries in the order of their sequences,
 * as kafka-clients does: of those that are to be sent again only the first is, and nothing new before it; that a batch
 * behind the first is out of order is no failure. What such a client never sees, as long as nothing was lost, is
 * OUT_OF_ORDER_SEQUENCE_NUMBER for the first of them.
 *
 * <p>Its first batch goes alone: a partition that has not heard of a producer takes any sequence (INV-32), so that of
 * several a later one might be taken where the first was refused. Nor does it go on more than five batches beyond one that
 * has no outcome, be those between acknowledged, for a leader remembers five. Both is so in Kafka too.
 */
final class PipelinedProducer extends Client {
    private static final long PATIENCE_US = 12 * World.SECOND;
    private static final int MOST_UNDER_WAY = 5;
    private static final int VERSION = 13;

    private final int number;
    private final String topic;
    private final int partitions;
    private final long thinkMs;
    private final List<Lane> lanes = new ArrayList<>();
    private boolean isEnding;

    PipelinedProducer(
            World world, Oracle oracle, Machine machine, int brokers, int number, String topic, int partitions) {
        super(world, oracle, machine, brokers);
        this.number = number;
        this.topic = topic;
        this.partitions = partitions;
        this.thinkMs = random.nextLong(10, 200);
    }

    @Override
    void start() {
        loop.execute(() -> {
            refresh();
            for (int partition = 0; partition < partitions; partition++) {
                Lane lane = new Lane(partition, number * 100 + partition);
                lanes.add(lane);
                lane.think();
            }
        });
    }

    /** No new batches; those under way go on until they have an outcome. */
    void end() {
        isEnding = true;
    }

    boolean isAtRest() {
        return lanes.stream().allMatch(lane -> lane.underWay.isEmpty());
    }

    @Override
    public String toString() {
        return "pipelined producer " + number + " of " + topic;
    }

    private static final class Batch {
        final List<String> values = new ArrayList<>();
        final int firstSequence;
        final long sinceUs;
        final long writtenAtMs;
        final Topic topic;
        final long index;
        boolean isWaiting;

        Batch(long index, int firstSequence, long sinceUs, long writtenAtMs, Topic topic) {
            this.index = index;
            this.firstSequence = firstSequence;
            this.sinceUs = sinceUs;
            this.writtenAtMs = writtenAtMs;
            this.topic = topic;
        }
    }

    /** The writes to one partition. */
    private final class Lane {
        private final int partition;
        private final int id;
        private final Deque<Batch> underWay = new ArrayDeque<>();
        private int nextNumber;
        private long producerId = -1;
        private short producerEpoch = -1;
        private int nextSequence;
        private long nextIndex;
        private boolean isKnown;

        Lane(int partition, int id) {
            this.partition = partition;
            this.id = id;
        }

        private void think() {
            later(random.nextLong(1, thinkMs + 2), this::next);
        }

        private void next() {
            if (isEnding) {
                return;
            }
            Topic known = topic(topic);
            if (known == null || known.leader(partition) < 0) {
                refresh();
            } else if (producerId < 0) {
                initialize();
                return;
            } else if (mayGo()) {
                Batch made = new Batch(
                        nextIndex++,
                        nextSequence,
                        world.nowUs(),
                        machine.clock().wallTimeMs(),
                        known);
                int count = random.nextInt(1, 4);
                for (int i = 0; i < count; i++) {
                    made.values.add(id + "-" + nextNumber++);
                }
                nextSequence = Sequences.add(nextSequence, count);
                underWay.add(made);
                attempt(made);
            }
            think();
        }

        private boolean mayGo() {
            Batch first = underWay.peek();
            long span = first == null ? 0 : nextIndex - first.index;
            return span < (isKnown ? MOST_UNDER_WAY : 1) && underWay.stream().noneMatch(one -> one.isWaiting);
        }

        private void initialize() {
            send(
                    anyBroker(),
                    new InitProducerIdRequest().setTransactionalId(null).setTransactionTimeoutMs(60_000),
                    -1,
                    response -> {
                        InitProducerIdResponse answer = (InitProducerIdResponse) response;
                        if (answer.errorCode() == 0) {
                            oracle.onProducerId(answer.producerId());
                            producerId = answer.producerId();
                            producerEpoch = answer.producerEpoch();
                        }
                        think();
                    },
                    this::think);
        }

        private void attempt(Batch sent) {
            Topic known = topic(topic);
            if (known != sent.topic || world.nowUs() - sent.sinceUs > PATIENCE_US) {
                giveUp();
                return;
            }
            int leader = known.leader(partition);
            if (leader < 0) {
                again(sent);
                return;
            }
            sent.isWaiting = false;
            send(
                    leader,
                    Writes.request(
                            known,
                            null,
                            partition,
                            (short) -1,
                            Writes.records(
                                    sent.values, sent.writtenAtMs, producerId, producerEpoch, sent.firstSequence)),
                    VERSION,
                    response -> onAnswer(sent, (ProduceResponse) response),
                    () -> again(sent));
        }

        private void onAnswer(Batch sent, ProduceResponse response) {
            if (!underWay.contains(sent)) {
                return;
            }
            ProduceResponse.PartitionProduceResponse answer =
                    response.responses().get(0).partitionResponses().get(0);
            ErrorCode error = ErrorCode.forCode(answer.errorCode());
            if (error == ErrorCode.NONE) {
                oracle.onAcknowledged(
                        machine.id(), sent.topic.id, partition, answer.baseOffset(), sent.values, true, true);
                isKnown = true;
                underWay.remove(sent);
                sendFirst();
            } else if (Writes.RETRIABLE.contains(error) || error == ErrorCode.NOT_ENOUGH_REPLICAS) {
                again(sent);
            } else if (error == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER) {
                if (sent == underWay.peek()) {
                    oracle.onOutOfOrder(machine.id(), sent.topic.id, partition, sent.values);
                    giveUp();
                } else {
                    again(sent);
                }
            } else {
                oracle.onUnexpected(machine.id(), "a batch is answered " + error + ": " + answer.errorMessage());
                giveUp();
            }
        }

        private void again(Batch sent) {
            if (underWay.contains(sent)) {
                sent.isWaiting = true;
                refresh();
                later(random.nextLong(20, 120), this::sendFirst);
            }
        }

        /** Those behind it wait until it has an outcome. */
        private void sendFirst() {
            Batch first = underWay.peek();
            if (first != null && first.isWaiting) {
                attempt(first);
            }
        }

        /** What was written of it is not known, and will not be; what comes next has a producer id of its own. */
        private void giveUp() {
            underWay.clear();
            producerId = -1;
            nextSequence = 0;
            isKnown = false;
        }
    }
}
