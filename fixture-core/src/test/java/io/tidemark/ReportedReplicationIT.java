package io.tidemark;

import static io.tidemark.assertions.TidemarkAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.broker.PartitionSnapshot;
import io.tidemark.broker.protocol.ErrorCode;
import io.tidemark.broker.protocol.message.FetchResponse;
import io.tidemark.broker.protocol.message.ListOffsetsResponse;
import io.tidemark.broker.protocol.message.ProduceResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users of Kafka's clients and brokers have reported of elections and replicas, each with the right outcome. */
@Timeout(120)
class ReportedReplicationIT {
    private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector";

    /**
     * librdkafka#3584: after NOT_LEADER_OR_FOLLOWER and a restart, an idempotent producer got
     * OUT_OF_ORDER_SEQUENCE_NUMBER (45). What a producer has written is in the log, so each new leader knows it.
     */
    @Test
    void theStateOfAProducerSurvivesFailoverAndRestart() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            WireQuestions wire = new WireQuestions(cluster, "orders");
            for (int sequence = 0; sequence < 3; sequence++) {
                assertAppended(wire.produce(1, 77, sequence), sequence);
            }

            cluster.broker(1).kill();
            assertThat(orders).eventually().hasLeader(2).hasIsr(2, 3).hasHighWatermark(3);
            assertAppended(wire.produce(2, 77, 2), 2);
            assertThat(orders).as("a repeat is not written again").hasLogEndOffset(2, 3);
            assertAppended(wire.produce(2, 77, 3), 3);
            assertThat(wire.produce(3, 77, 4).errorCode()).isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
            assertThat(wire.produce(2, 77, 5).errorCode())
                    .as("the check itself is on")
                    .isEqualTo(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER.code());

            cluster.broker(1).restart();
            assertThat(orders).eventually().hasIsr(1, 2, 3);
            cluster.clients()
                    .admin()
                    .electLeaders(ElectionType.PREFERRED, Set.of(ORDERS))
                    .all()
                    .get();
            assertThat(orders).eventually().hasLeader(1).hasHighWatermark(4);
            assertAppended(wire.produce(1, 77, 3), 3);
            assertAppended(wire.produce(1, 77, 4), 4);

            cluster.broker(1).stop();
            assertThat(orders).eventually().hasLeader(2).hasHighWatermark(5);
            assertAppended(wire.produce(2, 77, 5), 5);
        }
    }

    /** The same, seen by a producer that goes on while leaders die: nothing fails, is lost or is there twice. */
    @Test
    void anIdempotentProducerWritesEachRecordOnceWhileLeadersComeAndGo() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start()) {
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all", "linger.ms", "0"));
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            // Until a partition has heard of a producer it takes any sequence as its first, as in Kafka: of several
            // batches under way a later one might be taken where the first was refused.
            send(producer, sent, 1);
            sent.get(0).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            for (int round = 0; round < 3; round++) {
                send(producer, sent, 50);
                int leader = cluster.partition("orders", 0).leader();
                cluster.broker(leader).kill();
                send(producer, sent, 50);
                cluster.broker(leader).restart();
                assertThat(cluster.partition("orders", 0)).eventually().hasIsr(1, 2, 3);
            }

            for (int i = 0; i < sent.size(); i++) {
                assertThat(sent.get(i)
                                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                                .offset())
                        .isEqualTo(i);
            }
            assertThat(read(cluster, 0)).isEqualTo(values(0, 301));
        }
    }

    /**
     * KAFKA-9491: a follower that was cut in full, as its leader had deleted all that it had, kept its old high watermark
     * and failed with OFFSET_OUT_OF_RANGE when it was made the leader.
     */
    @Test
    void aReplicaThatStartedAnewAtItsLeadersStartLeadsFromThere() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(2)
                .topic("orders", topic -> topic.replicationFactor(2).config("min.insync.replicas", "1"))
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
            send(producer, 0, 5);
            cluster.broker(2).kill();
            assertThat(orders).eventually().hasIsr(1);
            send(producer, 5, 5);
            cluster.clients()
                    .admin()
                    .deleteRecords(Map.of(ORDERS, RecordsToDelete.beforeOffset(10)))
                    .all()
                    .get();

            cluster.broker(2).restart();
            assertThat(orders).eventually().hasIsr(1, 2);
            cluster.broker(1).kill();

            assertThat(orders).eventually().hasLeader(2).hasHighWatermark(10).hasLogEndOffset(2, 10);
            assertThat(orders.logStartOffset()).isEqualTo(10);
            WireQuestions wire = new WireQuestions(cluster, "orders");
            assertOffset(wire.listOffsets(2, WireQuestions.EARLIEST), 10);
            assertOffset(wire.listOffsets(2, WireQuestions.LATEST), 10);
            FetchResponse.PartitionData fetched = wire.fetch(2, 10, "");
            assertThat(fetched.errorCode()).isZero();
            assertThat(fetched.highWatermark()).isEqualTo(10);
            send(producer, 10, 1);
            assertThat(read(cluster, 10)).isEqualTo(values(10, 1));
        }
    }

    /**
     * librdkafka#4616: a consumer that read from a follower and got OFFSET_OUT_OF_RANGE asked that follower for the
     * offsets, again and again. A follower answers NOT_LEADER_OR_FOLLOWER (6), and the leader answers the question.
     */
    @Test
    void afterOutOfRangeOnAFollowerTheLeaderTellsTheOffsets() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(2)
                .racks("north", "south")
                .config("replica.selector.class", RACK_AWARE)
                .topic("orders", topic -> topic.replicationFactor(2))
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
            send(producer, 0, 5);
            Consumer<String, String> consumer = cluster.clients()
                    .consumer(String.class, String.class, Map.of("client.rack", "south", "max.poll.records", "1"));
            consumer.assign(List.of(ORDERS));
            consumer.seek(ORDERS, 0);
            awaitValue(consumer, "0");
            assertThat(preferredReplica(consumer)).isEqualTo(2);

            cluster.clients()
                    .admin()
                    .deleteRecords(Map.of(ORDERS, RecordsToDelete.beforeOffset(5)))
                    .all()
                    .get();
            await("the follower's start")
                    .atMost(PATIENCE)
                    .until(() -> replica(cluster, 2).logStartOffset() == 5);
            assertThat(orders).eventually().hasLogStartOffset(5);
            WireQuestions wire = new WireQuestions(cluster, "orders");
            assertThat(wire.fetch(2, 1, "south").errorCode()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE.code());
            for (long timestamp : List.of(WireQuestions.EARLIEST, WireQuestions.LATEST)) {
                assertThat(wire.listOffsets(2, timestamp).errorCode())
                        .isEqualTo(ErrorCode.NOT_LEADER_OR_FOLLOWER.code());
                assertOffset(wire.listOffsets(1, timestamp), 5);
            }

            consumer.seek(ORDERS, 1);
            send(producer, 5, 1);
            awaitValue(consumer, "5");
        }
    }

    /** sarama#3514: after two of three brokers had restarted, clients never found the leaders again. */
    @Test
    void clientsRecoverFromTheRestartOfBothBrokersThatTheyKnow() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start()) {
            String two = cluster.broker(1).address() + "," + cluster.broker(2).address();
            Producer<String, String> producer = cluster.clients()
                    .producer(String.class, String.class, Map.of("acks", "all", "bootstrap.servers", two));
            Consumer<String, String> consumer = cluster.clients()
                    .consumer(
                            String.class,
                            String.class,
                            Map.of("group.id", "readers", "auto.offset.reset", "earliest", "bootstrap.servers", two));
            consumer.subscribe(List.of("orders"));
            send(producer, 0, 5);
            awaitValue(consumer, "4");

            cluster.broker(1).kill();
            cluster.broker(2).kill();
            Future<RecordMetadata> meanwhile = producer.send(new ProducerRecord<>("orders", 0, null, "5"));
            consumer.poll(Duration.ofMillis(200));
            cluster.broker(1).restart();
            cluster.broker(2).restart();

            meanwhile.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            send(producer, 6, 5);
            awaitValue(consumer, "10");
            assertThat(read(cluster, 0)).isEqualTo(values(0, 11));
        }
    }

    /** sarama#2090: a consumer was sent to the replica of its rack for ever, though that had died. */
    @Test
    void theLeaderServesWhereThePreferredFollowerIsDead() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .racks("north", "south", "west")
                .config("replica.selector.class", RACK_AWARE)
                .topic("orders")
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            Producer<String, String> producer =
                    cluster.clients().producer(String.class, String.class, Map.of("acks", "all"));
            send(producer, 0, 1);
            WireQuestions wire = new WireQuestions(cluster, "orders");
            await("the follower to have it")
                    .atMost(PATIENCE)
                    .until(() -> wire.fetch(1, 0, "south").preferredReadReplica() == 2);

            cluster.broker(2).kill();
            assertThat(orders).eventually().hasLeader(1).hasIsr(1, 3);

            FetchResponse.PartitionData served = wire.fetch(1, 0, "south");
            assertThat(served.preferredReadReplica()).isEqualTo(-1);
            assertThat(served.errorCode()).isZero();
            assertThat(served.records()).isNotNull();
            assertThat(served.records().sizeInBytes()).isPositive();
            assertThat(wire.fetch(1, 0, "west").preferredReadReplica())
                    .as("those of other racks are still sent to theirs")
                    .isEqualTo(3);

            cluster.broker(2).restart();
            assertThat(orders).eventually().hasIsr(1, 2, 3);
            await("it is preferred again")
                    .atMost(PATIENCE)
                    .until(() -> wire.fetch(1, 0, "south").preferredReadReplica() == 2);
        }
    }

    /**
     * KAFKA-2334: the end offset that consumers are told went back after an election, since the new leader did not know
     * yet how far the old one had committed. It says OFFSET_NOT_AVAILABLE (78) until it does.
     */
    @Test
    void theEndOffsetIsNotToldUntilItCannotBeLessThanBefore() throws Exception {
        try (Cluster cluster = Cluster.builder()
                .brokers(3)
                .topic("orders", topic -> topic.config("min.insync.replicas", "2"))
                .start()) {
            PartitionHandle orders = cluster.partition("orders", 0);
            WireQuestions wire = new WireQuestions(cluster, "orders");
            Producer<String, String> producer = cluster.clients()
                    .producer(String.class, String.class, Map.of("acks", "1", "enable.idempotence", "false"));
            // Broker 2 gets the records, and hears no more of it when they are committed.
            LinkFault third = cluster.links().stallReplication(3);
            send(producer, 0, 5);
            await("broker 2 has them, and its leader knows")
                    .atMost(PATIENCE)
                    .until(() -> replica(cluster, 1).followerLogEndOffsets().get(2) == 5);
            cluster.links().stallReplication(2);
            third.heal();
            assertThat(orders).eventually().hasHighWatermark(5).hasLogEndOffset(3, 5);
            assertOffset(wire.listOffsets(1, WireQuestions.LATEST), 5);
            assertThat(replica(cluster, 2).highWatermark()).isZero();
            LinkFault thirdAgain = cluster.links().stallReplication(3);

            cluster.broker(1).kill();
            assertThat(orders).eventually().hasLeader(2).hasIsr(2, 3);
            assertThat(wire.listOffsets(2, WireQuestions.LATEST).errorCode())
                    .isEqualTo(ErrorCode.OFFSET_NOT_AVAILABLE.code());
            assertOffset(wire.listOffsets(2, WireQuestions.EARLIEST), 0);

            thirdAgain.heal();
            await("the end offset").atMost(PATIENCE).until(() -> {
                ListOffsetsResponse.ListOffsetsPartitionResponse answer = wire.listOffsets(2, WireQuestions.LATEST);
                if (answer.errorCode() == ErrorCode.OFFSET_NOT_AVAILABLE.code()) {
                    return false;
                }
                assertOffset(answer, 5);
                return true;
            });
            Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class);
            assertThat(consumer.endOffsets(List.of(ORDERS))).containsEntry(ORDERS, 5L);
        }
    }

    private static PartitionSnapshot replica(Cluster cluster, int brokerId) {
        PartitionSnapshot replica = cluster.view().snapshots().get(brokerId).partition("orders", 0);
        assertThat(replica).as("orders-0 on broker " + brokerId).isNotNull();
        return replica;
    }

    private static void assertAppended(ProduceResponse.PartitionProduceResponse answer, long offset) {
        assertThat(ErrorCode.forCode(answer.errorCode())).isEqualTo(ErrorCode.NONE);
        assertThat(answer.baseOffset()).isEqualTo(offset);
    }

    private static void assertOffset(ListOffsetsResponse.ListOffsetsPartitionResponse answer, long offset) {
        assertThat(ErrorCode.forCode(answer.errorCode())).isEqualTo(ErrorCode.NONE);
        assertThat(answer.offset()).isEqualTo(offset);
    }

    private static List<String> values(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(Integer::toString).toList();
    }

    private static void send(Producer<String, String> producer, int from, int count) throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (String value : values(from, count)) {
            sent.add(producer.send(new ProducerRecord<>("orders", 0, null, value)));
        }
        for (Future<RecordMetadata> write : sent) {
            write.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void send(Producer<String, String> producer, List<Future<RecordMetadata>> sent, int count) {
        for (int i = 0; i < count; i++) {
            sent.add(producer.send(new ProducerRecord<>("orders", 0, null, Integer.toString(sent.size()))));
        }
    }

    /** From an offset to the end that the log has now. */
    private static List<String> read(Cluster cluster, long offset) {
        List<String> read = new ArrayList<>();
        Consumer<String, String> consumer = cluster.clients().consumer(String.class, String.class);
        consumer.assign(List.of(ORDERS));
        consumer.seek(ORDERS, offset);
        long end = consumer.endOffsets(List.of(ORDERS)).get(ORDERS);
        await("all up to " + end).atMost(PATIENCE).until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(record -> read.add(record.value()));
            return consumer.position(ORDERS) >= end;
        });
        return read;
    }

    private static void awaitValue(Consumer<String, String> consumer, String value) {
        await("the value " + value).atMost(PATIENCE).until(() -> {
            boolean[] found = new boolean[1];
            consumer.poll(Duration.ofMillis(100))
                    .forEach(record -> found[0] |= record.value().equals(value));
            return found[0];
        });
    }

    /** As the client itself tells. */
    private static int preferredReplica(Consumer<String, String> consumer) {
        return consumer.metrics().entrySet().stream()
                .filter(metric -> metric.getKey().name().equals("preferred-read-replica"))
                .map(metric -> ((Number) metric.getValue().metricValue()).intValue())
                .findFirst()
                .orElse(-1);
    }
}
