package io.tidemark.broker.simulation;

import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.InitProducerIdRequest;
import io.tidemark.broker.protocol.message.InitProducerIdResponse;
import io.tidemark.broker.protocol.message.ProduceRequest;
import io.tidemark.broker.protocol.message.ProduceResponse;
import io.tidemark.broker.record.Sequences;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes to every partition of its topic, one batch at a time on each, and retries as a client does: with what the
 * metadata says now, until it is answered or has no patience left.
 */
final class Producer extends Client {
    private static final long PATIENCE_US = 12 * World.SECOND;
    private static final int BY_TOPIC_ID = 13;
    private static final int BY_NAME = 12;

    private final int number;
    private final String topic;
    private final int partitions;
    private final short acks;
    private final boolean isIdempotent;
    private final boolean givesUpWhenRefused;
    private final int version;
    private final long thinkMs;
    private final List<Lane> lanes = new ArrayList<>();
    private boolean isEnding;

    Producer(World world, Oracle oracle, Machine machine, int brokers, int number, String topic, int partitions) {
        super(world, oracle, machine, brokers);
        this.number = number;
        this.topic = topic;
        this.partitions = partitions;
        int kind = random.nextInt(6);
        this.isIdempotent = kind < 3;
        this.acks = (short) (kind < 4 ? -1 : kind == 4 ? 1 : 0);
        this.givesUpWhenRefused = !isIdempotent && random.nextBoolean();
        this.version = random.nextBoolean() ? BY_TOPIC_ID : BY_NAME;
        this.thinkMs = random.nextLong(50, 400);
    }

    @Override
    void start() {
        loop.execute(() -> {
            refresh();
            for (int partition = 0; partition < partitions; partition++) {
                addLane();
            }
        });
    }

    private void addLane() {
        Lane lane = new Lane(lanes.size(), number * 100 + lanes.size());
        lanes.add(lane);
        lane.think();
    }

    /** No new batches; those under way go on until they have an outcome. */
    void end() {
        isEnding = true;
    }

    boolean isAtRest() {
        return lanes.stream().allMatch(lane -> lane.batch == null);
    }

    @Override
    public String toString() {
        return "producer " + number + " of " + topic + (isIdempotent ? ", idempotent" : "") + ", acks " + acks
                + ", version " + version;
    }

    /** A batch that has no outcome yet. */
    private static final class Batch {
        final List<String> values = new ArrayList<>();
        final int firstSequence;
        final long sinceUs;
        final Topic topic;
        long writtenAtMs;
        boolean wasOnlyRefused = true;

        Batch(int firstSequence, long sinceUs, Topic topic) {
            this.firstSequence = firstSequence;
            this.sinceUs = sinceUs;
            this.topic = topic;
        }
    }

    /** The writes to one partition. */
    private final class Lane {
        private final int partition;
        private final int id;
        private int nextNumber;
        private long producerId = -1;
        private short producerEpoch = -1;
        private int nextSequence;
        private @Nullable Batch batch;

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
            if (known != null && known.leaders.size() > lanes.size()) {
                addLane();
            }
            if (known == null || known.leader(partition) < 0) {
                refresh();
                think();
            } else if (isIdempotent && producerId < 0) {
                initialize();
            } else {
                Batch made = new Batch(nextSequence, world.nowUs(), known);
                made.writtenAtMs = machine.clock().wallTimeMs();
                int count = random.nextInt(1, 4);
                for (int i = 0; i < count; i++) {
                    made.values.add(id + "-" + nextNumber++);
                }
                batch = made;
                attempt(made);
            }
        }

        private void initialize() {
            InitProducerIdRequest request =
                    new InitProducerIdRequest().setTransactionalId(null).setTransactionTimeoutMs(60_000);
            send(
                    anyBroker(),
                    request,
                    -1,
                    response -> {
                        InitProducerIdResponse answer = (InitProducerIdResponse) response;
                        if (answer.errorCode() == 0) {
                            oracle.onProducerId(answer.producerId());
                            producerId = answer.producerId();
                            producerEpoch = answer.producerEpoch();
                            nextSequence = 0;
                        }
                        think();
                    },
                    this::think);
        }

        private void attempt(Batch sent) {
            Topic known = topic(topic);
            if (known == null || known != sent.topic) {
                // The topic that it was meant for is gone.
                settle(sent);
                return;
            }
            int leader = known.leader(partition);
            if (leader < 0) {
                again(sent);
                return;
            }
            ProduceRequest request = Writes.request(
                    known,
                    version == BY_TOPIC_ID ? null : topic,
                    partition,
                    acks,
                    Writes.records(
                            sent.values,
                            sent.writtenAtMs,
                            isIdempotent ? producerId : -1,
                            producerEpoch,
                            sent.firstSequence));
            if (acks == 0) {
                sendAndForget(leader, request, sent);
                return;
            }
            send(leader, request, version, response -> onAnswer(sent, leader, (ProduceResponse) response), () -> {
                sent.wasOnlyRefused = false;
                again(sent);
            });
        }

        private void sendAndForget(int leader, ProduceRequest request, Batch sent) {
            sendOneWay(leader, request, version);
            later(20, () -> settle(sent));
        }

        private void onAnswer(Batch sent, int leader, ProduceResponse response) {
            ProduceResponse.PartitionProduceResponse answer =
                    response.responses().get(0).partitionResponses().get(0);
            ErrorCode error = ErrorCode.forCode(answer.errorCode());
            if (error != ErrorCode.NOT_ENOUGH_REPLICAS) {
                sent.wasOnlyRefused = false;
            }
            switch (error) {
                case NONE -> {
                    oracle.onAcknowledged(
                            machine.id(),
                            sent.topic.id,
                            partition,
                            answer.baseOffset(),
                            sent.values,
                            acks == -1,
                            isIdempotent);
                    nextSequence = Sequences.add(sent.firstSequence, sent.values.size());
                    settled();
                }
                case NOT_ENOUGH_REPLICAS -> {
                    if (sent.wasOnlyRefused) {
                        oracle.onNotAppended(leader, sent.topic.id, partition, sent.values);
                    }
                    if (givesUpWhenRefused && sent.wasOnlyRefused) {
                        oracle.onRefused(sent.topic.id, partition, sent.values);
                        settled();
                    } else {
                        again(sent);
                    }
                }
                case NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                        NOT_LEADER_OR_FOLLOWER,
                        UNKNOWN_TOPIC_OR_PARTITION,
                        UNKNOWN_TOPIC_ID,
                        REQUEST_TIMED_OUT,
                        KAFKA_STORAGE_ERROR,
                        LEADER_NOT_AVAILABLE,
                        FENCED_LEADER_EPOCH,
                        UNKNOWN_LEADER_EPOCH -> {
                    refresh();
                    again(sent);
                }
                case OUT_OF_ORDER_SEQUENCE_NUMBER -> {
                    oracle.onOutOfOrder(machine.id(), sent.topic.id, partition, sent.values);
                    settle(sent);
                }
                default -> {
                    oracle.onUnexpected(machine.id(), "a batch is answered " + error + ": " + answer.errorMessage());
                    settle(sent);
                }
            }
        }

        private void again(Batch sent) {
            if (world.nowUs() - sent.sinceUs > PATIENCE_US) {
                settle(sent);
                return;
            }
            refresh();
            later(random.nextLong(20, 120), () -> attempt(sent));
        }

        /** Whether it was written is not known, and will not be; what comes next has a producer id of its own. */
        private void settle(Batch sent) {
            if (batch == sent) {
                producerId = -1;
                settled();
            }
        }

        private void settled() {
            batch = null;
            think();
        }
    }
}
